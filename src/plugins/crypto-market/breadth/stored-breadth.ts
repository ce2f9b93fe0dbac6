import type { FetchContext } from "intel-node";
import { DAY_MS } from "intel-node/providers/bars";
import { type BarSeries, citeBars, readBars } from "intel-node/series/bar-series";
import { yieldToEventLoop } from "intel-node/series/load-bars";
import { BREADTH_COINS_MIN, computeBreadth } from "../regimes/factors.ts";
import { UNIVERSE_20 } from "../universe/universe.ts";

/** Share of the larger coins that close above their 50-day average. */
export interface StoredBreadth {
  /** 0-1. */
  readonly share: number;
  readonly coins: number;
  /** Close of its bar, ms. */
  readonly at_ms: number;
}

const BARS = 51;
const READS_AT_ONCE = 4;

/**
 * Breadth at the newest close and at the one before, from bars that jobs stored; makes no calls. Null when fewer than
 * 12 coins have up-to-date bars.
 */
export async function readStoredBreadth(
  context: FetchContext,
): Promise<{ readonly today: StoredBreadth; readonly yesterday: StoredBreadth } | null> {
  const series: BarSeries[] = [];
  for (const [index, symbol] of UNIVERSE_20.entries()) {
    if (index > 0 && index % READS_AT_ONCE === 0) await yieldToEventLoop();
    const one = await readBars(context, { symbol, interval: "1d", count: BARS, grace: true });
    if (one) series.push(one);
  }
  const last_ms = Math.max(0, ...series.map(({ bars }) => bars.at(-1)?.t_ms ?? 0));
  const alike = series.filter(({ bars }) => bars.at(-1)?.t_ms === last_ms);
  const [before, now] = computeBreadth(
    alike.map(({ bars }) => bars),
    2,
  );
  if (!now || !before || before.of_50 < BREADTH_COINS_MIN) return null;
  citeBars(context, alike);
  return {
    today: { share: now.above_50 / now.of_50, coins: now.of_50, at_ms: last_ms + DAY_MS },
    yesterday: { share: before.above_50 / before.of_50, coins: before.of_50, at_ms: last_ms },
  };
}
