import { hashRecord, type RecordBody } from "intel-node";
import type { Bar } from "intel-node/providers/bars";
import { computeATR, computeEMA, computeLogReturns, computeRSI } from "intel-node/quant/indicators";
import { median, sampleStandardDeviation } from "simple-statistics";

export const MODEL_ID = "alpha-v1";
export const HORIZON_H = 24;
/** Two sides of taker fee and slippage, basis points. */
export const COST_BPS = "20.0";
/** Closed four-hour bars without which a coin is not evaluated. */
export const BARS_MIN = 400;
/**
 * As many as the stored series holds. Exponential averages remember their start: a reader who computes the model's
 * figures reads the same bars, so that they are the ledger's.
 */
export const BARS_WANTED = 460;

const FACTOR_NAMES = [
  "mom_7d",
  "mom_30d",
  "trend",
  "range_pos",
  "volume_confirm",
  "reversal",
  "funding_crowding",
  "regime",
] as const;
export type SignalFactorName = (typeof FACTOR_NAMES)[number];

const WEIGHTS: Readonly<Record<SignalFactorName, string>> = {
  mom_7d: "0.20",
  mom_30d: "0.20",
  trend: "0.15",
  range_pos: "0.10",
  volume_confirm: "0.10",
  reversal: "0.05",
  funding_crowding: "0.10",
  regime: "0.10",
};

/** Alpha at which a signal is given. */
const LONG_FROM = 60;
const SHORT_TO = 40;

/**
 * Everything the model is made of, as its hash is taken of it. Changing any of it needs a new MODEL_ID, whose record
 * begins empty.
 */
export const MODEL_PARAMETERS: RecordBody = {
  v: 1,
  model_id: MODEL_ID,
  interval: "4h",
  bars_min: BARS_MIN,
  weights: WEIGHTS,
  formulas: {
    mom_7d: "clamp(ln(C/C[42])/(s*sqrt(42))/2), s = sample sigma of the last 180 log returns",
    mom_30d: "clamp(ln(C/C[180])/(s*sqrt(180))/2)",
    trend: "clamp((ema20-ema100)/(3*atr14))",
    range_pos: "2*(C-LL120)/(HH120-LL120)-1",
    volume_confirm: "sign(C-C[6])*clamp(ln(V6/median of V6 over 180 bars)/ln 2,0,1)",
    reversal: "rsi14>75: -(rsi14-75)/25; rsi14<25: (25-rsi14)/25; else 0",
    funding_crowding: "-clamp(funding_apr/0.50)",
    regime: "score of /regime",
  },
  alpha: "round1(50+50*sum(w*f)/sum(w available))",
  long_from: String(LONG_FROM),
  short_to: String(SHORT_TO),
  confidence: "round(2*abs(alpha-50))",
  horizon_h: HORIZON_H,
  cost_bps: COST_BPS,
};

export const MODEL_HASH = hashRecord(MODEL_PARAMETERS);

export type Side = "long" | "short";

export interface SignalFactor {
  readonly name: SignalFactorName;
  /** -1 to 1; null when its input is missing, and then the other weights count for more. */
  readonly value: number | null;
  /** As the model states it. */
  readonly weight: number;
  /** Points of alpha it adds to 50; null when it is missing. */
  readonly contribution: number | null;
}

export interface SignalEvaluation {
  readonly factors: readonly SignalFactor[];
  /** 0 to 100, one decimal. */
  readonly alpha: number;
  /** 0 to 100. */
  readonly confidence: number;
  /** Null when alpha is too near to 50 for a signal. */
  readonly side: Side | null;
}

export interface ModelInputs {
  /** At least BARS_MIN closed four-hour bars, oldest first. */
  readonly bars: readonly Bar[];
  /** Yearly funding as a fraction; null when unknown. */
  readonly funding_apr: number | null;
  /** Score of /regime, -1 to 1; null when unknown. */
  readonly regime: number | null;
}

const clamp = (value: number, low = -1, high = 1): number => Math.min(high, Math.max(low, value));
/** What a quotient says when nothing moved at all: nothing. */
const ratio = (part: number, whole: number): number => (part === 0 ? 0 : part / whole);
const last = (readings: readonly (number | null)[]): number => readings.at(-1) ?? Number.NaN;
const back = (values: readonly number[], steps: number): number => values.at(-1 - steps) ?? Number.NaN;

const MOM_SIGMA_BARS = 180;
const RANGE_BARS = 120;
const VOLUME_BARS = 6;
const VOLUME_WINDOW = 180;

function getMomentum(closes: readonly number[], count: number): number {
  const returns = computeLogReturns(closes.slice(-MOM_SIGMA_BARS - 1)).map((one) => one ?? Number.NaN);
  const change = Math.log(back(closes, 0) / back(closes, count));
  return clamp(ratio(change, sampleStandardDeviation(returns) * Math.sqrt(count)) / 2);
}

function getTrend(bars: readonly Bar[], closes: readonly number[]): number {
  return clamp(ratio(last(computeEMA(closes, 20)) - last(computeEMA(closes, 100)), 3 * last(computeATR(bars))));
}

function getRangePosition(bars: readonly Bar[]): number {
  const window = bars.slice(-RANGE_BARS);
  const high = Math.max(...window.map((bar) => bar.high));
  const low = Math.min(...window.map((bar) => bar.low));
  const close = bars.at(-1)?.close ?? Number.NaN;
  return high === low ? 0 : (2 * (close - low)) / (high - low) - 1;
}

/** Null where the venue states no volume. */
function getVolumeConfirmation(bars: readonly Bar[], closes: readonly number[]): number | null {
  const volumes = bars.slice(-(VOLUME_WINDOW + VOLUME_BARS - 1)).map(({ volume }) => volume);
  const sums = volumes
    .slice(VOLUME_BARS - 1)
    .map((_, index) => volumes.slice(index, index + VOLUME_BARS).reduce((sum, volume) => sum + volume, 0));
  const middle = median(sums);
  if (!(middle > 0)) return null;
  const strength = clamp(Math.log(last(sums) / middle) / Math.LN2, 0, 1);
  return Math.sign(back(closes, 0) - back(closes, VOLUME_BARS)) * strength;
}

function getReversal(closes: readonly number[]): number {
  const rsi = last(computeRSI(closes));
  if (rsi > 75) return -(rsi - 75) / 25;
  return rsi < 25 ? (25 - rsi) / 25 : 0;
}

/**
 * The model alpha-v1: momentum scaled by volatility (Moskowitz, Ooi and Pedersen, Journal of Financial Economics 104,
 * 2012; Liu and Tsyvinski, Review of Financial Studies 34, 2021), trend, place in the range, volume, exhaustion,
 * funding and market regime. Pure; nothing after the last bar is looked at.
 * @throws RangeError with fewer bars than it needs, or when a bar is not a number.
 */
export function computeAlpha({ bars, funding_apr, regime }: ModelInputs): SignalEvaluation {
  if (bars.length < BARS_MIN) throw new RangeError(`${bars.length} of ${BARS_MIN} bars`);
  const closes = bars.map(({ close }) => close);
  const values: Readonly<Record<SignalFactorName, number | null>> = {
    mom_7d: getMomentum(closes, 42),
    mom_30d: getMomentum(closes, 180),
    trend: getTrend(bars, closes),
    range_pos: getRangePosition(bars),
    volume_confirm: getVolumeConfirmation(bars, closes),
    reversal: getReversal(closes),
    funding_crowding: funding_apr === null ? null : -clamp(funding_apr / 0.5),
    regime: regime === null ? null : clamp(regime),
  };
  for (const name of FACTOR_NAMES) {
    if (Number.isNaN(values[name])) throw new RangeError(`${name} cannot be computed from these bars`);
  }
  return weigh(values);
}

function weigh(values: Readonly<Record<SignalFactorName, number | null>>): SignalEvaluation {
  const known = FACTOR_NAMES.map((name) => ({ name, value: values[name], weight: Number(WEIGHTS[name]) }));
  const total = known.reduce((sum, { value, weight }) => sum + (value === null ? 0 : weight), 0);
  const factors = known.map(({ name, value, weight }) => ({
    name,
    value,
    weight,
    contribution: value === null ? null : (50 * weight * value) / total,
  }));
  const raw = factors.reduce((sum, { contribution }) => sum + (contribution ?? 0), 50);
  const alpha = Number(raw.toFixed(1));
  const side = alpha >= LONG_FROM ? "long" : alpha <= SHORT_TO ? "short" : null;
  return { factors, alpha, confidence: Math.round(2 * Math.abs(alpha - 50)), side };
}
