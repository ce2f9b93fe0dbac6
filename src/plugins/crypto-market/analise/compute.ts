import { type Computed, type Draft, missing, missingIn } from "intel-node";
import { type Bar, DAY_MS, INTERVALS_MS } from "intel-node/providers/bars";
import {
  type BandReading,
  computeADX,
  computeATR,
  computeBollinger,
  computeEMA,
  computeMACD,
  computeRSI,
  computeSMA,
  type DirectionalReading,
  type MACDReading,
} from "intel-node/quant/indicators";
import { getRealisedVolatility } from "intel-node/quant/stats";
import { readVolatility } from "../regimes/volatility.ts";
import { BARS_MIN, computeAlpha } from "../signals/model.ts";
import { type BiasReadings, computeBias, getFlags } from "./bias.ts";
import type { AnaliseInputs } from "./fetch.ts";
import { findLevels, type Level } from "./levels.ts";
import type { AnaliseData } from "./schema.ts";

const RANK_DAYS = 365;
const VOLATILITY_DAYS = 30;
const BAND_DAYS = 20;
const HOURS_PER_YEAR = 24 * 365;

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The newest reading. @throws RangeError without one, which enough bars rule out. */
function newestOf<T>(readings: readonly (T | null)[]): T {
  const newest = readings.at(-1);
  if (newest === null || newest === undefined) throw new RangeError("too few bars");
  return newest;
}

type Sheet = Pick<AnaliseData, "trend" | "momentum" | "volatility" | "levels" | "bias" | "flags">;

function getReturns(closes: readonly number[]): AnaliseData["returns_pct"] {
  const now = closes.at(-1) ?? Number.NaN;
  const over = (days: number): number | null => {
    const before = closes.at(-1 - days);
    return before === undefined ? null : (now / before - 1) * 100;
  };
  return { d1: over(1), d7: over(7), d30: over(30), d90: over(90), d365: over(365) };
}

/** Rank of the newest 30-day volatility among the last 365 of them; null with fewer than 395 closes. */
function getVolatilityRank(closes: readonly number[]): number | null {
  const reading = readVolatility(closes);
  return reading?.percentile ?? null;
}

/** The newest average needs no window but its own. */
const getAverage = (closes: readonly number[], count: number): number =>
  newestOf(computeSMA(closes.slice(-count), count));

/** Likewise the newest bands. */
const getBands = (closes: readonly number[]): BandReading => newestOf(computeBollinger(closes.slice(-BAND_DAYS)));

function getDonchianMiddle(bars: readonly Bar[]): number {
  const window = bars.slice(-20);
  return (Math.max(...window.map(({ high }) => high)) + Math.min(...window.map(({ low }) => low))) / 2;
}

/** Classic floor pivots of one day. */
function getFloorPivots({ high, low, close }: Bar) {
  const pivot = (high + low + close) / 3;
  return { pivot, r1: 2 * pivot - low, s1: 2 * pivot - high };
}

function computeVolatility(closes: readonly number[], { atr, price }: { atr: number; price: number }) {
  const bands = getBands(closes);
  const rv30 = getRealisedVolatility(closes, VOLATILITY_DAYS);
  if (rv30 === null) throw new RangeError("too few bars");
  return {
    atr14: atr,
    atr_pct: (atr / price) * 100,
    rv30_pct: rv30 * 100,
    rv_percentile: getVolatilityRank(closes),
    bb_lower: bands.lower,
    bb_mid: bands.middle,
    bb_upper: bands.upper,
    bb_width_pct: ((bands.upper - bands.lower) / bands.middle) * 100,
  };
}

type Lines = Readonly<{ macd: MACDReading; strength: DirectionalReading }>;

function readBias(bars: readonly Bar[], closes: readonly number[], { macd, strength }: Lines): BiasReadings {
  const bands = getBands(closes);
  return {
    close: newestOf(closes),
    sma50: getAverage(closes, 50),
    sma200: getAverage(closes, 200),
    ema12: newestOf(computeEMA(closes, 12)),
    ema26: newestOf(computeEMA(closes, 26)),
    macd_hist: macd.histogram ?? Number.NaN,
    rsi14: newestOf(computeRSI(closes)),
    adx14: strength.adx ?? Number.NaN,
    donchian_mid: getDonchianMiddle(bars),
    bb_lower: bands.lower,
    bb_upper: bands.upper,
  };
}

/**
 * The daily part of the sheet.
 * @throws RangeError with fewer than 200 bars.
 */
export function computeSheet(bars: readonly Bar[]): Sheet {
  const closes = bars.map(({ close }) => close);
  const last = newestOf(bars);
  const [macd, strength] = [newestOf(computeMACD(closes)), newestOf(computeADX(bars))];
  const readings = readBias(bars, closes, { macd, strength });
  const [atr, price] = [newestOf(computeATR(bars)), last.close];
  const describe = (levels: readonly Level[]) => levels.map(({ price: at, touches }) => ({ price: at, touches }));
  const { supports, resistances } = findLevels(bars, { price, atr });
  const bias = computeBias(readings);
  return {
    trend: {
      sma20: getAverage(closes, 20),
      sma50: readings.sma50,
      sma200: readings.sma200,
      ema12: readings.ema12,
      ema26: readings.ema26,
      adx14: readings.adx14,
      plus_di: strength.plus_di,
      minus_di: strength.minus_di,
    },
    momentum: {
      rsi14: readings.rsi14,
      macd: macd.macd,
      macd_signal: macd.signal ?? Number.NaN,
      macd_hist: readings.macd_hist,
    },
    volatility: computeVolatility(closes, { atr, price }),
    levels: { supports: describe(supports), resistances: describe(resistances), ...getFloorPivots(last) },
    bias: { ...bias, points: [...bias.points] },
    flags: getFlags(readings),
  };
}

function getRange(bars: readonly Bar[]): AnaliseData["range"] {
  const year = bars.slice(-RANK_DAYS);
  const close = year.at(-1)?.close;
  if (year.length < RANK_DAYS || close === undefined) return { high_365: null, low_365: null, from_high_pct: null };
  const high = Math.max(...year.map((bar) => bar.high));
  const low = Math.min(...year.map((bar) => bar.low));
  return { high_365: high, low_365: low, from_high_pct: (close / high - 1) * 100 };
}

function getDerivatives({ funding }: AnaliseInputs): Draft<AnaliseData["derivatives"]> {
  if (!funding.ok) return missing("funding and open interest could not be read");
  const { rate_1h_frac, open_interest_usd } = funding.value;
  return {
    funding_apr_pct: rate_1h_frac * HOURS_PER_YEAR * 100,
    open_interest_usd,
  };
}

function getFourHours(inputs: AnaliseInputs, warnings: string[]): Draft<AnaliseData["timeframe_4h"]> {
  const { four_hours, funding, regime } = inputs;
  if (!four_hours.ok) return missing("no up-to-date four-hour bars");
  const { bars } = four_hours.value;
  const closes = bars.map(({ close }) => close);
  const funding_apr = funding.ok ? funding.value.rate_1h_frac * HOURS_PER_YEAR : null;
  const alpha = bars.length < BARS_MIN ? null : computeAlpha({ bars, funding_apr, regime });
  const absent = alpha?.factors.flatMap(({ name, value }) => (value === null ? [name] : [])) ?? [];
  if (absent.length > 0)
    warnings.push(`timeframe_4h.alpha: without ${absent.join(", ")}; the other weights are scaled`);
  return {
    rsi14: newestOf(computeRSI(closes)),
    ema20: newestOf(computeEMA(closes, 20)),
    ema100: newestOf(computeEMA(closes, 100)),
    alpha: alpha?.alpha ?? missing(`fewer than ${BARS_MIN} four-hour bars`),
  };
}

/** The sheet of one coin: numbers only, from closed bars only. */
export function computeAnalise(inputs: AnaliseInputs): Computed<Draft<AnaliseData>> {
  const { symbol, daily, four_hours } = inputs;
  const warnings: string[] = [];
  const last = newestOf(daily.bars);
  const closes = daily.bars.map(({ close }) => close);
  const sheet = computeSheet(daily.bars);
  const few = `only ${daily.bars.length} daily bars`;
  const data: Draft<AnaliseData> = {
    symbol,
    price: last.close,
    bar_date: dateOf(last.t_ms),
    returns_pct: missingIn(getReturns(closes), few),
    ...sheet,
    volatility: missingIn(sheet.volatility, few),
    range: missingIn(getRange(daily.bars), few),
    derivatives: getDerivatives(inputs),
    timeframe_4h: getFourHours(inputs, warnings),
  };
  const four_ms = four_hours.ok ? (four_hours.value.bars.at(-1)?.t_ms ?? 0) + INTERVALS_MS["4h"] : 0;
  return { as_of_ms: Math.max(last.t_ms + DAY_MS, four_ms), data, warnings };
}

/** As it was a day earlier; funding and regime are of today. Null when the bars do not reach back far enough. */
export function rewindAnalise(inputs: AnaliseInputs): AnaliseInputs | null {
  const { daily, four_hours } = inputs;
  const bars = daily.bars.slice(0, -1);
  const last = bars.at(-1);
  if (!last || bars.length < 200) return null;
  const end_ms = last.t_ms + DAY_MS;
  const past = four_hours.ok ? four_hours.value.bars.filter(({ t_ms }) => t_ms + INTERVALS_MS["4h"] <= end_ms) : [];
  const rewound: AnaliseInputs["four_hours"] =
    four_hours.ok && past.length >= 200
      ? { ok: true, value: { ...four_hours.value, bars: past } }
      : { ok: false, error: new Error("no earlier bars") };
  return {
    ...inputs,
    daily: { ...daily, bars },
    four_hours: rewound,
    funding: { ok: false, error: new Error("not part of previews") },
    regime: null,
  };
}
