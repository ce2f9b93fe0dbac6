import { getOLSBeta } from "intel-node/quant/correlation";
import { getNormalQuantile } from "intel-node/quant/distributions";
import type { Matrix } from "intel-node/quant/matrix";
import { HISTORICAL_SCENARIOS } from "../portfolio/historical-scenarios.ts";
import { chooseBeta, runHistorical, runHypothetical } from "../portfolio/scenarios.ts";
import type { Regime } from "../regimes/replay.ts";
import { getGross, getInverseVolWeights, getMultiplier, getPortfolioSigma, PROFILES } from "./allocation.ts";
import { type CopilotData, type CopilotProfile, HELD, RISKY } from "./schema.ts";

const DAYS_PER_YEAR = 365;
const MONTH_DAYS = 30;
const BETA_DAYS = 180;
const WORST = 5;
const RELATIVE_DRIFT = 0.2;
const POINTS_DRIFT = 0.05;
const RULE = "Rebalance when a weight drifts by more than 20 % of itself or by more than 5 percentage points.";

const toPct = (fraction: number): number => 100 * fraction;

export interface AllocationInputs {
  /** Of daily log returns, in the order of RISKY, per day squared. */
  readonly covariance: Matrix;
  /** Daily log returns behind it. */
  readonly returns: readonly (readonly number[])[];
  readonly regime: Regime;
  readonly is_extreme: boolean;
}

export type Allocation = Pick<CopilotData, "assets" | "sigma_risky_pct" | "profiles">;

type Weights = CopilotProfile["weights"];

/** Slope of an asset's daily log returns over Bitcoin's; null when it cannot be measured. */
const getBeta = ([bitcoin = [], ...others]: AllocationInputs["returns"], index: number): number | null => {
  const own = index === 0 ? bitcoin : (others[index - 1] ?? []);
  return getOLSBeta(bitcoin.slice(-BETA_DAYS), own.slice(-BETA_DAYS));
};

/** Where scenarios take another slope than the measured one, in words. */
export const explainBetas = ({ returns }: AllocationInputs): string[] =>
  RISKY.flatMap((asset, index) => {
    const { why } = chooseBeta(getBeta(returns, index));
    return why === null ? [] : [`profiles.worst_scenarios: beta of ${asset}: ${why}`];
  });

/** Loss of each scenario, percent, worst first. Leaving a market is not a scenario here: it depends on the money. */
function runAll(weights: Weights, { covariance, returns }: AllocationInputs): CopilotProfile["worst_scenarios"] {
  const assets = HELD.map((asset, index) => ({
    asset,
    value_usd: weights[asset],
    beta: asset === "USDC" ? null : getBeta(returns, index),
    sigma: Math.sqrt(covariance[index]?.[index] ?? 0),
    volume_usd: null,
  }));
  const results = [
    ...HISTORICAL_SCENARIOS.map((scenario) => runHistorical(scenario, assets)),
    ...runHypothetical(assets).filter(({ id }) => id !== "liquidity_exit"),
  ];
  return results
    .map(({ id, pnl_usd }) => ({ id, pnl_pct: toPct(pnl_usd ?? 0) }))
    .sort((a, b) => a.pnl_pct - b.pnl_pct)
    .slice(0, WORST);
}

/** Target weights of the three profiles. Null when an asset did not move. */
export function computeAllocation(inputs: AllocationInputs): Allocation | null {
  const { covariance, regime, is_extreme } = inputs;
  const vols = covariance.map((row, index) => Math.sqrt((row[index] ?? 0) * DAYS_PER_YEAR));
  const risky = getInverseVolWeights(vols);
  if (!risky) return null;
  const sigma = getPortfolioSigma(risky, covariance) * Math.sqrt(DAYS_PER_YEAR);
  const multiplier = getMultiplier(regime, is_extreme);
  const profiles = PROFILES.map(({ id, target_vol }): CopilotProfile => {
    const gross = getGross(target_vol, multiplier, sigma);
    const [BTC = 0, ETH = 0, SOL = 0] = risky.map((weight) => weight * gross);
    const exact = { BTC, ETH, SOL, USDC: 1 - gross };
    const expected = gross * sigma;
    const day = (-getNormalQuantile(0.05) * expected) / Math.sqrt(DAYS_PER_YEAR);
    const worst_scenarios = runAll(exact, inputs);
    return {
      id,
      target_vol_pct: toPct(target_vol),
      multiplier,
      gross_frac: gross,
      weights: exact,
      expected_vol_pct: toPct(expected),
      var95_1d_pct: toPct(day),
      var95_30d_pct: toPct(day * Math.sqrt(MONTH_DAYS)),
      worst_scenario_pct: worst_scenarios[0]?.pnl_pct ?? 0,
      worst_scenarios,
      rebalance_rule: RULE,
    };
  });
  return {
    assets: RISKY.map((symbol, index) => ({
      symbol,
      vol_pct: toPct(vols[index] ?? 0),
      inverse_vol_weight: risky[index] ?? 0,
    })),
    sigma_risky_pct: toPct(sigma),
    profiles,
  };
}

const isLarge = (from: number, to: number): boolean =>
  Math.abs(to - from) > POINTS_DRIFT || Math.abs(to - from) > RELATIVE_DRIFT * from;

/** Every weight that is not what it was. */
export function getChanges(now: Allocation, before: Allocation): NonNullable<CopilotData["changes_since_yesterday"]> {
  return now.profiles.flatMap(({ id, weights }) => {
    const earlier = before.profiles.find((profile) => profile.id === id)?.weights;
    return HELD.flatMap((asset) => {
      const [from_frac, to_frac] = [earlier?.[asset], weights[asset]];
      if (from_frac === undefined || from_frac === to_frac) return [];
      return [{ id, asset, from_frac, to_frac, rebalance: isLarge(from_frac, to_frac) }];
    });
  });
}
