import { hashRecord } from "intel-node";
import type { Bar } from "intel-node/providers/bars";
import {
  computeBollinger,
  computeMACD,
  computePriorExtremes,
  computeRSI,
  computeSMA,
} from "intel-node/quant/indicators";

export const VOTERS = [
  ...(["trend_200", "mom_90", "mom_20", "donchian_20", "macd", "rsi_reversion", "boll_reversion"] as const),
  ...(["funding_contrarian", "fng_contrarian", "breadth"] as const),
] as const;
export type VoterId = (typeof VOTERS)[number];
/** 1 for up, -1 for down, 0 for no opinion. */
export type VoterVote = 1 | -1 | 0;

/** What the rules look at; daily bars, oldest first, all closed. */
export interface VoterInputs {
  readonly bars: readonly Bar[];
  /** The coin's own, percent per year. */
  readonly funding_apr_pct: number | null;
  /** Publisher's fear and greed, 0-100. */
  readonly fng: number | null;
  /** Share of the larger coins above their 50-day average, 0-1. */
  readonly breadth_share: number | null;
}

export interface Voter {
  readonly id: VoterId;
  readonly vote: VoterVote;
  /** The figure the rule looks at; null without data, and then the voter abstains. */
  readonly value: number | null;
}

export const MODEL_ID = "swarm-v1";
/** Days from entry to exit, and what both sides cost. */
export const HORIZON_D = 7;
export const COST_BPS = "20.0";

/** Every number of the rules: changing one makes another model. */
const RULES = {
  trend_200: { days: 200, band_pct: 2 },
  mom_90: { days: 90, z: "0.5" },
  mom_20: { days: 20, z: "0.5" },
  donchian_20: { days: 20, void_after: 20 },
  macd: { fast: 12, slow: 26, signal: 9 },
  rsi_reversion: { days: 14, low: 30, high: 70 },
  boll_reversion: { days: 20, width: 2 },
  funding_contrarian: { low_pct: -10, high_pct: 40 },
  fng_contrarian: { low: 20, high: 80 },
  breadth: { low_pct: 40, high_pct: 60 },
} as const;
export const MODEL_HASH = hashRecord({ model_id: MODEL_ID, horizon_d: HORIZON_D, cost_bps: COST_BPS, rules: RULES });

const sideOf = (value: number, { above, below }: { above: number; below: number }): VoterVote =>
  value > above ? 1 : value < below ? -1 : 0;

/** Follows the value when it is beyond the band. */
const follow = (id: VoterId, value: number | null, band: { above: number; below: number }): Voter => ({
  id,
  value,
  vote: value === null ? 0 : sideOf(value, band),
});

/** Bets on the way back when the value is beyond the band; the bounds themselves count where `inclusive`. */
function fade(id: VoterId, value: number | null, band: { low: number; high: number; inclusive?: boolean }): Voter {
  if (value === null) return { id, value, vote: 0 };
  const { low, high, inclusive = false } = band;
  if (value < low || (inclusive && value === low)) return { id, value, vote: 1 };
  return { id, value, vote: value > high || (inclusive && value === high) ? -1 : 0 };
}

/** Return of `days` in units of chance: ln(C / C-n) / (s_n sqrt n), s_n the sample deviation of the log returns. */
function getMomentum(closes: readonly number[], days: number): number | null {
  const used = closes.slice(-(days + 1));
  if (used.length < days + 1) return null;
  const returns = used.slice(1).map((close, index) => Math.log(close / (used[index] ?? Number.NaN)));
  const mean = returns.reduce((sum, one) => sum + one, 0) / days;
  const sigma = Math.sqrt(returns.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (days - 1));
  const z = (mean * days) / (sigma * Math.sqrt(days));
  return Number.isFinite(z) && sigma > 1e-12 ? z : null;
}

/** The newest close beyond the highest or lowest of the 20 bars before it, of the last 20 bars. */
function getBreakout(bars: readonly Bar[]): Voter {
  const { days, void_after } = RULES.donchian_20;
  const used = bars.slice(-(days + void_after));
  const extremes = computePriorExtremes(used, days);
  const last = extremes.at(-1);
  const close = used.at(-1)?.close;
  if (!last || close === undefined || used.length < days + void_after)
    return { id: "donchian_20", vote: 0, value: null };
  const width = last.highest - last.lowest;
  const value = width > 0 ? (close - last.lowest) / width : null;
  for (let index = used.length - 1; index >= days; index -= 1) {
    const [bar, before] = [used[index], extremes[index]];
    if (bar && before && bar.close > before.highest) return { id: "donchian_20", vote: 1, value };
    if (bar && before && bar.close < before.lowest) return { id: "donchian_20", vote: -1, value };
  }
  return { id: "donchian_20", vote: 0, value };
}

function getMACD(closes: readonly number[]): Voter {
  const reading = computeMACD(closes).at(-1);
  const close = closes.at(-1);
  if (!reading || reading.histogram === null || close === undefined) return { id: "macd", vote: 0, value: null };
  const { macd, histogram } = reading;
  const vote = macd > 0 && histogram > 0 ? 1 : macd < 0 && histogram < 0 ? -1 : 0;
  return { id: "macd", vote, value: (100 * histogram) / close };
}

function getBands(closes: readonly number[]): Voter {
  const band = computeBollinger(closes.slice(-RULES.boll_reversion.days)).at(-1);
  const close = closes.at(-1);
  const width = band ? band.upper - band.lower : 0;
  const value = band && close !== undefined && width > 0 ? (close - band.lower) / width : null;
  return fade("boll_reversion", value, { low: 0, high: 1 });
}

/** The ten rules' votes on one coin, in their usual order. Only the bars given are looked at. */
export function castVotes({ bars, funding_apr_pct, fng, breadth_share }: VoterInputs): readonly Voter[] {
  const closes = bars.map(({ close }) => close);
  const close = closes.at(-1);
  const average = computeSMA(closes, RULES.trend_200.days).at(-1) ?? null;
  const trend = average === null || close === undefined ? null : 100 * (close / average - 1);
  const { band_pct } = RULES.trend_200;
  const z = Number(RULES.mom_90.z);
  const momentum = { above: z, below: -z };
  const { rsi_reversion: rsi, funding_contrarian: funding, fng_contrarian: mood, breadth } = RULES;
  const breadth_pct = breadth_share === null ? null : 100 * breadth_share;
  return [
    follow("trend_200", trend, { above: band_pct, below: -band_pct }),
    follow("mom_90", getMomentum(closes, RULES.mom_90.days), momentum),
    follow("mom_20", getMomentum(closes, RULES.mom_20.days), momentum),
    getBreakout(bars),
    getMACD(closes),
    fade("rsi_reversion", computeRSI(closes, rsi.days).at(-1) ?? null, rsi),
    getBands(closes),
    fade("funding_contrarian", funding_apr_pct, { low: funding.low_pct, high: funding.high_pct }),
    fade("fng_contrarian", fng, { ...mood, inclusive: true }),
    follow("breadth", breadth_pct, { above: breadth.high_pct, below: breadth.low_pct }),
  ];
}
