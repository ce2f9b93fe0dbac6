import { Type } from "@sinclair/typebox";
import type { FetchContext, History, WritableHistory } from "../../catalog/context.ts";
import { renderTime } from "../../core/clock.ts";
import { compileSchema } from "../../core/compile-schema.ts";
import { BARS_COUNT_MAX, type Bar, type BarInterval, getLastClosedBar, INTERVALS_MS } from "../providers/bars.ts";
import { CANDLE_VENUES } from "../providers/candle-venues.ts";

/** A provider that failed before another one had the series. */
export interface FailedVenue {
  readonly provider: string;
  readonly error: string;
  readonly at_ms: number;
}

/** Closed bars of one symbol, all from one provider and without a gap, oldest first. */
export interface BarSeries {
  /** The requested symbol. */
  readonly symbol: string;
  readonly interval: BarInterval;
  /** Provider id. */
  readonly provider: string;
  readonly fetched_at_ms: number;
  readonly bars: readonly Bar[];
  /** Providers that failed when a stored window was last fetched whole; absent if none failed. */
  readonly failed?: readonly FailedVenue[];
}

/** "long" is a second, longer daily window of a few coins, usually of another provider. */
export type BarReach = "usual" | "long";

export interface SeriesName {
  readonly symbol: string;
  readonly interval: BarInterval;
  readonly reach: BarReach;
}

/** A stored window, with the time when it was last fetched whole. */
export interface StoredWindow extends BarSeries {
  readonly complete_at_ms: number;
}

export interface ReadBarsRequest {
  /** Canonical symbol, such as "BTC"; "kPEPE" and "PEPE" are one coin. */
  readonly symbol: string;
  readonly interval: BarInterval;
  /** Number of newest closed bars. */
  readonly count: number;
  /** Least acceptable number; default: `count`. */
  readonly count_min?: number;
  /** Whether the newest closed bar may be missing until the job has had time to fetch it; default: no. */
  readonly grace?: boolean;
}

export type ReadBarsContext = { readonly history: History } & Pick<FetchContext, "now_ms" | "usable">;

/** Jobs fetch right after a bar closes; until they finish, the bar before is the newest possible one. */
const GRACE_MS: Readonly<Record<BarInterval, number>> = { "1h": 300_000, "4h": 600_000, "1d": 3_600_000 };
/** A clock set back by less than this many bars still finds a window. */
const WINDOWS_KEPT = 3;

const Price = Type.Number({ exclusiveMinimum: 0 });
/** Opening time (ms), open, high, low, close, volume: arrays, because a window holds hundreds. */
const Row = Type.Tuple([Type.Integer(), Price, Price, Price, Price, Type.Number({ minimum: 0 })]);
const Window = compileSchema(
  Type.Object({
    provider: Type.String(),
    fetched_at_ms: Type.Integer(),
    complete_at_ms: Type.Integer(),
    bars: Type.Array(Row, { minItems: 1, maxItems: BARS_COUNT_MAX }),
    failed: Type.Optional(
      Type.Array(Type.Object({ provider: Type.String(), error: Type.String(), at_ms: Type.Integer() }), {
        maxItems: 20,
      }),
    ),
  }),
);

/** The symbol of one coin, without a "k" for a thousand coins. */
export const getBaseSymbol = (symbol: string): string => (/^k[A-Z0-9]+$/.test(symbol) ? symbol.slice(1) : symbol);

export const getSeriesKey = ({ symbol, interval, reach }: SeriesName): string =>
  `market/bars-${interval}${reach === "long" ? "-long" : ""}/${getBaseSymbol(symbol)}`;

/**
 * Stores a window as one observation at the close of its last bar. A window replaces earlier ones as a whole, so that
 * bars of two providers are never mixed.
 */
export async function writeBars(history: WritableHistory, window: StoredWindow, reach: BarReach): Promise<void> {
  const { symbol, interval, provider, fetched_at_ms, complete_at_ms, bars, failed = [] } = window;
  const last = bars.at(-1);
  if (!last) throw new RangeError(`no bars of ${symbol}`);
  const step_ms = INTERVALS_MS[interval];
  const rows = bars.map((bar) => [bar.t_ms, bar.open, bar.high, bar.low, bar.close, bar.volume]);
  const at_ms = last.t_ms + step_ms;
  const key = getSeriesKey({ symbol, interval, reach });
  const value = { provider, fetched_at_ms, complete_at_ms, bars: rows, ...(failed.length > 0 ? { failed } : {}) };
  await history.write(key, [{ at_ms, value }]);
  await history.prune(key, at_ms - (WINDOWS_KEPT - 1) * step_ms);
}

type ReadWindow = Pick<StoredWindow, "provider" | "fetched_at_ms" | "complete_at_ms" | "bars" | "failed">;

/** Cache of parsed observations, as long as they are referenced: a sandbox keeps the newest of each series. */
const read_windows = new WeakMap<object, ReadWindow>();

/** Null unless the value is a window. */
function readWindow(value: unknown): ReadWindow | null {
  const known = typeof value === "object" && value !== null ? read_windows.get(value) : undefined;
  if (known) return known;
  if (!Window.Check(value)) return null;
  const { provider, fetched_at_ms, complete_at_ms, failed } = value;
  const bars = value.bars.map(([t_ms, open, high, low, close, volume]) => ({ t_ms, open, high, low, close, volume }));
  const window = { provider, fetched_at_ms, complete_at_ms, bars, ...(failed ? { failed } : {}) };
  read_windows.set(value, window);
  return window;
}

/** The newest stored window of any age; null without one, or if its provider may not be used any more. */
export async function readStoredWindow(context: ReadBarsContext, name: SeriesName): Promise<StoredWindow | null> {
  const [observation] = await context.history.read(getSeriesKey(name), { until_ms: context.now_ms, limit: 1 });
  const window = observation ? readWindow(observation.value) : null;
  const venue = CANDLE_VENUES.find((one) => one.provider.id === window?.provider);
  if (!window || !venue || !context.usable(venue.provider)) return null;
  const { symbol, interval } = name;
  return { symbol, interval, ...window };
}

/** Whether a window ends with the newest closed bar (or, with grace, with the one before while the job runs). */
export function isUpToDate(
  { bars, interval }: Pick<BarSeries, "bars" | "interval">,
  now_ms: number,
  grace: boolean,
): boolean {
  const expected_ms = getLastClosedBar(now_ms - (grace ? GRACE_MS[interval] : 0), interval);
  return (bars.at(-1)?.t_ms ?? 0) >= expected_ms;
}

/**
 * The newest closed bars stored by jobs, without any call. Null if there are too few, if the newest is missing, or if
 * the configuration no longer allows their provider. It never silently returns a shorter or older series.
 */
export async function readBars(context: ReadBarsContext, request: ReadBarsRequest): Promise<BarSeries | null> {
  const { symbol, interval, count, count_min = count, grace = false } = request;
  const reaches: readonly BarReach[] = interval === "1d" ? ["usual", "long"] : ["usual"];
  let best: BarSeries | null = null;
  for (const reach of reaches) {
    const stored = await readStoredWindow(context, { symbol, interval, reach });
    if (!stored || stored.bars.length < count_min || !isUpToDate(stored, context.now_ms, grace)) continue;
    const { complete_at_ms: _, ...series } = stored;
    const bars = stored.bars.slice(-count);
    if (best === null || bars.length > best.bars.length) best = { ...series, bars };
    if (bars.length === count) break;
  }
  return best;
}

/**
 * Names the venues of stored series, each once, with the time of its oldest series; and the venues that failed before
 * another had the data, with the time of the newest failure.
 */
export function citeBars(context: Pick<FetchContext, "cite">, series: readonly BarSeries[]): void {
  for (const { provider, path } of CANDLE_VENUES) {
    const times = series.filter((one) => one.provider === provider.id).map((one) => one.fetched_at_ms);
    if (times.length === 0) continue;
    const url = `${provider.base_urls[0]}${path}`;
    context.cite({ provider: provider.id, url, fetched_at: renderTime(Math.min(...times)), ok: true });
  }
  const failures = series.flatMap(({ failed = [] }) => failed).toSorted((a, b) => a.at_ms - b.at_ms);
  for (const { provider, error, at_ms } of new Map(failures.map((one) => [one.provider, one])).values()) {
    const venue = CANDLE_VENUES.find((one) => one.provider.id === provider);
    if (!venue) continue;
    const url = `${venue.provider.base_urls[0]}${venue.path}`;
    context.cite({ provider, url, fetched_at: renderTime(at_ms), ok: false, error });
  }
}
