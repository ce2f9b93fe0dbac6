import type { Bar } from "intel-node/providers/bars";
import { getOLSBeta } from "intel-node/quant/correlation";
import { median } from "intel-node/quant/stats";
import type { BarSeries } from "intel-node/series/bar-series";
import { type AnomalyFinding, type AnomalyScan, lookByZ, type Skipped } from "./finding.ts";
import { HISTORY_MIN } from "./rules.ts";

export const HOUR_MS = 3_600_000;
const DAY_H = 24;
const PERCENT = 100;

/** A statistic by the bar it ends with. */
type Statistic = readonly number[];

const getReturns = (bars: readonly Bar[]): Statistic =>
  bars.slice(1).map(({ close }, index) => Math.log(close / (bars[index]?.close ?? Number.NaN)));

/** Sums of each 24 values in a row, overlapping: differences of cumulated sums. */
function getDaySums(values: Statistic): Statistic {
  const cumulated = [0];
  let sum = 0;
  for (const value of values) {
    sum += value;
    cumulated.push(sum);
  }
  return cumulated.slice(DAY_H).map((end, index) => end - (cumulated[index] ?? Number.NaN));
}

/** True range (Wilder, 1978) as a share of the close, logarithm; bars without any range are left out. */
function getRanges(bars: readonly Bar[]): Statistic {
  return bars.slice(1).flatMap(({ high, low, close }, index) => {
    const before = bars[index]?.close ?? Number.NaN;
    const range = Math.max(high - low, Math.abs(high - before), Math.abs(low - before));
    return range > 0 ? [Math.log(range / close)] : [];
  });
}

const getHour = ({ t_ms }: Bar): number => Math.floor(t_ms / HOUR_MS) % DAY_H;

/**
 * Logarithm of the volume over the median volume of the same UTC hour; the medians are of all bars but the last one.
 * Null when the last bar, or its hour so far, has no volume.
 */
function getVolumes(bars: readonly Bar[]): { history: Statistic; x: number } | null {
  const last = bars.at(-1);
  const earlier = bars.slice(0, -1).filter(({ volume }) => volume > 0);
  const by_hour = Array.from({ length: DAY_H }, (): number[] => []);
  for (const bar of earlier) by_hour[getHour(bar)]?.push(bar.volume);
  const medians = by_hour.map(median);
  const ratioOf = (bar: Bar): number => Math.log(bar.volume / (medians[getHour(bar)] ?? Number.NaN));
  if (!last || !(last.volume > 0) || (medians[getHour(last)] ?? null) === null) return null;
  return { history: earlier.map(ratioOf), x: ratioOf(last) };
}

interface Subject {
  readonly symbol: string;
  readonly bars: readonly Bar[];
  /** Close of the last bar. */
  readonly until_ms: number;
}

/** The last value of a statistic against the ones before. */
function lookAtLast(
  { symbol, until_ms }: Subject,
  values: Statistic,
  rest: Omit<Parameters<typeof lookByZ>[0], "symbol" | "history" | "x" | "started_at_ms">,
): AnomalyFinding | undefined {
  const started_at_ms = until_ms - rest.window_h * HOUR_MS;
  return lookByZ({ ...rest, symbol, started_at_ms, history: values.slice(0, -1), x: values.at(-1) ?? Number.NaN });
}

const toPercent = (value: number): number => value * PERCENT;

function lookAtMoves(subject: Subject, returns: Statistic): (AnomalyFinding | undefined)[] {
  const move = { type: "price_move", unit: "log_return_pct", note_code: "return_vs_30d", show: toPercent } as const;
  return [
    lookAtLast(subject, returns, { ...move, window_h: 1 }),
    // Windows that reach into the last day share hours with it, so the history ends a day earlier.
    lookAtDay(subject, getDaySums(returns), move),
  ];
}

/** As `lookAtLast`, for sums over 24 hours: the history holds no window that overlaps the present one. */
function lookAtDay(
  { symbol, until_ms }: Subject,
  sums: Statistic,
  rest: Omit<Parameters<typeof lookByZ>[0], "symbol" | "history" | "x" | "started_at_ms" | "window_h">,
): AnomalyFinding | undefined {
  const history = sums.slice(0, -DAY_H);
  const x = sums.at(-1) ?? Number.NaN;
  return lookByZ({ ...rest, symbol, started_at_ms: until_ms - DAY_H * HOUR_MS, window_h: DAY_H, history, x });
}

function lookAtVolume(subject: Subject): AnomalyFinding | undefined {
  const volumes = getVolumes(subject.bars);
  return volumes === null
    ? undefined
    : lookByZ({
        type: "volume_spike",
        symbol: subject.symbol,
        unit: "multiple",
        note_code: "volume_vs_same_hour",
        window_h: 1,
        started_at_ms: subject.until_ms - HOUR_MS,
        ...volumes,
        show: Math.exp,
        only: "up",
      });
}

/** Bitcoin's hourly returns by the opening time of their bar. */
type MarketReturns = ReadonlyMap<number, number>;

const getMarketReturns = (bitcoin: readonly Bar[]): MarketReturns =>
  new Map(getReturns(bitcoin).map((value, index) => [bitcoin[index + 1]?.t_ms ?? 0, value]));

/** Residual of the hourly returns after Bitcoin's share in them; only hours that both have. */
function lookAtDecoupling(subject: Subject, returns: Statistic, bitcoin: MarketReturns): AnomalyFinding | undefined {
  const own: number[] = [];
  const market: number[] = [];
  for (const [index, value] of returns.entries()) {
    const other = bitcoin.get(subject.bars[index + 1]?.t_ms ?? 0);
    if (other === undefined) continue;
    own.push(value);
    market.push(other);
  }
  if (market.length < HISTORY_MIN + DAY_H || !bitcoin.has(subject.bars.at(-1)?.t_ms ?? 0)) return undefined;
  const beta = getOLSBeta(market, own);
  if (beta === null) return undefined;
  const residuals = own.map((value, index) => value - beta * (market[index] ?? Number.NaN));
  return lookAtDay(subject, getDaySums(residuals), {
    type: "decoupling",
    unit: "log_return_pct",
    note_code: "residual_vs_btc",
    show: toPercent,
  });
}

/** The four types found in candles, coin by coin, so that a caller can let others run in between. */
export function* scanCandles(series: readonly BarSeries[]): Generator<AnomalyScan> {
  const bars_of_bitcoin = series.find(({ symbol }) => symbol === "BTC")?.bars;
  const bitcoin = bars_of_bitcoin ? getMarketReturns(bars_of_bitcoin) : null;
  for (const one of series) yield lookAtCandles(one, bitcoin);
}

function lookAtCandles({ symbol, bars }: BarSeries, bitcoin: MarketReturns | null): AnomalyScan {
  const until_ms = (bars.at(-1)?.t_ms ?? 0) + HOUR_MS;
  const subject = { symbol, bars, until_ms };
  const returns = getReturns(bars);
  const found: (AnomalyFinding | Skipped)[] = [];
  const add = (type: AnomalyFinding["type"], finding: AnomalyFinding | undefined) =>
    found.push(finding ?? { type, symbol, reason: "its hourly history is too short or does not move" });
  for (const move of lookAtMoves(subject, returns)) add("price_move", move);
  add("volume_spike", lookAtVolume(subject));
  const range = { type: "range_expansion", unit: "pct_of_price", note_code: "range_vs_30d" } as const;
  const show = (value: number) => toPercent(Math.exp(value));
  const last = bars.at(-1);
  const has_range = last !== undefined && last.high > last.low;
  add(
    "range_expansion",
    has_range ? lookAtLast(subject, getRanges(bars), { ...range, window_h: 1, show, only: "up" }) : undefined,
  );
  if (symbol !== "BTC" && bitcoin !== null) add("decoupling", lookAtDecoupling(subject, returns, bitcoin));
  return {
    findings: found.filter((one): one is AnomalyFinding => "severity" in one),
    skipped: found.filter((one): one is Skipped => "reason" in one),
  };
}
