import type { Static } from "@sinclair/typebox";
import { type FetchContext, outcomeOf } from "intel-node";
import { type BarSeries, citeBars, readBars } from "intel-node/series/bar-series";
import { loadBars } from "intel-node/series/load-bars";
import { WARMUP_BARS } from "./engine.ts";
import { type BacktestParams, DAYS } from "./schema.ts";
import { getStrategy } from "./strategies.ts";

export interface BacktestInputs {
  /** Daily bars by asset in the order of the rule's symbols. They may end on different days. */
  readonly series: readonly BarSeries[];
}

/** A venue that has fewer days than were asked for has at least these. */
const SHORT_BARS = 719;
const BARS_MIN = DAYS.min + WARMUP_BARS;
/** A preview is computed without the newest bar. */
const SPARE_BARS = 1;

/** Lengths that are asked for: each other one would be another question to a venue, and another long answer to read. */
const STEP = 1_000;
const COUNT_MAX = DAYS.max + WARMUP_BARS + SPARE_BARS;
const roundUp = (count: number): number => Math.min(COUNT_MAX, Math.ceil(count / STEP) * STEP);

/**
 * As many daily bars as there are, up to `count`: all of them from one venue, else the longest stored series, else what
 * any venue has.
 * @throws NodeError when not even the shortest backtest can be made of them.
 */
async function loadLongest(context: FetchContext, symbol: string, count: number): Promise<BarSeries> {
  const daily = { symbol, interval: "1d", grace: true } as const;
  const whole = await outcomeOf(loadBars(context, { ...daily, count: roundUp(count), count_min: count }));
  if (whole.ok) return whole.value;
  const stored = await readBars(context, { ...daily, count, count_min: BARS_MIN });
  if (stored) {
    citeBars(context, [stored]);
    return stored;
  }
  if (count <= BARS_MIN) throw whole.error;
  return loadBars(context, { ...daily, count: Math.min(count - 1, SHORT_BARS), count_min: BARS_MIN });
}

/**
 * Bars of what the rule trades; the first is also what it is compared with.
 * @throws NodeError when one of them is unavailable.
 */
export async function fetchBacktest(
  context: FetchContext,
  { strategy, symbol, days }: Static<typeof BacktestParams>,
): Promise<BacktestInputs> {
  const { symbols } = getStrategy(strategy, symbol);
  const count = days + WARMUP_BARS + SPARE_BARS;
  return { series: await Promise.all(symbols.map((symbol) => loadLongest(context, symbol, count))) };
}
