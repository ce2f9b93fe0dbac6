import type { FetchContext } from "../../catalog/context.ts";
import type { ProviderDefinition } from "../../catalog/provider.ts";
import { type Unusable, unusable } from "../../catalog/unusable.ts";
import { UpstreamError } from "../../core/errors.ts";

/** One closed bar. Prices in the quote currency, volume in the base asset. */
export interface Bar {
  /** Opening time, ms. */
  readonly t_ms: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

export type BarsContext = Pick<FetchContext, "get" | "now_ms">;

/** Bars start at multiples of their length since 1970, UTC: a daily bar covers 00:00 to 24:00. */
export type BarInterval = "1h" | "4h" | "1d";

export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** Lengths of bars, ms. */
export const INTERVALS_MS: Readonly<Record<BarInterval, number>> = { "1h": HOUR_MS, "4h": 4 * HOUR_MS, "1d": DAY_MS };

/** Some 16 years of days. */
export const BARS_COUNT_MAX = 6_000;

/** Opening time of the newest bar that is closed. */
export const getLastClosedBar = (now_ms: number, interval: BarInterval): number => {
  const step_ms = INTERVALS_MS[interval];
  return (Math.floor(now_ms / step_ms) - 1) * step_ms;
};

/** Opening times of the first and the last bar of a window, both included, and the length of its bars. */
export interface BarWindow {
  readonly from_ms: number;
  readonly to_ms: number;
  readonly step_ms: number;
}

/** Which bars of which coin. */
export interface BarsRequest {
  /** Canonical symbol of the coin, such as "BTC". */
  readonly base: string;
  readonly interval: BarInterval;
  /** How many, the newest closed one included. */
  readonly count: number;
}

/** Splits a window into windows of at most `size` bars, oldest first. */
export function splitWindow({ from_ms, to_ms, step_ms }: BarWindow, size: number): BarWindow[] {
  const windows: BarWindow[] = [];
  for (let start_ms = from_ms; start_ms <= to_ms; start_ms += size * step_ms) {
    windows.push({ from_ms: start_ms, to_ms: Math.min(to_ms, start_ms + (size - 1) * step_ms), step_ms });
  }
  return windows;
}

/**
 * The bars of a page, or the reason to refuse them: a page that lacks its newest bar is of another time, and the call
 * that brought it failed.
 */
export const readPage = (bars: readonly Bar[], to_ms: number): readonly Bar[] | Unusable =>
  bars.some(({ t_ms }) => t_ms === to_ms) ? bars : unusable(`no bar of ${new Date(to_ms).toISOString().slice(0, 16)}`);

/** Failures that are about bars before the newest one. */
const of_older_bars = new WeakSet<object>();

/** Whether a window failed for bars that a shorter one, which ends with the same bar, may do without. */
export const isOfOlderBars = (error: unknown): boolean =>
  typeof error === "object" && error !== null && of_older_bars.has(error);

/** Reads a window in pages, one after the other, oldest first. */
export async function fetchPages(
  window: BarWindow,
  size: number,
  fetchPage: (page: BarWindow) => Promise<readonly Bar[]>,
): Promise<Bar[]> {
  const bars: Bar[] = [];
  for (const page of splitWindow(window, size)) {
    try {
      bars.push(...(await fetchPage(page)));
    } catch (error) {
      if (page.to_ms < window.to_ms && error instanceof UpstreamError) of_older_bars.add(error);
      throw error;
    }
  }
  return bars;
}

/** Whether a bar's numbers can be those of one bar. */
const isSound = ({ open, high, low, close, volume }: Bar): boolean =>
  low > 0 && high >= Math.max(open, close) && low <= Math.min(open, close) && Number.isFinite(high) && volume >= 0;

/** The venue's bars end where they should and are whole: there just are not more of them. */
export class ShortHistoryError extends UpstreamError {
  constructor(provider: string, { found, wanted }: { readonly found: number; readonly wanted: number }) {
    super("upstream_not_found", provider, `${provider}: has ${found} of ${wanted} bars`);
    of_older_bars.add(this);
  }
}

/** Whether bars begin late and are otherwise whole: `bars` are sorted, and fewer than wanted. */
const isShortHistory = (bars: readonly Bar[], { to_ms, step_ms }: BarWindow): boolean =>
  bars.length > 0 &&
  bars.every((bar, index) => bar.t_ms === to_ms - (bars.length - 1 - index) * step_ms && isSound(bar));

/** Why these bars are not the complete window, or undefined. `bars` are sorted. */
function findBarsFault(bars: readonly Bar[], { from_ms, to_ms, step_ms }: BarWindow): string | undefined {
  const wanted = (to_ms - from_ms) / step_ms + 1;
  if (bars.length !== wanted) return `${bars.length} of ${wanted} bars`;
  for (const [index, bar] of bars.entries()) {
    if (bar.t_ms !== from_ms + index * step_ms) return "a bar is missing or does not start when it should, in UTC";
    if (!isSound(bar)) return `the bar of ${new Date(bar.t_ms).toISOString().slice(0, 16)} contradicts itself`;
  }
  return undefined;
}

export interface ClosedBarsRequest extends Omit<BarsRequest, "base"> {
  readonly fetchWindow: (window: BarWindow) => Promise<readonly Bar[]>;
}

/**
 * The newest `count` closed bars, oldest first, without a gap. The open bar and what lies outside the window are
 * dropped; a bar that pages repeat counts once.
 * @throws ShortHistoryError when the venue has no older ones.
 * @throws UpstreamError upstream_bad_response when one is missing or contradicts itself.
 */
export async function fetchClosedBars(
  context: BarsContext,
  provider: ProviderDefinition,
  { interval, count, fetchWindow }: ClosedBarsRequest,
): Promise<Bar[]> {
  if (!Number.isInteger(count) || count < 1 || count > BARS_COUNT_MAX) throw new RangeError(`count ${count}`);
  const step_ms = INTERVALS_MS[interval];
  const to_ms = getLastClosedBar(context.now_ms, interval);
  const window = { from_ms: to_ms - (count - 1) * step_ms, to_ms, step_ms };
  const inside = (await fetchWindow(window)).filter(({ t_ms }) => t_ms >= window.from_ms && t_ms <= to_ms);
  const bars = [...new Map(inside.map((bar) => [bar.t_ms, bar])).values()].sort((a, b) => a.t_ms - b.t_ms);
  if (bars.length < count && isShortHistory(bars, window)) {
    throw new ShortHistoryError(provider.id, { found: bars.length, wanted: count });
  }
  const fault = findBarsFault(bars, window);
  if (fault === undefined) return bars;
  const error = new UpstreamError("upstream_bad_response", provider.id, `${provider.id}: ${fault}`);
  if (bars.at(-1)?.t_ms === to_ms) of_older_bars.add(error);
  throw error;
}
