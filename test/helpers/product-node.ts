import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createParamsParser } from "../../src/catalog/params.ts";
import type { AnyProduct } from "../../src/catalog/product.ts";
import { type SettableClock, systemTimers } from "../../src/core/clock.ts";
import { createClockTimers } from "../../src/jobs/clock-timers.ts";
import type { RunningNode } from "../../src/node/parts.ts";
import { startNode } from "../../src/node/start-node.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { simulators } from "../../src/sandbox/simulators.gen.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { newPayer } from "./demo-node.ts";
import { loadSandboxConfig } from "./sandbox-config.ts";
import { createPaymentPayload } from "./sign-for.ts";
import { createStillClock } from "./still-clock.ts";

/** The real node with its whole catalog, on simulated upstreams and sandbox money, in this process. */
export interface ProductNode {
  readonly url: string;
  readonly node: RunningNode;
  readonly sandbox: Sandbox;
  readonly clock: SettableClock;
  readonly data_dir: string;
  /** Every product that is called, plans left out. */
  readonly products: readonly AnyProduct[];
  /** POSTs to the control door, or GETs without a body. */
  control(path: string, body?: unknown): Promise<Record<string, unknown>>;
  /** Calls made to each simulated provider so far. */
  readCalls(): Promise<Readonly<Record<string, number>>>;
  /** Buys a product for newly signed money. */
  buy(product: AnyProduct, params?: Readonly<Record<string, unknown>>): Promise<Response>;
  settlements(): number;
  stop(): Promise<void>;
}

export interface ProductNodeOptions {
  /** Live through the past first, so that series and previews are there; default: yes. */
  readonly seed_history?: boolean;
  /** Whether its jobs run once at the start, as a real node's do; default: as it has a past. They take seconds. */
  readonly runs_jobs?: boolean;
  /** Whether its jobs run in time that the control door skips; default: they wait for the system's clock. */
  readonly lives_skipped_time?: boolean;
  /** Whether it is used as soon as it is ready, while it still lives its past and runs its first jobs; default: no. */
  readonly at_once?: boolean;
  /** When the node starts; default: now. */
  readonly now_ms?: number;
  /** The node's clock; default: it stands, and can be moved. */
  readonly clock?: SettableClock;
  /** More configuration. */
  readonly config?: string;
}

export async function startProductNode(options: ProductNodeOptions = {}): Promise<ProductNode> {
  const data = mkdtempSync(join(tmpdir(), "product-node-"));
  const clock = options.clock ?? createStillClock(Date.now());
  if (options.now_ms !== undefined) clock.set(options.now_ms);
  const timers = options.lives_skipped_time ? createClockTimers(clock, systemTimers) : null;
  const sandbox = await createSandbox({
    seed: "test",
    clock,
    simulators,
    ...(timers ? { liveTo: timers.liveTo } : {}),
  });
  const more = options.config ?? "";
  const config = loadSandboxConfig({ data, facilitator_url: sandbox.facilitatorUrl(), more });
  const node = await startNode({
    config,
    data_dir: data,
    clock,
    log: createLog({ level: "silent", format: "json", secrets: [] }),
    version: "0.0.0-test",
    ...(timers ? { job_timers: timers } : {}),
    sandbox: {
      world: sandbox,
      clock,
      live_data: false,
      history_days: 3,
      seed_history: options.seed_history ?? true,
      is_idle: !(options.runs_jobs ?? options.seed_history ?? true),
    },
  });
  await (options.at_once === true ? node.ready : node.settled);
  const control = async (path: string, body?: unknown) => {
    const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const response = await sandbox.handleControl(new Request(`${node.url}/__sandbox${path}`, init));
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
  return {
    url: node.url,
    node,
    sandbox,
    clock,
    data_dir: data,
    products: node.catalog.products.filter(({ definition }) => !definition.plan).map(({ definition }) => definition),
    control,
    async readCalls() {
      const { providers } = (await control("/upstreams")) as { providers: Record<string, { calls: number }> };
      return Object.fromEntries(Object.entries(providers).map(([id, { calls }]) => [id, calls]));
    },
    async buy(product, params = product.example.params) {
      const payment = await createPaymentPayload(await fetch(createCall(node.url, product, params)), newPayer());
      const request = createCall(node.url, product, params);
      request.headers.set("PAYMENT-SIGNATURE", payment);
      return fetch(request);
    },
    settlements: () => sandbox.readChain().settlements,
    async stop() {
      await node.stop(() => undefined);
      await sandbox.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** A call of a product in the method it names first. */
export function createCall(url: string, product: AnyProduct, params: Readonly<Record<string, unknown>>): Request {
  if (product.methods?.[0] === "POST") {
    const headers = { "content-type": "application/json" };
    return new Request(`${url}${product.path}`, { method: "POST", headers, body: JSON.stringify(params) });
  }
  return new Request(`${url}${product.path}${renderQuery(params)}`);
}

function renderQuery(params: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(params).map(([name, value]): [string, string] => [
    name,
    typeof value === "object" ? JSON.stringify(value) : String(value),
  ]);
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
}

/** The parameters of a call as the node hands them to the product. */
export const parseParams = (product: AnyProduct, params: Readonly<Record<string, unknown>>) =>
  createParamsParser(product.params, product.normalise).fromBody(params).params;
