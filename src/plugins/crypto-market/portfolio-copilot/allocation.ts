import { dot, type Matrix, multiply } from "intel-node/quant/matrix";
import type { Regime } from "../regimes/replay.ts";

export const PROFILES = [
  { id: "conservative", target_vol: 0.15 },
  { id: "balanced", target_vol: 0.3 },
  { id: "aggressive", target_vol: 0.5 },
] as const;

const REGIME_MULTIPLIERS: Readonly<Record<Regime, number>> = { bull: 1, chop: 0.7, bear: 0.4 };
const EXTREME_MULTIPLIER = 0.8;
const WEIGHT_MAX = 0.6;

/**
 * Weights in proportion to 1 / volatility, which give each asset the same part of the risk when all correlations are
 * equal (Maillard, Roncalli and Teiletche, J. Portfolio Management 36, 2010). A weight above the cap is cut to it and
 * the rest handed to the others in proportion. They sum to 1. Null when a volatility is not above 0.
 * @throws RangeError when so few assets cannot keep the cap.
 */
export function getInverseVolWeights(vols: readonly number[], cap = WEIGHT_MAX): number[] | null {
  if (vols.length * cap < 1) throw new RangeError(`${vols.length} weights of at most ${cap} do not make 1`);
  if (!vols.every((vol) => vol > 0 && Number.isFinite(vol))) return null;
  const raw = vols.map((vol) => 1 / vol);
  const capped = new Set<number>();
  for (let round = 0; round <= vols.length; round += 1) {
    const open = raw.reduce((sum, one, index) => (capped.has(index) ? sum : sum + one), 0);
    const rest = 1 - capped.size * cap;
    const weights = raw.map((one, index) => (capped.has(index) ? cap : (rest * one) / open));
    const over = weights.flatMap((weight, index) => (weight > cap + 1e-12 ? [index] : []));
    if (over.length === 0) return weights;
    for (const index of over) capped.add(index);
  }
  return null;
}

/** Volatility of weights, in the unit of the covariance's root. */
export const getPortfolioSigma = (weights: readonly number[], covariance: Matrix): number =>
  Math.sqrt(Math.max(0, dot(weights, multiply(covariance, weights))));

/** How much of a profile's target volatility the state of the market leaves. */
export const getMultiplier = (regime: Regime, is_extreme: boolean): number =>
  REGIME_MULTIPLIERS[regime] * (is_extreme ? EXTREME_MULTIPLIER : 1);

/**
 * Share of the risky assets in a portfolio, 0 to 1, so that its volatility is the target's part (Moreira and Muir, J.
 * Finance 72, 2017); never borrowed. The rest is USDC.
 */
export const getGross = (target_vol: number, multiplier: number, sigma: number): number =>
  sigma > 0 ? Math.min(1, (target_vol * multiplier) / sigma) : 0;
