import { type Bar, DAY_MS } from "intel-node/providers/bars";

export interface SymbolBars {
  readonly symbol: string;
  /** Closed daily bars, oldest first. */
  readonly bars: readonly Pick<Bar, "t_ms" | "close">[];
}

/** Daily log returns of several symbols on the same days. */
export interface AlignedReturns {
  readonly symbols: readonly string[];
  /** Opening time (ms) of the bar each return ends with, oldest first. */
  readonly days_ms: readonly number[];
  /** One list per symbol, as long as `days_ms`. */
  readonly returns: readonly (readonly number[])[];
  /** Symbols that lack too many days. */
  readonly dropped: readonly string[];
}

/** A symbol that lacks a larger share of the days is left out; for a smaller one the day is left out for all. */
const MISSING_RATIO_MAX = 0.05;

/** Opening time of the newest day that every symbol has reached; null without bars. */
export function getLastCommonDay(series: readonly SymbolBars[]): number | null {
  const lasts = series.flatMap(({ bars }) => bars.at(-1)?.t_ms ?? []);
  return lasts.length === 0 ? null : Math.min(...lasts);
}

/**
 * Log returns of the `days` days that end with `last_ms`, each from one day's close to the next one's: a return over a
 * missing day would span two days, so such days have no return, for every symbol.
 */
export function alignReturns(series: readonly SymbolBars[], days: number, last_ms: number): AlignedReturns {
  const first_ms = last_ms - days * DAY_MS;
  const aligned = series.map(({ symbol, bars }) => ({ symbol, closes: placeCloses(bars, first_ms, days + 1) }));
  const isWhole = ({ closes }: { closes: Float64Array }) => countMissing(closes) / (days + 1) <= MISSING_RATIO_MAX;
  const kept = aligned.filter(isWhole);
  const days_ms: number[] = [];
  const returns: number[][] = kept.map(() => []);
  for (let day = 1; day <= days; day += 1) {
    if (!kept.every(({ closes }) => (closes[day] ?? 0) > 0 && (closes[day - 1] ?? 0) > 0)) continue;
    days_ms.push(first_ms + day * DAY_MS);
    for (let index = 0; index < kept.length; index += 1) {
      const closes = kept[index]?.closes;
      returns[index]?.push(Math.log((closes?.[day] ?? Number.NaN) / (closes?.[day - 1] ?? Number.NaN)));
    }
  }
  return {
    symbols: kept.map(({ symbol }) => symbol),
    days_ms,
    returns,
    dropped: aligned.filter((one) => !isWhole(one)).map(({ symbol }) => symbol),
  };
}

/** Closes by day from the first one on; 0 marks a missing close. A price is never 0. */
function placeCloses(bars: SymbolBars["bars"], first_ms: number, count: number): Float64Array {
  const closes = new Float64Array(count);
  for (let index = bars.length - 1; index >= 0; index -= 1) {
    const bar = bars[index];
    const day = bar ? (bar.t_ms - first_ms) / DAY_MS : -1;
    if (day < 0) break;
    if (bar && Number.isInteger(day) && day < count) closes[day] = bar.close;
  }
  return closes;
}

function countMissing(closes: Float64Array): number {
  let missing = 0;
  for (let day = 0; day < closes.length; day += 1) if (!((closes[day] ?? 0) > 0)) missing += 1;
  return missing;
}

/** The returns between two days, both included. */
export function sliceReturns(aligned: AlignedReturns, from_ms: number, to_ms: number): AlignedReturns {
  const inside = aligned.days_ms.map((day_ms) => day_ms >= from_ms && day_ms <= to_ms);
  return {
    ...aligned,
    days_ms: aligned.days_ms.filter((_, index) => inside[index]),
    returns: aligned.returns.map((one) => one.filter((_, index) => inside[index])),
  };
}

/** The same series as of one day earlier. */
export const withoutLastDay = <S extends SymbolBars>(series: readonly S[]): S[] =>
  series.map((one) => ({ ...one, bars: one.bars.slice(0, -1) }));
