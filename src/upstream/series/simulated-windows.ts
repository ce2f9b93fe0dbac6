import type { Observation, WritableHistory } from "../../catalog/context.ts";
import type { SimulatedWorld } from "../../catalog/simulator.ts";
import { type BarInterval, INTERVALS_MS } from "../providers/bars.ts";
import { hyperliquid } from "../providers/hyperliquid/provider.ts";
import { getSimulatedBars, isListed, renderPrice, SIMULATED_BY_THOUSAND } from "../providers/simulated-market.ts";

type Row = readonly [number, number, number, number, number, number];

/** The number of bars in a window, as kept by the jobs. */
const COUNTS: Readonly<Record<BarInterval, number>> = { "1h": 720, "4h": 460, "1d": 400 };
const COUNT_MAJOR_DAYS = 1_200;
const COUNT_LONG = 3_600;
const MAJORS = ["BTC", "ETH"];
/** The beginning of the names of all series of bars. */
const BARS = "market/bars-";
const KEY = /^market\/bars-(1h|4h|1d)(-long)?\/([A-Z0-9]+)$/;

/** Bars of one series, oldest first, without a gap; it grows at both ends. */
interface Known {
  first: number;
  rows: Row[];
}

export interface SimulatedWindowOptions {
  /** Time up to which the past counts as recorded, ms. */
  readonly until: () => number;
  /** Least time between writes to the disk; without it, each window is written. */
  readonly write_every_ms?: number;
  readonly elapsed_ms?: () => number;
}

/**
 * The stores of a sandbox, in which the past up to a moment looks as if it had been recorded. A window that no job has
 * stored is computed from the simulated market on request, exactly as the first venue shows it. The newest windows
 * stored by jobs are cached, because a sandbox lives weeks in a minute. With `write_every_ms` they are written only
 * that often, measured by `elapsed_ms` in real time: those in between exist only in the cache, and after the end of the
 * process the next one continues from the last written ones.
 */
export function withSimulatedWindows(
  history: WritableHistory,
  world: SimulatedWorld,
  { until, write_every_ms = 0, elapsed_ms = () => 0 }: SimulatedWindowOptions,
): WritableHistory {
  const series = new Map<string, Known>();

  const makeRows = (symbol: string, step_ms: number, range: { first: number; last: number }): Row[] => {
    if (range.last < range.first) return [];
    const units = SIMULATED_BY_THOUSAND.includes(symbol) ? 1_000 : 1;
    const price = (value: number) => Number(renderPrice(value * units)) / units;
    return getSimulatedBars(world, {
      symbol,
      venue: hyperliquid.id,
      step_ms,
      from_ms: range.first * step_ms,
      to_ms: range.last * step_ms,
      bars_max: COUNT_LONG,
      keep: "newest",
    }).map((bar) => [
      bar.t_ms,
      price(bar.open),
      price(bar.high),
      price(bar.low),
      price(bar.close),
      Number((bar.volume / units).toFixed(5)) * units,
    ]);
  };

  const readWindow = (key: string, at_ms: number): Observation | null => {
    const [, interval, long, symbol = ""] = KEY.exec(key) ?? [];
    if (interval === undefined || !isListed(symbol) || (long && !MAJORS.includes(symbol))) return null;
    const step_ms = INTERVALS_MS[interval as BarInterval];
    const last = Math.floor(at_ms / step_ms) - 1;
    const usual = interval === "1d" && MAJORS.includes(symbol) ? COUNT_MAJOR_DAYS : COUNTS[interval as BarInterval];
    const first = last - (long ? COUNT_LONG : usual) + 1;
    const known = series.get(key) ?? { first, rows: [] };
    series.set(key, known);
    if (first < known.first) {
      known.rows = [...makeRows(symbol, step_ms, { first, last: known.first - 1 }), ...known.rows];
      known.first = first;
    }
    const next = known.first + known.rows.length;
    known.rows.push(...makeRows(symbol, step_ms, { first: next, last }));
    const bars = known.rows.slice(first - known.first, last - known.first + 1);
    const close_ms = (last + 1) * step_ms;
    return {
      at_ms: close_ms,
      value: { provider: hyperliquid.id, fetched_at_ms: close_ms, complete_at_ms: close_ms, bars },
    };
  };

  /** The newest written window of each series, which many products read in every simulated hour. */
  const newest = new Map<string, Observation>();

  const written_ms = new Map<string, number>();
  /** Windows not yet written, by series. */
  const held = new Map<string, readonly Observation[]>();

  const isEarly = (key: string): boolean =>
    newest.has(key) && elapsed_ms() - (written_ms.get(key) ?? Number.NEGATIVE_INFINITY) < write_every_ms;
  const writeNow = async (key: string, observations: readonly Observation[]): Promise<void> => {
    await history.write(key, [...(held.get(key) ?? []), ...observations]);
    held.delete(key);
    written_ms.set(key, elapsed_ms());
  };

  const readNewest = (key: string) => history.read(key, { limit: 1 });

  return {
    ...history,
    async read(key, options = {}) {
      if (!key.startsWith(BARS)) return history.read(key, options);
      const { since_ms = 0, until_ms = Number.MAX_SAFE_INTEGER, limit } = options;
      const kept = newest.get(key);
      if (kept && limit === 1 && since_ms <= kept.at_ms && kept.at_ms <= until_ms) return [kept];
      if (held.has(key)) await writeNow(key, []);
      const stored = await history.read(key, options);
      if (stored.length > 0) return stored;
      const window = readWindow(key, Math.min(until_ms, until()));
      return window === null || window.at_ms < since_ms ? stored : [window];
    },
    async write(key, observations) {
      if (!key.startsWith(BARS)) return history.write(key, observations);
      if (isEarly(key)) held.set(key, [...(held.get(key) ?? []), ...observations]);
      else await writeNow(key, observations);
      // A window of an earlier process may be newer, because its clock may have been ahead.
      const [stored] = newest.has(key) ? observations.toSorted((a, b) => b.at_ms - a.at_ms) : await readNewest(key);
      if (stored && stored.at_ms >= (newest.get(key)?.at_ms ?? 0)) newest.set(key, stored);
    },
    async prune(key, before_ms) {
      const kept = held.get(key)?.filter(({ at_ms }) => at_ms >= before_ms);
      // The next write prunes these.
      if (kept) held.set(key, kept);
      else await history.prune(key, before_ms);
      if ((newest.get(key)?.at_ms ?? before_ms) < before_ms) newest.delete(key);
    },
  };
}
