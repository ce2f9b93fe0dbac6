import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CatalogProduct } from "../../src/catalog/catalog.ts";
import { loadDemoConfig } from "../../src/commands/demo-config.ts";
import { createSettableClock, systemTimers } from "../../src/core/clock.ts";
import { createClockTimers } from "../../src/jobs/clock-timers.ts";
import type { AuditReport } from "../../src/ledger/audit.ts";
import type { RunningNode } from "../../src/node/parts.ts";
import { startNode } from "../../src/node/start-node.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { simulators } from "../../src/sandbox/simulators.gen.ts";
import { FAULTS, type ScriptedFault } from "../../src/sandbox/upstreams.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { DOMAINS } from "../helpers/demo-node.ts";

const HOUR_S = 3_600;
const START_MS = Date.parse("2026-10-01T23:50:00Z");
/** A fifth of the sources fails for an hour, then the next fifth; the hour after the last fifth is calm. */
const FIFTHS = 5;
export const TURN_HOURS = FIFTHS + 1;
const AT_ONCE = 4;
const AT_ONCE_FAULTS = FAULTS.filter((fault) => fault !== "none" && fault !== "timeout");
/**
 * One source hangs in each third turn, others fail at once: what calls wait for it is real time, minutes for an hour
 * by the clock. Every product with every hung source is in test/contract/faults.test.ts.
 */
const HANGS_EVERY_TURNS = 3;

export interface SoakOptions {
  readonly hours: number;
  /** Built-in domains that are sold; all unless given. */
  readonly domains?: readonly string[];
  readonly seed: string;
  readonly onHour?: (hour: SoakHour) => void;
}

/** What a buyer heard who asked for a product's example. */
export interface Met {
  readonly path: string;
  readonly status: number;
  readonly charged_atomic: bigint;
  /** Of a refusal: code and detail. */
  readonly why: string;
  /** Every source it or a product it asks for names was well for the whole of this hour and the one before. */
  readonly is_whole: boolean;
}

export interface SoakHour {
  readonly hour: number;
  readonly is_calm: boolean;
  readonly failing: ReadonlyMap<string, ScriptedFault>;
  readonly met: readonly Met[];
  /** What the key's balance went down by in this hour. */
  readonly paid_atomic: bigint;
  readonly heap_mb: number;
  readonly rss_mb: number;
  /** Processor time of all of it, the world and the buyer included. */
  readonly cpu_s: number;
}

export interface Soak {
  readonly sources: number;
  readonly products: number;
  readonly hours: readonly SoakHour[];
  readonly audit: AuditReport;
  /** Jobs whose last run failed, in the last hour, which is calm. */
  readonly failed_jobs: readonly string[];
}

/** Sources in an order that differs from turn to turn, so that others fail together. */
const shuffle = (sources: readonly string[], salt: string): readonly string[] =>
  sources.toSorted((a, b) => Bun.hash.xxHash32(`${salt} ${a}`) - Bun.hash.xxHash32(`${salt} ${b}`));

/** Which sources fail in an hour, and how; none in the last one of a turn. */
function planFaults(sources: readonly string[], seed: string, hour: number): ReadonlyMap<string, ScriptedFault> {
  const [turn, fifth] = [Math.floor(hour / TURN_HOURS), hour % TURN_HOURS];
  if (fifth === FIFTHS) return new Map();
  const failing = shuffle(sources, `${seed} ${turn}`).filter((_, index) => index % FIFTHS === fifth);
  const hangs = turn % HANGS_EVERY_TURNS === HANGS_EVERY_TURNS - 1 && fifth === 0;
  return new Map(
    failing.map((source, index) => {
      const at_once = AT_ONCE_FAULTS[(index + turn + fifth) % AT_ONCE_FAULTS.length] ?? "http500";
      return [source, hangs && index === 0 ? "timeout" : at_once];
    }),
  );
}

async function steer(sandbox: Sandbox, provider: string, fault: ScriptedFault): Promise<void> {
  const body = JSON.stringify({ provider, fault });
  const door = new Request("http://localhost/__sandbox/upstreams", { method: "POST", body });
  const answer = await sandbox.handleControl(door);
  if (!answer.ok) throw new Error(await answer.text());
}

/** Who buys with a key of the operator. */
async function createBuyer(node: RunningNode) {
  const issued = await fetch(`${node.url}/admin/keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${node.operator_token}`, "content-type": "application/json" },
    body: JSON.stringify({ command: "issue", credit_usd: "100000" }),
  });
  const { api_key } = (await issued.json()) as { readonly api_key: string };
  const headers = { "X-API-Key": api_key, "content-type": "application/json" };
  return {
    async balance(): Promise<bigint> {
      const { balance_atomic } = (await (await fetch(`${node.url}/credits-status`, { headers })).json()) as {
        readonly balance_atomic: string;
      };
      return BigInt(balance_atomic);
    },
    async meet({ path, price_atomic, definition }: CatalogProduct): Promise<Omit<Met, "is_whole">> {
      const { methods = ["GET"], example } = definition;
      const params = example.params as Readonly<Record<string, unknown>>;
      const query = new URLSearchParams(
        Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)])),
      );
      const is_get = methods.includes("GET");
      const address = `${node.url}${path}${is_get && query.size > 0 ? `?${query}` : ""}`;
      const answer = await fetch(address, {
        headers,
        ...(is_get ? {} : { method: "POST", body: JSON.stringify(params) }),
      });
      const { status } = answer;
      const { code, detail, charged } = (await answer.json()) as Readonly<Record<string, unknown>>;
      if (status === 200) return { path, status, charged_atomic: price_atomic, why: "" };
      const said = charged === false ? "" : `charged: ${charged} `;
      return { path, status, charged_atomic: 0n, why: `${said}${status} ${code}: ${String(detail).slice(0, 160)}` };
    },
  };
}

/** On a machine that has no time for it a call may be too late once, but not each time. */
const TOO_LATE = 504;
const TRIES_MAX = 3;

/** Some at once, in their order. */
async function meetAll<T, R>(list: readonly T[], meet: (one: T) => Promise<R>): Promise<readonly R[]> {
  const met: R[] = [];
  for (let from = 0; from < list.length; from += AT_ONCE) {
    met.push(...(await Promise.all(list.slice(from, from + AT_ONCE).map(meet))));
  }
  return met;
}

const inMB = (bytes: number): number => Math.round(bytes / 1e6);

function readMemory(): Pick<SoakHour, "heap_mb" | "rss_mb"> {
  Bun.gc(true);
  const { heapUsed, rss } = process.memoryUsage();
  return { heap_mb: inMB(heapUsed), rss_mb: inMB(rss) };
}

const readCPU = (): number => {
  const { user, system } = process.cpuUsage();
  return Math.round((user + system) / 1e6);
};

async function start(data: string, { domains, seed }: SoakOptions) {
  const clock = createSettableClock();
  clock.set(START_MS);
  const job_timers = createClockTimers(clock, systemTimers);
  const sandbox = await createSandbox({ seed, clock, simulators, liveTo: (to_ms) => job_timers.liveTo(to_ms) });
  const config = join(data, "soak.toml");
  const disabled = DOMAINS.filter((id) => domains?.includes(id) === false);
  writeFileSync(config, `[plugins]\ndisabled = ${JSON.stringify(disabled)}\n`);
  const own = { config, port: 0, data, plugins: undefined };
  const read = await loadDemoConfig({ ...own, facilitator_url: sandbox.facilitatorUrl() });
  if ("faults" in read) throw new Error(read.faults);
  const node = await startNode({
    config: read.config,
    plugins: read.plugins,
    data_dir: data,
    clock,
    job_timers,
    version: "0.0.0-test",
    log: createLog({ level: "silent", format: "json", secrets: [] }),
    sandbox: { world: sandbox, clock, live_data: false, seed_history: false },
  });
  await node.settled;
  return { sandbox, node };
}

/** Hours of a whole node by its own clock, a fifth of its sources failing in turns, everything bought once an hour. */
export async function liveSoak(options: SoakOptions): Promise<Soak> {
  const data = mkdtempSync(join(tmpdir(), "soak-"));
  const { sandbox, node } = await start(data, options);
  try {
    const buyer = await createBuyer(node);
    const products = node.catalog.products.filter(
      ({ definition }) => definition.plan === undefined && definition.uses_payer !== true,
    );
    const sources = simulators.map(({ provider }) => provider).sort();
    const advance = async (s: number): Promise<void> => {
      const body = JSON.stringify({ advance_s: s });
      const door = new Request("http://localhost/__sandbox/clock", { method: "POST", body });
      if (!(await sandbox.handleControl(door)).ok) throw new Error("the clock stood still");
    };
    await advance(HOUR_S);
    const hours: SoakHour[] = [];
    let before = new Map<string, ScriptedFault>() as ReadonlyMap<string, ScriptedFault>;
    for (let hour = 0; hour < options.hours; hour += 1) {
      const failing = planFaults(sources, options.seed, hour);
      await steer(sandbox, "*", "none");
      for (const [source, fault] of failing) await steer(sandbox, source, fault);
      const held = await buyer.balance();
      const cpu_before_s = readCPU();
      await advance(HOUR_S);
      const met = await meetAll(products, async (product) => {
        const is_whole = product.providers.every(({ id }) => !failing.has(id) && !before.has(id));
        let heard = await buyer.meet(product);
        for (let n = 1; n < TRIES_MAX && failing.size === 0 && heard.status === TOO_LATE; n += 1) {
          heard = await buyer.meet(product);
        }
        return { ...heard, is_whole };
      });
      const paid_atomic = held - (await buyer.balance());
      const figures = { ...readMemory(), cpu_s: readCPU() - cpu_before_s };
      const lived = { hour, is_calm: failing.size === 0, failing, met, paid_atomic, ...figures };
      hours.push(lived);
      options.onHour?.(lived);
      before = failing;
    }
    const status = await fetch(`${node.url}/admin/status`, {
      headers: { authorization: `Bearer ${node.operator_token}` },
    });
    const { jobs } = (await status.json()) as {
      readonly jobs: readonly { readonly id: string; readonly last_error: string | null }[];
    };
    return {
      sources: sources.length,
      products: products.length,
      hours,
      audit: await node.audit(),
      failed_jobs: jobs.flatMap(({ id, last_error }) => (last_error === null ? [] : [`${id}: ${last_error}`])),
    };
  } finally {
    await node.stop(() => undefined);
    await sandbox.stop();
    rmSync(data, { recursive: true, force: true });
  }
}
