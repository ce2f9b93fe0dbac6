import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Catalog, createCatalog } from "../../src/catalog/catalog.ts";
import type { JobContext, Source, WritableHistory } from "../../src/catalog/context.ts";
import type { NodeFacts, SoldProduct } from "../../src/catalog/node-facts.ts";
import { createRunner, type RunnerOptions } from "../../src/catalog/runner.ts";
import { createOwnConfig } from "../../src/config/own-config.ts";
import { type SettableClock, systemTimers, type Timers } from "../../src/core/clock.ts";
import { parseUSD } from "../../src/core/money.ts";
import { registry } from "../../src/plugins/registry.gen.ts";
import { createMemoryRecords } from "../../src/records/memory-records.ts";
import type { WritableRecords } from "../../src/records/record-chain.ts";
import { createSimulatedSelf, createSimulatedStrangers } from "../../src/sandbox/simulated-strangers.ts";
import { simulators } from "../../src/sandbox/simulators.gen.ts";
import { createSimulatedUpstreams, type SimulatedUpstreams } from "../../src/sandbox/upstreams.ts";
import { createWorld } from "../../src/sandbox/world.ts";
import { type BuildOrder, buildDataset } from "../../src/stores/dataset-build.ts";
import { takeIn } from "../../src/stores/dataset-intake.ts";
import { openMarketDb } from "../../src/stores/market-db.ts";
import { openStores, type Stores } from "../../src/stores/stores.ts";
import { createUpstream, type Upstream } from "../../src/upstream/client.ts";
import type { UpstreamEvent } from "../../src/upstream/events.ts";
import { createStillClock, STILL_TIMERS } from "./still-clock.ts";
import { createTestFacts } from "./test-facts.ts";
import { createTestSigner } from "./test-signer.ts";

/** The real upstream client in front of the simulated providers, without a socket; time moves only when told to. */
export interface SimulatedNode {
  readonly clock: SettableClock;
  readonly upstreams: SimulatedUpstreams;
  readonly history: WritableHistory;
  readonly records: WritableRecords;
  readonly table: JobContext["table"];
  readonly datasets: Stores["datasets"];
  /** Takes in the built-in datasets of that name, or all of them; tells the names of those that failed. */
  takeInDatasets(name?: string): Promise<readonly string[]>;
  /** What a runner makes its contexts with. */
  readonly createRun: Upstream["createContext"];
  createContext(): JobContext & { sources(): Source[]; rowWarnings(): string[] };
  close(): void;
}

/** Which call an answer that is bent belongs to. */
export interface BentCall {
  readonly provider: string;
  /** Path and query below the provider's address, or the chain's name. */
  readonly path: string;
  readonly body: string;
}

export interface SimulatedNodeOptions {
  readonly now_ms: number;
  /** What the node knows of itself besides. */
  readonly facts?: Partial<NodeFacts>;
  /** Keys by provider id. */
  readonly api_keys?: Readonly<Record<string, string>>;
  /** What the operator set in `[plugins.<id>]`, and of the providers' own keys, by id; the rest is at its default. */
  readonly config?: {
    readonly plugins?: Readonly<Record<string, object>>;
    readonly providers?: Readonly<Record<string, object>>;
  };
  /** Providers the operator switched off. */
  readonly off?: readonly string[];
  /** Restricted providers the operator holds a licence of. */
  readonly licensed?: readonly string[];
  /** Another node whose stored series, tables, datasets and records this one has too; it must be closed last. */
  readonly stores?: Pick<SimulatedNode, "history" | "records" | "table" | "datasets">;
  /** Chains have a second address, which answers this instead of what the first one says. */
  readonly second_rpc?: (answer: unknown) => unknown;
  /** What is sent instead of an upstream's answer, such as one with a bent row; `body` is what was asked by POST. */
  readonly bend?: (answer: Response, asked: BentCall) => Response | Promise<Response>;
  /** Told of every call. */
  readonly log?: (event: UpstreamEvent) => void;
  /** Awaited before every answer, such as by a gate that counts how often calls wait for one another. */
  readonly delay?: () => Promise<void>;
}

/** What the whole catalog would sell, at its own prices. */
const listSold = (): readonly SoldProduct[] =>
  registry.flatMap(({ products }) =>
    products.map(({ product }) => ({
      path: product.path,
      title: product.title,
      category: product.category,
      tags: product.tags,
      price_usd: product.price_usd,
      price_atomic: parseUSD(product.price_usd),
      methods: product.methods ?? (["GET"] as const),
      tiers: {},
      is_plan: product.plan !== undefined,
    })),
  );

const ORIGIN = "http://127.0.0.1:1";
/**
 * Time limits that end when the test's upstream hangs, and never by themselves: nobody waits for them, and a busy
 * machine ends no call that is answered.
 */
function createHangTimers(elapsed_ms: () => number) {
  let newest = (): void => undefined;
  const timers: Timers = {
    elapsed_ms,
    after(_, fire) {
      newest = fire;
      return () => undefined;
    },
  };
  // An attempt sets its limit right before it calls.
  return { timers, endOfCall: () => newest };
}

export function createSimulatedNode({
  facts = {},
  now_ms,
  api_keys = {},
  config = {},
  off = [],
  licensed = [],
  stores,
  bend = (answer) => answer,
  log,
  delay,
  second_rpc,
}: SimulatedNodeOptions): SimulatedNode {
  const clock = createStillClock(now_ms);
  const upstreams = createSimulatedUpstreams(createWorld("test", clock.now), simulators);
  const own = stores ? { ...stores, close: () => undefined } : openOwnStores(clock);
  const { history, records, table, datasets, close } = own;
  // No pause is waited for: its time passes as it moves the clock, which is what refills a provider's rate.
  const paused_ms = () => clock.now() - now_ms;
  const limits = createHangTimers(paused_ms);
  const upstream = createUpstream({
    clock,
    books: {
      records,
      signer: createTestSigner(),
      node: createTestFacts({ listProducts: listSold, askSelf: createSimulatedSelf(clock.now), ...facts }),
      askStranger: createSimulatedStrangers(clock.now),
      table,
      dataset: async (dataset) => datasets.open(dataset, clock.now()),
    },
    version: "0.0.0-test",
    contact: "sandbox@example.com",
    allow_terms: ["open", "attribution", "unclear"],
    chain_rpc: (chain) => {
      const first = `${ORIGIN}/${chain === "solana" ? "solana_rpc" : "evm_rpc"}/${chain}`;
      return second_rpc ? [first, `${first}/second`] : [first];
    },
    config: createOwnConfig(config, registry),
    simulated: true,
    ...(log ? { log } : {}),
    random: () => 0.5,
    sleep: async (ms) => clock.advance(ms),
    // A gate that delays answers is about real time limits.
    timers: delay ? { ...systemTimers, elapsed_ms: () => systemTimers.elapsed_ms() + paused_ms() } : limits.timers,
    settings: ({ id }) => ({
      enabled: !off.includes(id),
      terms_ack: licensed.includes(id),
      base_url: `${ORIGIN}/${id}`,
      host_url: (host) => `${ORIGIN}/${id}@${host}`,
      rate_per_s: 1_000_000,
      ...(api_keys[id] === undefined ? {} : { api_key: api_keys[id] }),
    }),
    fetch: (url, init) => {
      const [, called = "", ...rest] = new URL(url).pathname.split("/");
      const [provider = "", host] = called.split("@");
      const path = { path: `/${rest.join("/")}`, ...(host === undefined ? {} : { host }) };
      const route = provider.endsWith("_rpc") ? { path: "/", chain: rest[0] ?? "" } : path;
      const { signal } = init;
      if (upstreams.status()[provider]?.fault === "timeout") setImmediate(limits.endOfCall());
      const left = new Promise<never>((_, reject) => {
        signal?.addEventListener("abort", () => reject(new DOMException("left", "AbortError")), { once: true });
      });
      const answer = async () => {
        await delay?.();
        const request = new Request(url, init);
        const asked = { provider, path: ("chain" in route ? route.chain : route.path) + new URL(url).search };
        const body = init.method === "POST" ? await request.clone().text() : "";
        const answered = await bend(await upstreams.respond(provider, request, route), { ...asked, body });
        return second_rpc && rest[1] === "second" ? Response.json(second_rpc(await answered.json())) : answered;
      };
      return Promise.race([answer(), left]);
    },
  });
  const createContext = () => {
    const { signal } = new AbortController();
    const base = upstream.createContext({ now_ms: clock.now(), signal, history });
    return {
      ...base,
      payer: null,
      model: null,
      ask: createTestAsk(base, { clock, history, createContext: upstream.createContext }),
    };
  };
  const takeInDatasets = async (name?: string): Promise<readonly string[]> => {
    const failed: string[] = [];
    for (const dataset of registry.flatMap((plugin) => plugin.datasets ?? [])) {
      if (name !== undefined && dataset.name !== name) continue;
      const parts = { store: datasets, build: (order: BuildOrder) => buildDataset(dataset, order) };
      await takeIn(dataset, createContext(), parts).catch(() => failed.push(dataset.name));
    }
    return failed;
  };
  const createRun = upstream.createContext;
  return { clock, upstreams, history, records, table, datasets, takeInDatasets, createRun, createContext, close };
}

/** Every built-in product may be asked for, by its path or as it is found in the catalog. */
const findBuiltIn = (() => {
  let catalog: Catalog | null = null;
  return () => {
    catalog ??= createCatalog({
      plugins: registry,
      prices: {},
      preview_delay_ms: 900_000,
      reserved_paths: [],
      whyNot: () => null,
    });
    return catalog;
  };
})();

function createTestAsk(
  { signal, cite }: Pick<JobContext, "signal" | "cite">,
  options: Pick<RunnerOptions, "clock" | "history" | "createContext">,
): JobContext["ask"] {
  return (path, params, schema) => {
    const runner = createRunner({
      ...options,
      // What is asked for is as slow as the machine; upstreams that hang end by themselves.
      timers: STILL_TIMERS,
      node_id: "test",
      sandbox: true,
      find: findBuiltIn().get,
      onFailure: () => undefined,
      onSuccess: () => undefined,
    });
    return runner.createAsk({ what: "test", asks: { [path]: "optional" }, signal, payer: null, cite })(
      path,
      params,
      schema,
    );
  };
}

/** What is opened when it is first used: most nodes read no store, and to open them all takes 15 ms. */
const createLazily = <T extends object>(open: () => T): T =>
  new Proxy({} as T, { get: (_, name) => Reflect.get(open(), name) });

function openOwnStores(clock: SettableClock) {
  let opened: (Pick<Stores, "history" | "table" | "datasets"> & { readonly close: () => void }) | undefined;
  const open = () => {
    opened ??= openAll(clock);
    return opened;
  };
  return {
    history: createLazily(() => open().history),
    table: ((definition) => open().table(definition)) as Stores["table"],
    datasets: createLazily(() => open().datasets),
    records: createMemoryRecords(clock.now),
    close: () => opened?.close(),
  };
}

function openAll(clock: SettableClock) {
  const market_db = openMarketDb(":memory:", { clock });
  const datasets_folder = mkdtempSync(join(tmpdir(), "intel-node-datasets-"));
  const stores = openStores({ kept_file: ":memory:", datasets_folder, market: market_db, plugins: registry });
  const close = () => {
    stores.close();
    market_db.close();
    rmSync(datasets_folder, { recursive: true, force: true });
  };
  const { history, table, datasets } = stores;
  return { history, table, datasets, close };
}
