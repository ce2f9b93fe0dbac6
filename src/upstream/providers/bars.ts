import type { FetchContext } from "../../catalog/context.ts";
import type { ProviderDefinition } from "../../catalog/provider.ts";
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

/** A daily bar covers 00:00 to 24:00 UTC. */
export const DAY_MS = 86_400_000;

const COUNT_MAX = 2_000;

/** Opening time of the newest bar that is closed. */
export const getLastClosedDay = (now_ms: number): number => (Math.floor(now_ms / DAY_MS) - 1) * DAY_MS;

/** Opening times of the first and the last bar of a window, both included. */
export interface DayWindow {
  readonly from_ms: number;
  readonly to_ms: number;
}

/** Splits a window into windows of at most `size` days, oldest first. */
export function splitWindow({ from_ms, to_ms }: DayWindow, size: number): DayWindow[] {
  const windows: DayWindow[] = [];
  for (let start_ms = from_ms; start_ms <= to_ms; start_ms += size * DAY_MS) {
    windows.push({ from_ms: start_ms, to_ms: Math.min(to_ms, start_ms + (size - 1) * DAY_MS) });
  }
  return windows;
}

/** Reads a window in pages, one after the other, oldest first. */
export async function fetchPages(
  window: DayWindow,
  size: number,
  fetchPage: (page: DayWindow) => Promise<readonly Bar[]>,
): Promise<Bar[]> {
  const bars: Bar[] = [];
  for (const page of splitWindow(window, size)) bars.push(...(await fetchPage(page)));
  return bars;
}

const isSound = ({ open, high, low, close, volume }: Bar): boolean =>
  low > 0 && high >= Math.max(open, close) && low <= Math.min(open, close) && Number.isFinite(high) && volume >= 0;

/** Why these bars are not the complete window, or undefined. `bars` are sorted. */
function findBarsFault(bars: readonly Bar[], { from_ms, to_ms }: DayWindow): string | undefined {
  const wanted = (to_ms - from_ms) / DAY_MS + 1;
  if (bars.length !== wanted) return `${bars.length} of ${wanted} daily bars`;
  for (const [index, bar] of bars.entries()) {
    if (bar.t_ms !== from_ms + index * DAY_MS) return "a daily bar is missing or not at 00:00 UTC";
    if (!isSound(bar)) return `the bar of ${new Date(bar.t_ms).toISOString().slice(0, 10)} contradicts itself`;
  }
  return undefined;
}

/**
 * The newest `count` closed daily bars, oldest first, without a gap. The open bar and what lies outside the window are
 * dropped; a bar that pages repeat counts once.
 * @throws UpstreamError upstream_bad_response when one is missing or contradicts itself.
 */
export async function fetchDailyBars(
  context: BarsContext,
  provider: ProviderDefinition,
  { count, fetchWindow }: { count: number; fetchWindow: (window: DayWindow) => Promise<readonly Bar[]> },
): Promise<Bar[]> {
  if (!Number.isInteger(count) || count < 1 || count > COUNT_MAX) throw new RangeError(`count ${count}`);
  const to_ms = getLastClosedDay(context.now_ms);
  const window = { from_ms: to_ms - (count - 1) * DAY_MS, to_ms };
  const inside = (await fetchWindow(window)).filter(({ t_ms }) => t_ms >= window.from_ms && t_ms <= to_ms);
  const bars = [...new Map(inside.map((bar) => [bar.t_ms, bar])).values()].sort((a, b) => a.t_ms - b.t_ms);
  const fault = findBarsFault(bars, window);
  if (fault !== undefined) throw new UpstreamError("upstream_bad_response", provider.id, `${provider.id}: ${fault}`);
  return bars;
}
