import type { JobContext, Source, WritableHistory } from "../../src/catalog/context.ts";
import type { SettableClock } from "../../src/core/clock.ts";
import type { WritableRecords } from "../../src/core/record-chain.ts";
import { simulators } from "../../src/sandbox/simulators.gen.ts";
import { createSimulatedUpstreams, type SimulatedUpstreams } from "../../src/sandbox/upstreams.ts";
import { createWorld } from "../../src/sandbox/world.ts";
import { createUpstream } from "../../src/upstream/client.ts";
import { openMarketDb } from "../../src/upstream/market-db.ts";
import { createStillClock } from "./fake-upstream.ts";
import { createMemoryRecords, createTestSigner } from "./memory-records.ts";

/** The real upstream client in front of the simulated providers, without a socket; time moves only when told to. */
export interface SimulatedNode {
  readonly clock: SettableClock;
  readonly upstreams: SimulatedUpstreams;
  readonly history: WritableHistory;
  readonly records: WritableRecords;
  createContext(): JobContext & { sources(): Source[] };
  close(): void;
}

export interface SimulatedNodeOptions {
  readonly now_ms: number;
  /** Keys by provider id. */
  readonly api_keys?: Readonly<Record<string, string>>;
  /** Providers the operator switched off. */
  readonly off?: readonly string[];
  /** Restricted providers the operator holds a licence of. */
  readonly licensed?: readonly string[];
}

const ORIGIN = "http://127.0.0.1:1";
/** A hung upstream is given up after this long, so that tests need not wait for real time limits. */
const TIMEOUT_MS = 20;

export function createSimulatedNode({
  now_ms,
  api_keys = {},
  off = [],
  licensed = [],
}: SimulatedNodeOptions): SimulatedNode {
  const clock = createStillClock(now_ms);
  const upstreams = createSimulatedUpstreams(createWorld("test", clock.now), simulators);
  const market_db = openMarketDb(":memory:", { clock });
  const records = createMemoryRecords(clock.now);
  const upstream = createUpstream({
    clock,
    books: { records, signer: createTestSigner() },
    version: "0.0.0-test",
    allow_terms: ["open", "attribution", "unclear"],
    chain_rpc: (chain) => [`${ORIGIN}/${chain === "solana" ? "solana_rpc" : "evm_rpc"}/${chain}`],
    simulated: true,
    random: () => 0.5,
    sleep: async (ms) => clock.advance(ms),
    settings: ({ id }) => ({
      enabled: !off.includes(id),
      terms_ack: licensed.includes(id),
      base_url: `${ORIGIN}/${id}`,
      rate_per_s: 1_000_000,
      timeout_ms: TIMEOUT_MS,
      ...(api_keys[id] === undefined ? {} : { api_key: api_keys[id] }),
    }),
    fetch: (url, init) => {
      const [, provider = "", ...rest] = new URL(url).pathname.split("/");
      const route = provider.endsWith("_rpc") ? { path: "/", chain: rest[0] ?? "" } : { path: `/${rest.join("/")}` };
      const { signal } = init;
      const left = new Promise<never>((_, reject) => {
        signal?.addEventListener("abort", () => reject(new DOMException("left", "AbortError")), { once: true });
      });
      return Promise.race([upstreams.respond(provider, new Request(url, init), route), left]);
    },
  });
  return {
    clock,
    upstreams,
    history: market_db.history,
    records,
    createContext: () =>
      upstream.createContext({
        now_ms: clock.now(),
        signal: new AbortController().signal,
        history: market_db.history,
      }),
    close: () => market_db.close(),
  };
}
