import { getNormalDensity, getNormalQuantile } from "intel-node/quant/distributions";
import { dot, getEWMACovariance, multiply } from "intel-node/quant/matrix";
import { getExcessKurtosis, getQuantile7, getSkewness } from "intel-node/quant/moments";

/** What is held and how it moved. */
export interface RiskInputs {
  /** Value of each asset, US dollars; below 0 when sold short. */
  readonly values_usd: readonly number[];
  /** Daily log returns of each asset, of the same days, the newest last. */
  readonly returns: readonly (readonly number[])[];
}

export interface VaRRow {
  readonly method: "normal" | "cornish_fisher" | "historical";
  readonly confidence: number;
  /** Loss in one day that is exceeded with probability 1 - confidence, US dollars; null outside the method's domain. */
  readonly var_usd: number | null;
  /** Mean loss beyond it, US dollars; null where the method gives none. */
  readonly es_usd: number | null;
}

export interface PortfolioRisk {
  /** Standard deviation of one day's result, US dollars. */
  readonly sigma_usd: number;
  /** Standard deviation of each asset's daily return. */
  readonly sigmas: readonly number[];
  readonly rows: readonly VaRRow[];
  /** Share of each asset in sigma squared; they sum to 1. Null when nothing moves. */
  readonly shares: readonly number[] | null;
  /** One day's result on each day of the past, US dollars. */
  readonly results_usd: readonly number[];
  /** Of results_usd; null when nothing moves. */
  readonly skewness: number | null;
  readonly excess_kurtosis: number | null;
}

export const CONFIDENCES = [0.95, 0.99] as const;
const SKEWNESS_MAX = 1.5;
const KURTOSIS_MAX = 8;

/**
 * The normal quantile corrected for skewness S and excess kurtosis K (Cornish and Fisher, Revue de l'Institut
 * International de Statistique 5, 1938). Null outside the domain where it stays a quantile.
 */
export function getCornishFisher(z: number, S: number, K: number): number | null {
  if (Math.abs(S) > SKEWNESS_MAX || K > KURTOSIS_MAX) return null;
  return z + ((z ** 2 - 1) * S) / 6 + ((z ** 3 - 3 * z) * K) / 24 - ((2 * z ** 3 - 5 * z) * S ** 2) / 36;
}

type Shape = Pick<PortfolioRisk, "sigma_usd" | "results_usd" | "skewness" | "excess_kurtosis">;

/** Value at risk and expected shortfall of one day, three ways (Jorion, Value at Risk, 3rd ed. 2006). */
function getRows(confidence: number, { sigma_usd, results_usd, skewness, excess_kurtosis }: Shape): VaRRow[] {
  const tail = 1 - confidence;
  const z = getNormalQuantile(tail);
  const corrected =
    skewness === null || excess_kurtosis === null ? null : getCornishFisher(z, skewness, excess_kurtosis);
  const quantile = getQuantile7(results_usd, tail);
  const worst = quantile === null ? [] : results_usd.filter((result) => result <= quantile);
  return [
    { method: "normal", confidence, var_usd: -z * sigma_usd, es_usd: (getNormalDensity(z) / tail) * sigma_usd },
    {
      method: "cornish_fisher",
      confidence,
      var_usd: corrected === null ? null : -corrected * sigma_usd,
      es_usd: null,
    },
    {
      method: "historical",
      confidence,
      var_usd: quantile === null ? null : 0 - quantile,
      es_usd: worst.length === 0 ? null : 0 - worst.reduce((sum, result) => sum + result, 0) / worst.length,
    },
  ];
}

/**
 * Risk of one day, from the weighted covariance of the past (RiskMetrics, lambda 0.94) and from the past itself.
 * @throws RangeError without assets or returns, or when the lists do not match.
 */
export function computeRisk({ values_usd, returns }: RiskInputs): PortfolioRisk {
  if (values_usd.length === 0 || values_usd.length !== returns.length) throw new RangeError("one value per asset");
  const covariance = getEWMACovariance(returns);
  const covariances = multiply(covariance, values_usd);
  const variance = Math.max(0, dot(values_usd, covariances));
  const days = returns[0]?.length ?? 0;
  const results_usd = Array.from({ length: days }, (_, day) =>
    values_usd.reduce((sum, value, asset) => sum + value * (returns[asset]?.[day] ?? Number.NaN), 0),
  );
  const shape = {
    sigma_usd: Math.sqrt(variance),
    results_usd,
    skewness: getSkewness(results_usd),
    excess_kurtosis: getExcessKurtosis(results_usd),
  };
  return {
    ...shape,
    sigmas: covariance.map((row, index) => Math.sqrt(row[index] ?? 0)),
    rows: CONFIDENCES.flatMap((confidence) => getRows(confidence, shape)),
    shares: variance === 0 ? null : values_usd.map((value, asset) => (value * (covariances[asset] ?? 0)) / variance),
  };
}
