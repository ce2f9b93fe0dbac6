import { type FetchContext, getOwn, NodeError, outcomeOf, type RowOf, renderTime, type Source } from "intel-node";
import { NATIVE } from "intel-node/providers/dex-tokens";
import { fetchPoolPrice } from "intel-node/providers/dexscreener/pool-price";
import type { LaunchItemData } from "../launch-risk/schema.ts";
import { assessments, launches, watches } from "../launches/tables.ts";
import { CURVE } from "./curve.ts";
import { type ChainLaunches, readFactoryLaunches } from "./factories.ts";

export type LaunchRow = RowOf<typeof launches.columns>;

export interface PumpMonitorInputs {
  readonly read_at_ms: number;
  readonly from_ms: number;
  readonly to_ms: number;
  readonly gap_ms: number;
  readonly creates: { readonly minutes_10: number; readonly hour_1: number; readonly hours_24: number };
  readonly migrations: { readonly hour_1: number; readonly hours_24: number; readonly newest: readonly LaunchRow[] };
  readonly near: readonly LaunchRow[];
  readonly newest: readonly LaunchRow[];
  /** Earlier launches by creator. */
  readonly prior: ReadonlyMap<string, number>;
  /** Shown coins for which a judgement of this node has another creator, with its sources. */
  readonly disputed: ReadonlyMap<string, string>;
  readonly sol_usd: number | null;
  readonly factories: readonly ChainLaunches[];
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const SILENT_MAX_MS = 5 * MINUTE_MS;
const NEWEST_SHOWN = 5;
const MIGRATIONS_SHOWN = 10;

/** What was watched of the last day, and how much of it was not. */
async function readWatch(context: FetchContext) {
  const { now_ms } = context;
  const rows = await context
    .table(watches)
    .find({ where: { at_ms: { from: now_ms - DAY_MS } }, order: ["-at_ms"], limit: 5_000 });
  const last = rows.find(({ is_gap }) => !is_gap);
  if (!last || now_ms - last.to_ms > SILENT_MAX_MS) {
    throw new NodeError(
      "upstream_unavailable",
      "Launches were not watched in the last 5 minutes. Nothing was charged.",
    );
  }
  const from_ms = Math.max(now_ms - DAY_MS, Math.min(...rows.map((row) => row.from_ms)));
  const gaps = rows
    .filter(({ is_gap }) => is_gap)
    .map((row) => Math.max(0, row.to_ms - Math.max(row.from_ms, from_ms)));
  return { from_ms, to_ms: last.to_ms, gap_ms: gaps.reduce((sum, gap) => sum + gap, 0) };
}

async function countPrior(context: FetchContext, rows: readonly LaunchRow[]): Promise<ReadonlyMap<string, number>> {
  const counts = rows.map(async ({ token, creator, created_at_ms }): Promise<readonly [string, number]> => {
    if (creator === null) return [token, 0];
    return [token, await context.table(launches).count({ creator, created_at_ms: { below: created_at_ms } })];
  });
  return new Map(await Promise.all(counts));
}

/** Sources that name another creator, where the coin was judged: what /rugcheck shows under `conflicts`. */
async function findDisputed(context: FetchContext, rows: readonly LaunchRow[]): Promise<ReadonlyMap<string, string>> {
  const looked = rows.map(async ({ chain, token }): Promise<readonly (readonly [string, string])[]> => {
    const judged = await context.table(assessments).first({ where: { chain, token }, order: ["-at_ms"] });
    const { conflicts } = (judged?.item ?? { conflicts: [] }) as Pick<LaunchItemData, "conflicts">;
    const named = conflicts.find(({ fact }) => fact === "creator")?.values.map(({ source }) => source);
    return named ? [[token, named.join(", ")]] : [];
  });
  return new Map((await Promise.all(looked)).flat());
}

/** @throws NodeError upstream_unavailable without a watch in the last 5 minutes. */
export async function fetchPumpMonitor(
  context: FetchContext,
  asked: { readonly limit: number; readonly min_progress: number },
): Promise<PumpMonitorInputs> {
  const { now_ms } = context;
  const watch = await readWatch(context);
  const table = context.table(launches);
  const since = (ms: number) => ({ from: Math.max(watch.from_ms, now_ms - ms), to: now_ms });
  const count = (ms: number) => table.count({ chain: "solana", created_at_ms: since(ms) });
  const migrated = (ms: number) => table.count({ chain: "solana", migrated_at_ms: since(ms) });
  const v_tokens_max = CURVE.tokens - (asked.min_progress / 100) * CURVE.sold;
  const open = { chain: "solana", is_complete: false, created_at_ms: since(DAY_MS), seen_at_ms: since(HOUR_MS) };
  const [near, newest, moved] = await Promise.all([
    table.find({ where: { ...open, v_tokens: { to: v_tokens_max } }, order: ["v_tokens"], limit: asked.limit }),
    table.find({
      where: { chain: "solana", created_at_ms: since(DAY_MS) },
      order: ["-created_at_ms"],
      limit: NEWEST_SHOWN,
    }),
    table.find({
      where: { chain: "solana", migrated_at_ms: since(DAY_MS) },
      order: ["-migrated_at_ms"],
      limit: MIGRATIONS_SHOWN,
    }),
  ]);
  const sol = await outcomeOf(fetchPoolPrice(context, { chain: "solana", token: NATIVE.solana.address }));
  citeWatch(context, newest, watch.to_ms);
  return {
    read_at_ms: now_ms,
    ...watch,
    creates: { minutes_10: await count(10 * MINUTE_MS), hour_1: await count(HOUR_MS), hours_24: await count(DAY_MS) },
    migrations: { hour_1: await migrated(HOUR_MS), hours_24: await migrated(DAY_MS), newest: moved },
    near,
    newest,
    prior: await countPrior(context, [...near, ...newest]),
    disputed: await findDisputed(context, [...near, ...newest]),
    factories: await readFactoryLaunches(context),
    sol_usd: sol.ok ? sol.value.price : null,
  };
}

const URLS: Readonly<Record<string, string>> = {
  pump_fun: "https://frontend-api-v3.pump.fun/coins",
  pumpportal: "wss://pumpportal.fun/api/data",
};

/** The launches were read by a job: its sources are named as of then. */
function citeWatch(context: FetchContext, rows: readonly LaunchRow[], at_ms: number): void {
  for (const provider of new Set(["pump_fun", ...rows.map(({ source }) => source)])) {
    const source: Source = {
      provider,
      url: getOwn(URLS, provider) ?? provider,
      fetched_at: renderTime(at_ms),
      ok: true,
    };
    context.cite(context.simulated ? { ...source, simulated: true } : source);
  }
}
