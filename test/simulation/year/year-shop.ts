import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { definePlugin } from "../../../src/catalog/plugin.ts";
import { defineProduct } from "../../../src/catalog/product.ts";
import { defineProvider } from "../../../src/catalog/provider.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { type ClockTimers, createClockTimers } from "../../../src/jobs/clock-timers.ts";
import type { LoadedPlugins, RunningNode } from "../../../src/node/parts.ts";
import { startNode } from "../../../src/node/start-node.ts";
import { createLog } from "../../../src/telemetry/log.ts";
import { mountSmallDisk } from "../../helpers/storage-mount.ts";
import { SELLER, type YearWorld } from "./year-world.ts";

/** What an operator changes in the course of a year. */
interface ShopTerms {
  readonly public_url: string;
  readonly version: string;
  /** USD by path. */
  readonly prices: Readonly<Record<string, string>>;
}

const FIRST_TERMS: ShopTerms = {
  public_url: "https://first.example",
  version: "1.0.0",
  prices: { "/spot": "0.01", "/rate": "0.005", "/fixed": "0.02" },
};
const CREDIT_USD = "6";

/** Sells by two sources, and one number that needs none. */
function createPlugins(world: YearWorld, prices: ShopTerms["prices"]): LoadedPlugins {
  const sources = ["first", "second"].map((id) =>
    defineProvider({
      id,
      title: id,
      docs_url: "https://example.com/docs",
      base_urls: [world.sourceUrl(id)],
      terms: { class: "open", note: "Made for tests." },
      limits: { rate_per_s: 1_000, burst: 1_000, timeout_ms: 60_000, attempts: 1, body_bytes_max: 10_000 },
    }),
  );
  const schema = Type.Object({ n: Type.Number() });
  const products = (["/spot", "/rate", "/fixed"] as const).map((path, n) => {
    const source = sources[n];
    const providers = source ? [source] : [];
    return defineProduct({
      path,
      title: path,
      description: "A product of the simulated year.",
      category: "test",
      tags: ["test"],
      price_usd: prices[path] ?? "0.01",
      params: Type.Object({ q: Type.Optional(Type.String({ maxLength: 20 })) }),
      data: schema,
      example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { n: 1 } },
      providers,
      requires: source ? [[source]] : [],
      ttl: "0s",
      deadline_ms: 5_000,
      preview: { every: "24h" },
      fetch: async (context) => (source ? await context.get(source, { path: "/n", schema, ttl_ms: 0 }) : { n: 7 }),
      compute: ({ n: value }, { now_ms }) => ({ as_of_ms: now_ms, data: { n: value }, warnings: [] }),
    });
  });
  const entry = {
    ...definePlugin({ id: "year", title: "Year", products }),
    file: "year",
    origin: "built-in" as const,
    products: products.map((product) => ({ file: "year", product })),
    jobs: [],
    simulators: [],
  };
  return { plugins: [entry], known: [entry], faults: [] };
}

const renderConfig = (world: YearWorld, data: string, { public_url }: ShopTerms): string => `
[node]
public_url = "${public_url}"
[wallets.base]
pay_to = "${SELLER}"
[server]
port = 0
[data]
dir = ${JSON.stringify(data)}
[[facilitators]]
kind = "remote"
url = "${world.facilitator_url}"
[chains.base_sepolia]
rpc = ["${world.rpc_url}"]
[payments]
testnet = true
[limits]
loopback_exempt = true
[plans.buy_credits]
price = "${CREDIT_USD}"
grants = "${CREDIT_USD}"
[[alerts]]
kind = "webhook"
url = "${world.telephone_url}/ring"
secret = "${world.telephone_secret}"
`;

/** The real node on a data folder, in one life after the other. */
export interface Shop {
  readonly url: string;
  readonly node: RunningNode;
  readonly data: string;
  readonly terms: ShopTerms;
  /** Bytes that the log was written so far. */
  readonly log_bytes: number;
  /** The data folder's own small disk; why it has none. */
  readonly disk: Exclude<ReturnType<typeof mountSmallDisk>, string> | string;
  /** An operation of the operator's. */
  operate(name: string, input?: object): Promise<Readonly<Record<string, unknown>>>;
  /** Lets so much time pass: each of the node's jobs runs once at least, if its mark is within. */
  pass(ms: number): Promise<void>;
  /** Sets the node's clock wrong, ms ahead; 0 mends it. */
  setClockWrong(by_ms: number): void;
  stop(): Promise<void>;
  /** Begins another life, on other terms. */
  start(terms?: Partial<ShopTerms>): Promise<void>;
  close(): Promise<void>;
}

/** @param disk_mib size of the disk for the data folder */
export async function openShop(world: YearWorld, disk_mib: number): Promise<Shop> {
  const folder = mkdtempSync(join(tmpdir(), "year-"));
  const disk = mountSmallDisk(join(folder, "disk"), disk_mib);
  const data = join(folder, "disk", "data");
  mkdirSync(data, { recursive: true });
  const { clock } = world;
  let log_bytes = 0;
  const log = createLog({
    level: "info",
    format: "json",
    secrets: [],
    write: (text) => {
      log_bytes += Buffer.byteLength(text);
    },
  });
  let terms = FIRST_TERMS;

  const begin = async (): Promise<{ readonly node: RunningNode; readonly jobs: ClockTimers; lookAgain(): void }> => {
    const loaded = loadConfig({ text: renderConfig(world, data, terms), file: "year", env: {} });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
    let lookAgain = (): void => undefined;
    const after = (_: number, fire: () => void) => {
      lookAgain = fire;
      return () => undefined;
    };
    const jobs = createClockTimers(clock.node, { elapsed_ms: clock.timers.elapsed_ms, after });
    const node = await startNode({
      config: loaded.config,
      data_dir: data,
      clock: clock.node,
      timers: clock.timers,
      job_timers: jobs,
      log,
      version: terms.version,
      sandbox: null,
      plugins: createPlugins(world, terms.prices),
    });
    await node.settled;
    return { node, jobs, lookAgain: () => lookAgain() };
  };
  let life = await begin();

  return {
    get url() {
      return life.node.url;
    },
    get node() {
      return life.node;
    },
    get terms() {
      return terms;
    },
    get log_bytes() {
      return log_bytes;
    },
    data,
    disk,
    async operate(name, input) {
      const headers = { authorization: `Bearer ${life.node.operator_token}`, "content-type": "application/json" };
      const sent = input === undefined ? {} : { method: "POST", body: JSON.stringify(input) };
      const answer = await fetch(`${life.node.url}/admin/api/${name}`, { headers, ...sent });
      const said = (await answer.json()) as Readonly<Record<string, unknown>>;
      if (!answer.ok) throw new Error(`${name}: ${answer.status} ${JSON.stringify(said)}`);
      return said;
    },
    async pass(ms) {
      const to_ms = clock.node.now() + ms;
      clock.node.set(to_ms);
      clock.fireDue();
      await world.quiet();
      await life.jobs.liveTo(to_ms);
    },
    setClockWrong(by_ms) {
      clock.setWrong(by_ms);
      life.lookAgain();
    },
    stop: () => life.node.stop(() => undefined),
    async start(changed = {}) {
      terms = { ...terms, ...changed };
      life = await begin();
    },
    async close() {
      await life.node.stop(() => undefined);
      if (typeof disk !== "string") disk.unmount();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
