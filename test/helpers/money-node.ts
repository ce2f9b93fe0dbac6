import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import type { AnyFreeRoute } from "../../src/catalog/free-route.ts";
import { definePlugin, type ErrorsBelow, type JobDefinition } from "../../src/catalog/plugin.ts";
import { type AnyProduct, defineProduct } from "../../src/catalog/product.ts";
import type { Simulator } from "../../src/catalog/simulator.ts";
import { loadConfig } from "../../src/config/load.ts";
import type { Config } from "../../src/config/schema.ts";
import { createSettableClock, type SettableClock, systemTimers, type Timers } from "../../src/core/clock.ts";
import { createClockTimers } from "../../src/jobs/clock-timers.ts";
import type { RunningNode } from "../../src/node/parts.ts";
import { startNode } from "../../src/node/start-node.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { createLog, type Log } from "../../src/telemetry/log.ts";
import { createStillClock } from "./still-clock.ts";
import { createTurnTimers } from "./turn-timers.ts";

/** What a facilitator does with a call; `forward` lets the sandbox's real one do it. */
export type Reply = (forward: () => Promise<Response>, signal: AbortSignal) => Response | Promise<Response>;
const honest: Reply = (forward) => forward();

/** A facilitator in front of the sandbox's: every answer of it can be written by a test. */
function startFacilitator(target: () => string, supported: Reply) {
  const script: Record<"supported" | "verify" | "settle", Reply> = { supported, verify: honest, settle: honest };
  const calls = { supported: 0, verify: 0, settle: 0 };
  const last = { supported: "", verify: "", settle: "" };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const name = new URL(request.url).pathname.slice(1) as "supported" | "verify" | "settle";
      calls[name] += 1;
      const body = await request.text();
      last[name] = body;
      const init = request.method === "GET" ? {} : { method: "POST", body };
      const forward = () => fetch(`${target()}/${name}`, { ...init, headers: { "content-type": "application/json" } });
      return script[name](forward, request.signal);
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, script, calls, last, stop: () => server.stop(true) };
}

/** Steers what the products of the node do. */
function createProducts() {
  const work = { produce: async () => undefined as unknown, produced: 0 };
  const product = (path: `/${string}`, methods: readonly ("GET" | "POST")[]) =>
    defineProduct({
      path,
      methods,
      title: path,
      description: "A product of the tests.",
      category: "test",
      tags: ["test"],
      price_usd: "0.01",
      params: Type.Object({ q: Type.Optional(Type.String({ maxLength: 100 })) }),
      data: Type.Object({ n: Type.Number() }),
      example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { n: 1 } },
      providers: [],
      requires: [],
      ttl: "0s",
      deadline_ms: 5_000,
      preview: { every: "24h" },
      fetch: async () => {
        await work.produce();
        work.produced += 1;
        return work.produced;
      },
      compute: (n, { now_ms }) => ({ as_of_ms: now_ms, data: { n: Number(n) }, warnings: [] }),
    });
  const products = [product("/one", ["GET", "POST"]), product("/two", ["GET"])];
  return { work, plugin: definePlugin({ id: "test", title: "Test", products }) };
}

export interface MoneyNode {
  readonly url: string;
  readonly node: RunningNode;
  /** Its data folder. */
  readonly data: string;
  readonly sandbox: Sandbox;
  readonly clock: SettableClock;
  readonly facilitator: ReturnType<typeof startFacilitator>;
  readonly work: ReturnType<typeof createProducts>["work"];
  /** Transfers on all simulated chains. */
  settlements(): number;
  stop(): Promise<void>;
}

export const WALLETS = {
  base: "0x90F79bf6EB2c4f870365E785982E1f101E93b906",
  solana: "GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse",
  algorand: "5VESRRRI2HBMN2XJAM4JAWMVMEUVSJZ2LRR7SNRWYFDBJLEHG7I2572N4M",
};

const CONFIG = (
  facilitator: string,
  data: string,
  { more, server, timeout, limits }: { more: string; server: string; timeout: string; limits: string },
) => `
${Object.entries(WALLETS)
  .map(([name, pay_to]) => `[wallets.${name}]\npay_to = "${pay_to}"`)
  .join("\n")}
[server]
port = 0
${server}
[data]
dir = ${JSON.stringify(data)}
[[facilitators]]
kind = "remote"
url = "${facilitator}"
[payments]
verify_timeout = "${timeout}"
settle_timeout = "${timeout}"
${more}
[limits]
loopback_exempt = true
${limits}
[plans.buy_credits]
price = "0.01"
`;

let nodes = 0;
/** Every test of money runs on a database too: TEST_LEDGER_URL names the server, each node gets a schema of its own. */
function renderLedger(): string {
  const url = process.env.TEST_LEDGER_URL;
  if (url === undefined) return "";
  nodes += 1;
  return `[ledger]\nurl = "${url}?schema=node_${process.pid}_${nodes}"\n`;
}

function readConfig(text: string): Config {
  const loaded = loadConfig({ text: text + renderLedger(), file: "test", env: {} });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  return loaded.config;
}

export interface ListenerOptions {
  /** More keys of [server]. */
  readonly server?: string;
  /** More keys of [limits]. */
  readonly limits?: string;
  /** Of the facilitator, in turns of this process; short, for tests in which it hangs. */
  readonly timeout?: string;
  readonly log?: Log;
  /** What ends calls that take too long; default: this process's turns. */
  readonly timers?: Timers;
  /** Sold besides its own two. */
  readonly products?: readonly AnyProduct[];
  /** Jobs of its plugin, by the clock that tests set: the node counts as up when it is ready, whatever they do. */
  readonly jobs?: readonly JobDefinition[];
  /** Who plays the upstreams of those. */
  readonly simulators?: readonly Simulator[];
  /** Free paths besides. */
  readonly routes?: readonly AnyFreeRoute[];
  /** The form of errors below a path. */
  readonly errors_below?: ErrorsBelow;
  /** What the facilitator says of what it settles, from the node's start on. */
  readonly supported?: Reply;
  /** Done to its data folder before it starts. */
  readonly prepareData?: (folder: string) => void;
  /** A file of books that it starts with, as after a restore. */
  readonly books?: string;
  /** Another node, whose chains, facilitator, clock and key it shares: two of a cluster. */
  readonly beside?: MoneyNode;
  /** Its data folder, which it leaves where it is; one of its own unless given. */
  readonly folder?: string;
  /** One that stands still unless given. */
  readonly clock?: SettableClock;
}

/**
 * The real node on the sandbox's chains, in this process, with a facilitator that does what a test says. `prepare` is
 * done to the chains before the node starts.
 */
export async function startMoneyNode(
  more = "",
  prepare: (sandbox: Sandbox) => Promise<void> = async () => undefined,
  {
    server = "",
    timeout = "400ms",
    limits = "",
    log = createLog({ level: "silent", format: "json", secrets: [] }),
    timers = createTurnTimers(),
    products = [],
    routes = [],
    errors_below,
    simulators = [],
    jobs,
    beside,
    books,
    prepareData = () => undefined,
    supported = honest,
    folder,
    clock: given_clock,
  }: ListenerOptions = {},
): Promise<MoneyNode> {
  const data = folder ?? mkdtempSync(join(tmpdir(), "money-node-"));
  // Buyers' own clients sign by the system's clock. Jobs that run by themselves need one that runs.
  const clock = given_clock ?? beside?.clock ?? (jobs ? createSettableClock() : createStillClock(Date.now()));
  const sandbox = beside?.sandbox ?? (await createSandbox({ seed: "test", clock, simulators }));
  await prepare(sandbox);
  const facilitator = beside?.facilitator ?? startFacilitator(() => sandbox.facilitatorUrl(), supported);
  if (beside) copyFileSync(join(beside.data, "node-key.pem"), join(data, "node-key.pem"));
  if (books !== undefined) copyFileSync(books, join(data, "ledger.db"));
  prepareData(data);
  const config = readConfig(CONFIG(facilitator.url, data, { more, server, timeout, limits }));
  const { work, plugin } = createProducts();
  const entry = {
    ...plugin,
    file: "test",
    origin: "built-in" as const,
    products: [...(plugin.products ?? []), ...products].map((product) => ({ file: "test", product })),
    routes,
    errors_below,
    jobs: jobs ?? [],
    simulators: [],
  };
  const node = await startNode({
    config,
    data_dir: data,
    clock,
    timers,
    log,
    version: "0.0.0-test",
    sandbox: { world: sandbox, clock, live_data: false, seed_history: false },
    plugins: { plugins: [entry], known: [entry], faults: [] },
    ...(jobs ? { job_timers: createClockTimers(clock, systemTimers) } : {}),
  });
  await (jobs ? node.ready : node.settled);
  return {
    url: node.url,
    node,
    data,
    sandbox,
    clock,
    facilitator,
    work,
    settlements: () => sandbox.readChain().settlements,
    async stop() {
      await node.stop(() => undefined);
      if (!beside) {
        await facilitator.stop();
        await sandbox.stop();
      }
      if (folder === undefined) rmSync(data, { recursive: true, force: true });
    },
  };
}
