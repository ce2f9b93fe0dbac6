import { type Bar, DAY_MS } from "../../../../upstream/providers/bars.ts";

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
 * missing day would be one of two days, so such days have none, for every symbol.
 */
export function alignReturns(series: readonly SymbolBars[], days: number, last_ms: number): AlignedReturns {
  const grid = Array.from({ length: days + 1 }, (_, index) => last_ms - (days - index) * DAY_MS);
  const aligned = series.map(({ symbol, bars }) => {
    const closes = new Map(bars.map(({ t_ms, close }) => [t_ms, close]));
    return { symbol, closes: grid.map((t_ms) => closes.get(t_ms) ?? null) };
  });
  const lacks = (closes: readonly (number | null)[]) => closes.filter((close) => close === null).length / grid.length;
  const kept = aligned.filter(({ closes }) => lacks(closes) <= MISSING_RATIO_MAX);
  const all = kept.map(({ closes }) =>
    closes.slice(1).map((close, index) => {
      const before = closes[index];
      return close && before ? Math.log(close / before) : null;
    }),
  );
  const common = grid.slice(1).map((_, index) => all.every((one) => one[index] !== null));
  return {
    symbols: kept.map(({ symbol }) => symbol),
    days_ms: grid.slice(1).filter((_, index) => common[index]),
    returns: all.map((one) => one.filter((value, index): value is number => common[index] === true && value !== null)),
    dropped: aligned.filter(({ closes }) => lacks(closes) > MISSING_RATIO_MAX).map(({ symbol }) => symbol),
  };
}

/** The part of the returns whose day lies within both days, both included. */
export function sliceReturns(aligned: AlignedReturns, from_ms: number, to_ms: number): AlignedReturns {
  const inside = aligned.days_ms.map((day_ms) => day_ms >= from_ms && day_ms <= to_ms);
  return {
    ...aligned,
    days_ms: aligned.days_ms.filter((_, index) => inside[index]),
    returns: aligned.returns.map((one) => one.filter((_, index) => inside[index])),
  };
}

/** The same series as they stood one day earlier. */
export const withoutLastDay = <S extends SymbolBars>(series: readonly S[]): S[] =>
  series.map((one) => ({ ...one, bars: one.bars.slice(0, -1) }));
