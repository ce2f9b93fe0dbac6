import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { definePlugin } from "../../src/catalog/plugin.ts";
import { defineProduct } from "../../src/catalog/product.ts";
import { renderTime, type SettableClock } from "../../src/core/clock.ts";
import { NodeError } from "../../src/core/errors.ts";
import type { RunningNode } from "../../src/node/parts.ts";
import { startNode } from "../../src/node/start-node.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { newPayer } from "./demo-node.ts";
import { loadSandboxConfig } from "./sandbox-config.ts";
import { createPaymentPayload } from "./sign-for.ts";
import { createStillClock } from "./still-clock.ts";

const NOW_MS = Date.UTC(2026, 9, 2, 12);
const MINUTE_MS = 60_000;
export const PATHS = ["/rate-a", "/rate-b", "/rate-c"] as const;
export type RatePath = (typeof PATHS)[number];

/** What a peer's door does with a call; `forward` lets the node behind it answer. */
export type Door = (request: Request, forward: (request: Request) => Promise<Response>) => Response | Promise<Response>;
const open: Door = (request, forward) => forward(request);

export interface StandInNodeOptions {
  /** USD, by path. */
  readonly prices: Partial<Record<RatePath, string>>;
  /** Names of the nodes it may buy from. */
  readonly peers: readonly string[];
  readonly products: readonly RatePath[];
  readonly max_share?: number;
  readonly daily_usd?: string;
  /** Whether it sells by payment channel. */
  readonly sells_by_channel?: boolean;
  /** Members of [peers.channels]; left out: it pays call by call. */
  readonly peer_channels?: string;
  /** Whether its rates are metered, and sold by `upto` too. */
  readonly sells_by_upto?: boolean;
  /** Whether it pays peers by `upto`. */
  readonly pays_by_upto?: boolean;
  /** Variable with the key of the wallet that pays peers; left out: a throw-away one. */
  readonly wallet_key_env?: string;
}

export interface StandInNode {
  /** Where buyers and peers find it. */
  readonly url: string;
  readonly node: RunningNode;
  /** Paths whose source does not answer here. */
  readonly dead: Set<string>;
  /** What it is wrong by. */
  error: number;
  door: Door;
  /** Calls that came through its door, the newest last. */
  readonly calls: Request[];
  readonly lines: readonly string[];
  stop(): Promise<void>;
  start(): Promise<void>;
}

export interface StandInNodes {
  readonly nodes: Readonly<Record<string, StandInNode>>;
  readonly sandbox: Sandbox;
  readonly clock: SettableClock;
  stop(): Promise<void>;
}

/** One figure of one source, the same for whoever asks at the same minute. */
export const rateAt = (base: string, at_ms: number): number => base.length * 100 + ((at_ms / MINUTE_MS) % 97);

/** What a metered rate costs: a tenth of what is read from it. */
export const METERED_RATE = 3_100n;

function createProducts(state: Pick<StandInNode, "dead" | "error">, clock: SettableClock) {
  const product = (path: RatePath) =>
    defineProduct({
      path,
      title: path,
      description: "A rate of the tests.",
      category: "test",
      tags: ["test"],
      price_usd: "0.01",
      params: Type.Object({ base: Type.Optional(Type.String({ maxLength: 10, default: "USD" })) }),
      data: Type.Object({ base: Type.String(), rate: Type.Number({ decimals: 2 }) }),
      example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { base: "USD", rate: 1 } },
      providers: [],
      requires: [],
      ttl: "30s",
      metered: { by: "peer_price", read: () => METERED_RATE * 10n },
      deadline_ms: 5_000,
      preview: { every: "24h" },
      fetch: async (context, { base = "USD" }) => {
        if (state.dead.has(path)) throw new NodeError("upstream_unavailable", "exchange: its breaker is open");
        const at_ms = Math.floor(clock.now() / MINUTE_MS) * MINUTE_MS;
        const fetched_at = renderTime(context.now_ms);
        context.cite({ provider: "exchange", url: "https://exchange.example", fetched_at, ok: true });
        return { base, at_ms, rate: rateAt(base, at_ms) + state.error };
      },
      compute: ({ base, at_ms, rate }) => ({ as_of_ms: at_ms, data: { base, rate }, warnings: [] }),
    });
  return PATHS.map(product);
}

/** Real nodes on one simulated chain, each behind a door of its own, that may stand in for each other. */
export async function startStandInNodes(
  wanted: Readonly<Record<string, StandInNodeOptions>>,
  clock = createStillClock(NOW_MS),
): Promise<StandInNodes> {
  const sandbox = await createSandbox({ seed: "test", clock, simulators: [] });
  const folder = mkdtempSync(join(tmpdir(), "stand-in-nodes-"));
  const nodes: Record<string, StandInNode> = {};
  const doors = new Map<string, ReturnType<typeof Bun.serve>>();
  for (const name of Object.keys(wanted)) {
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      idleTimeout: 0,
      async fetch(request) {
        const own = nodes[name];
        if (own === undefined) return new Response(null, { status: 503 });
        own.calls.push(request.clone() as Request);
        return own.door(request, (asked) => forward(own.node.url, asked));
      },
    });
    doors.set(name, server);
  }
  const urlOf = (name: string) => `http://127.0.0.1:${doors.get(name)?.port}`;
  for (const [name, options] of Object.entries(wanted)) {
    const { prices, peers, products, max_share = 0.8, daily_usd = "1.00", wallet_key_env, peer_channels } = options;
    const paid_by = wallet_key_env === undefined ? "" : `, wallet_key_env = "${wallet_key_env}"`;
    const limits = `max_share = ${max_share}, daily_usd = "${daily_usd}"${paid_by}`;
    const lines: string[] = [];
    const data = join(folder, name);
    const state = { dead: new Set<string>(), error: 0 };
    const more = [
      `[node]\npublic_url = "${urlOf(name)}"\n[prices]`,
      ...Object.entries(prices).map(([path, usd]) => `"${path}" = "${usd}"`),
      `[peers]\nurls = ${JSON.stringify(peers.map(urlOf))}`,
      `standin = { products = ${JSON.stringify(products)}, ${limits} }`,
      ...(peer_channels === undefined ? [] : [`channels = { enabled = true, ${peer_channels} }`]),
      ...(options.pays_by_upto === true ? ["upto = true"] : []),
      ...(options.sells_by_channel === true ? ["[payments.channels]\nenabled = true"] : []),
      ...(options.sells_by_upto === true ? ["[payments.upto]\nenabled = true\n[metering]\nenabled = true"] : []),
      '[preview]\ndelay = "15m"',
    ].join("\n");
    const launch = async (): Promise<RunningNode> => {
      const plugin = definePlugin({ id: "test", title: "Test", products: createProducts(state, clock) });
      const entry = {
        ...plugin,
        file: "test",
        origin: "built-in" as const,
        routes: [],
        jobs: [],
        simulators: [],
        products: (plugin.products ?? []).map((product) => ({ file: "test", product })),
      };
      const node = await startNode({
        config: loadSandboxConfig({ data, facilitator_url: sandbox.facilitatorUrl(), more }),
        data_dir: data,
        clock,
        version: "0.0.0-test",
        log: createLog({ level: "info", format: "json", secrets: [], write: (text) => void lines.push(text) }),
        sandbox: { world: sandbox, clock, live_data: false, seed_history: false, is_idle: true },
        plugins: { plugins: [entry], known: [entry], faults: [] },
      });
      await node.settled;
      return node;
    };
    let node = await launch();
    nodes[name] = Object.assign(state, {
      url: urlOf(name),
      door: open,
      calls: [],
      lines,
      get node() {
        return node;
      },
      stop: async () => node.stop(() => undefined),
      async start() {
        node = await launch();
      },
    }) as StandInNode;
    Object.defineProperty(nodes[name], "node", { get: () => node });
  }
  return {
    nodes,
    sandbox,
    clock,
    async stop() {
      for (const one of Object.values(nodes)) await one.stop();
      for (const server of doors.values()) server.stop(true);
      await sandbox.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function forward(to: string, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const headers = new Headers(request.headers);
  headers.delete("host");
  headers.delete("connection");
  const response = await fetch(`${to}${pathname}${search}`, { headers, redirect: "manual" });
  const body = await response.arrayBuffer();
  const told = new Headers(response.headers);
  told.delete("content-encoding");
  told.delete("content-length");
  return new Response(body, { status: response.status, headers: told });
}

/** What a buyer with a wallet of his own gets for one payment. */
export async function buyAt(
  { url }: Pick<StandInNode, "url">,
  target: string,
): Promise<{ readonly status: number; readonly text: string; readonly headers: Headers }> {
  const challenge = await fetch(`${url}${target}`);
  if (challenge.status !== 402)
    return { status: challenge.status, text: await challenge.text(), headers: challenge.headers };
  const payment = await createPaymentPayload(challenge, newPayer());
  const response = await fetch(`${url}${target}`, { headers: { "PAYMENT-SIGNATURE": payment } });
  return { status: response.status, text: await response.text(), headers: response.headers };
}
