import type { JobContext, WritableHistory } from "../../catalog/context.ts";
import { type Outcome, outcomeOf } from "../../catalog/failover.ts";
import { UpstreamError } from "../../core/errors.ts";
import { type Bar, type BarInterval, getLastClosedBar, INTERVALS_MS } from "../providers/bars.ts";
import { CANDLE_VENUES, LONG_CANDLE_VENUES } from "../providers/candle-venues.ts";
import {
  type BarReach,
  type FailedVenue,
  getBaseSymbol,
  getSeriesKey,
  isUpToDate,
  readStoredWindow,
  type StoredWindow,
  writeBars,
} from "./bar-series.ts";
import { fetchBars } from "./load-bars.ts";

/** A series that a job keeps up to date. */
export interface WantedSeries {
  readonly symbol: string;
  readonly interval: BarInterval;
  readonly reach: BarReach;
  /** Lengths to try, the longest first. */
  readonly counts: readonly number[];
}

const WEEK_MS = 7 * 86_400_000;
/** After a failover, the whole window is requested from the preferred venue again the next day. */
const RETURN_AFTER_MS = 86_400_000;
/** After a longer absence the whole window is fetched. */
const APPENDED_MAX = 100;

const isSameBar = (a: Bar, b: Bar): boolean =>
  a.t_ms === b.t_ms && a.open === b.open && a.high === b.high && a.low === b.low && a.close === b.close;

/** Whether the stored window may be continued instead of fetched whole. */
function isToBeContinued(context: JobContext, window: StoredWindow, { reach }: WantedSeries): boolean {
  const age_ms = context.now_ms - window.complete_at_ms;
  if (age_ms < 0 || age_ms >= WEEK_MS) return false;
  const venues = reach === "long" ? LONG_CANDLE_VENUES : CANDLE_VENUES;
  const preferred = venues.find(({ provider }) => context.usable(provider));
  return window.provider === preferred?.provider.id || age_ms < RETURN_AFTER_MS;
}

/**
 * The stored window, unchanged, with the bars that have closed since, from its own provider. Null if the provider's
 * past no longer matches the stored one, or if the provider cannot be called.
 */
async function continueWindow(
  context: JobContext,
  window: StoredWindow,
  wanted: WantedSeries,
): Promise<StoredWindow | null> {
  const { symbol, interval, counts } = wanted;
  const last = window.bars.at(-1);
  const venue = CANDLE_VENUES.find(({ provider }) => provider.id === window.provider);
  if (!last || !venue || !isToBeContinued(context, window, wanted)) return null;
  const missing = (getLastClosedBar(context.now_ms, interval) - last.t_ms) / INTERVALS_MS[interval];
  if (missing > APPENDED_MAX) return null;
  // The last stored bar is requested again to compare the two.
  const fetched = await outcomeOf(
    venue.fetchBars(context, { base: getBaseSymbol(symbol), interval, count: missing + 1 }),
  );
  if (!fetched.ok) return null;
  const [seam, ...fresh] = fetched.value;
  if (!seam || !isSameBar(seam, last)) return null;
  const bars = [...window.bars, ...fresh].slice(-Math.max(...counts));
  return { ...window, fetched_at_ms: context.now_ms, bars };
}

/** A run that records the providers that failed in it. */
function noteFailures(context: JobContext) {
  const failed = new Map<string, FailedVenue>();
  const get: JobContext["get"] = async (provider, request) => {
    try {
      return await context.get(provider, request);
    } catch (error) {
      const kind = error instanceof UpstreamError ? error.kind : "upstream_unavailable";
      failed.set(provider.id, { provider: provider.id, error: kind, at_ms: context.now_ms });
      throw error;
    }
  };
  return { context: { ...context, get }, failed };
}

/** The whole window, with the providers that failed before another had it, which sales name too. */
async function fetchWindow(context: JobContext, wanted: WantedSeries): Promise<StoredWindow> {
  const noted = noteFailures(context);
  const series = await fetchBars(noted.context, wanted);
  noted.failed.delete(series.provider);
  return { ...series, complete_at_ms: context.now_ms, failed: [...noted.failed.values()] };
}

/** Series known to be up to date: until when, and from which provider. Most runs have nothing to do. */
const up_to_date = new WeakMap<
  WritableHistory,
  Map<string, { readonly until_ms: number; readonly provider: string }>
>();

function isKnownUpToDate({ history, now_ms, usable }: JobContext, wanted: WantedSeries): boolean {
  const known = up_to_date.get(history)?.get(getSeriesKey(wanted));
  if (!known || now_ms >= known.until_ms || now_ms < known.until_ms - INTERVALS_MS[wanted.interval]) return false;
  const venue = CANDLE_VENUES.find(({ provider }) => provider.id === known.provider);
  return venue !== undefined && usable(venue.provider);
}

function noteUpToDate({ history, now_ms }: JobContext, wanted: WantedSeries, { provider }: StoredWindow): void {
  const step_ms = INTERVALS_MS[wanted.interval];
  const of_history = up_to_date.get(history) ?? new Map();
  up_to_date.set(history, of_history);
  of_history.set(getSeriesKey(wanted), { until_ms: (Math.floor(now_ms / step_ms) + 1) * step_ms, provider });
}

/**
 * Brings one stored series up to date. A current series causes no call. If its provider still has the same past, new
 * bars are appended; otherwise, and once a week in any case, the whole window is fetched from the first venue with it.
 * @throws NodeError when no venue has even the shortest window.
 */
export async function updateBars(context: JobContext, wanted: WantedSeries): Promise<void> {
  if (isKnownUpToDate(context, wanted)) return;
  const stored = await readStoredWindow(context, wanted);
  if (stored && isUpToDate(stored, context.now_ms, false)) return noteUpToDate(context, wanted, stored);
  const continued = stored && (await continueWindow(context, stored, wanted));
  await writeBars(context.history, continued ?? (await fetchWindow(context, wanted)), wanted.reach);
}

/**
 * Brings several series up to date, one after the other, so that venues are not overloaded.
 * @returns the outcomes, in the same order.
 */
export async function updateManyBars(
  context: JobContext,
  wanted: readonly WantedSeries[],
): Promise<readonly Outcome<void>[]> {
  const outcomes: Outcome<void>[] = [];
  for (const one of wanted) outcomes.push(await outcomeOf(updateBars(context, one)));
  return outcomes;
}
