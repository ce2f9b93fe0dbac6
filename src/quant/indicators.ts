/**
 * Technical indicators over whole series. Every function returns one reading per input bar, null until there are enough
 * bars: a shorter window is never used in silence, and a reading depends on nothing after its own bar.
 * Definitions: Wilder, New Concepts in Technical Trading Systems (1978) for RSI, ATR and ADX; Kaufman, Smarter Trading
 * (1995) for the efficiency ratio; Bollinger, Bollinger on Bollinger Bands (2001).
 */
export type Readings = readonly (number | null)[];

/** What ATR and ADX read of a bar. */
export interface RangeBar {
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

const at = (values: readonly number[], index: number): number => values[index] ?? Number.NaN;

/** One reading per value, from the window that ends with it. */
function overWindows(
  values: readonly number[],
  count: number,
  read: (window: readonly number[]) => number | null,
): (number | null)[] {
  return values.map((_, index) => (index + 1 < count ? null : read(values.slice(index + 1 - count, index + 1))));
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const meanOf = (values: readonly number[]): number => sumOf(values) / values.length;

/** @throws RangeError for a window that is no whole number above 0. */
function assertCount(count: number, least = 1): void {
  if (!Number.isInteger(count) || count < least) throw new RangeError(`a window has at least ${least} values`);
}

/** Simple moving average of the last `count` values, the current one included. */
export function computeSMA(values: readonly number[], count: number): Readings {
  assertCount(count);
  return overWindows(values, count, meanOf);
}

/** Exponential moving average: seeded with the mean of the first `count` values, then a = 2 / (count + 1). */
export function computeEMA(values: readonly number[], count: number): Readings {
  assertCount(count);
  const a = 2 / (count + 1);
  let previous: number | null = null;
  return values.map((value, index) => {
    if (index + 1 < count) return null;
    previous = previous === null ? meanOf(values.slice(0, count)) : a * value + (1 - a) * previous;
    return previous;
  });
}

/** Wilder's smoothing: the mean of the first `count` values, then (previous x (count - 1) + value) / count. */
function smooth(values: readonly number[], count: number): (number | null)[] {
  let previous: number | null = null;
  return values.map((value, index) => {
    if (index + 1 < count) return null;
    previous = previous === null ? meanOf(values.slice(0, count)) : (previous * (count - 1) + value) / count;
    return previous;
  });
}

/** Relative strength index, 0 to 100. Without losses 100, without any change 50. */
export function computeRSI(closes: readonly number[], count = 14): Readings {
  assertCount(count);
  const changes = closes.slice(1).map((close, index) => close - at(closes, index));
  const gains = smooth(
    changes.map((change) => Math.max(change, 0)),
    count,
  );
  const losses = smooth(
    changes.map((change) => Math.max(-change, 0)),
    count,
  );
  return closes.map((_, index) => {
    const [gain, loss] = [gains[index - 1], losses[index - 1]];
    if (gain === null || gain === undefined || loss === null || loss === undefined) return null;
    if (loss === 0) return gain > 0 ? 100 : 50;
    return 100 - 100 / (1 + gain / loss);
  });
}

/** True ranges, from the second bar on. */
const trueRanges = (bars: readonly RangeBar[]): number[] =>
  bars.slice(1).map(({ high, low }, index) => {
    const before = bars[index]?.close ?? Number.NaN;
    return Math.max(high - low, Math.abs(high - before), Math.abs(low - before));
  });

/** Average true range, in the unit of the prices. */
export function computeATR(bars: readonly RangeBar[], count = 14): Readings {
  assertCount(count);
  const averages = smooth(trueRanges(bars), count);
  return bars.map((_, index) => averages[index - 1] ?? null);
}

export interface DirectionalReading {
  /** Null until there are `count` of its readings to average. */
  readonly adx: number | null;
  readonly plus_di: number;
  readonly minus_di: number;
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

/** Wilder's sums: the first `count` added up, then previous - previous / count + value. */
function accumulate(values: readonly number[], count: number): (number | null)[] {
  let previous: number | null = null;
  return values.map((value, index) => {
    if (index + 1 < count) return null;
    previous = previous === null ? sumOf(values.slice(0, count)) : previous - previous / count + value;
    return previous;
  });
}

/** Average directional index and both directional indicators, 0 to 100. */
export function computeADX(bars: readonly RangeBar[], count = 14): readonly (DirectionalReading | null)[] {
  assertCount(count);
  const moves = bars.slice(1).map(({ high, low }, index) => {
    const before = bars[index];
    const [up, down] = [high - (before?.high ?? Number.NaN), (before?.low ?? Number.NaN) - low];
    return { plus: up > down && up > 0 ? up : 0, minus: down > up && down > 0 ? down : 0 };
  });
  const ranges = accumulate(trueRanges(bars), count);
  const pluses = accumulate(
    moves.map(({ plus }) => plus),
    count,
  );
  const minuses = accumulate(
    moves.map(({ minus }) => minus),
    count,
  );
  const directions = ranges.map((range, index) => {
    const [plus, minus] = [pluses[index], minuses[index]];
    if (range === null || plus === null || plus === undefined || minus === null || minus === undefined) return null;
    return { plus_di: 100 * share(plus, range), minus_di: 100 * share(minus, range) };
  });
  const first = count - 1;
  const strengths = directions
    .slice(first)
    .map((one) => (one ? 100 * share(Math.abs(one.plus_di - one.minus_di), one.plus_di + one.minus_di) : 0));
  const averages = smooth(strengths, count);
  return bars.map((_, index) => {
    const direction = directions[index - 1];
    return direction ? { ...direction, adx: averages[index - 1 - first] ?? null } : null;
  });
}

export interface MACDReading {
  readonly macd: number;
  /** Null until there are enough readings of `macd`. */
  readonly signal: number | null;
  readonly histogram: number | null;
}

export interface MACDOptions {
  readonly fast: number;
  readonly slow: number;
  readonly signal: number;
}

const USUAL_MACD: MACDOptions = { fast: 12, slow: 26, signal: 9 };

/** Difference of two exponential averages, and the exponential average of it. In the unit of the prices. */
export function computeMACD(closes: readonly number[], options = USUAL_MACD): readonly (MACDReading | null)[] {
  const fast = computeEMA(closes, options.fast);
  const slow = computeEMA(closes, options.slow);
  const lines = closes.map((_, index) => {
    const [a, b] = [fast[index], slow[index]];
    return a === null || a === undefined || b === null || b === undefined ? null : a - b;
  });
  const start = lines.findIndex((line) => line !== null);
  const signals = computeEMA(
    lines.filter((line) => line !== null),
    options.signal,
  );
  return lines.map((macd, index) => {
    if (macd === null) return null;
    const signal = signals[index - start] ?? null;
    return { macd, signal, histogram: signal === null ? null : macd - signal };
  });
}

export interface BandReading {
  readonly lower: number;
  readonly middle: number;
  readonly upper: number;
}

/** Bollinger bands: the simple average and `width` population standard deviations around it. */
export function computeBollinger(
  closes: readonly number[],
  { count = 20, width = 2 }: { readonly count?: number; readonly width?: number } = {},
): readonly (BandReading | null)[] {
  assertCount(count);
  return closes.map((_, index) => {
    if (index + 1 < count) return null;
    const window = closes.slice(index + 1 - count, index + 1);
    const middle = meanOf(window);
    const sigma = Math.sqrt(meanOf(window.map((close) => (close - middle) ** 2)));
    return { lower: middle - width * sigma, middle, upper: middle + width * sigma };
  });
}

/** Kaufman's efficiency ratio, 0 to 1: the net change over the sum of all changes of `count` bars; 0 without any. */
export function computeEfficiencyRatio(closes: readonly number[], count: number): Readings {
  assertCount(count);
  return overWindows(closes, count + 1, (window) => {
    const path = sumOf(window.slice(1).map((close, index) => Math.abs(close - at(window, index))));
    return share(Math.abs(at(window, count) - at(window, 0)), path);
  });
}

/** Logarithmic returns, one fewer than closes. Null where a close is not above 0. */
export const computeLogReturns = (closes: readonly number[]): Readings =>
  closes.slice(1).map((close, index) => {
    const before = at(closes, index);
    return close > 0 && before > 0 ? Math.log(close / before) : null;
  });

/** Highest and lowest value of the `count` bars before each one, that one left out (Donchian channel). */
export function computePriorExtremes(
  bars: readonly Pick<RangeBar, "high" | "low">[],
  count: number,
): readonly ({ readonly highest: number; readonly lowest: number } | null)[] {
  assertCount(count);
  return bars.map((_, index) => {
    if (index < count) return null;
    const window = bars.slice(index - count, index);
    return {
      highest: Math.max(...window.map(({ high }) => high)),
      lowest: Math.min(...window.map(({ low }) => low)),
    };
  });
}
