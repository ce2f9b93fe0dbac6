import { type Draft, missing, missingIn } from "intel-node";
import { getPearson } from "intel-node/quant/correlation";
import type { BarSeries } from "intel-node/series/bar-series";
import { isStablecoin } from "../portfolio/historical-scenarios.ts";
import { CONFIDENCES, computeRisk, type PortfolioRisk } from "../portfolio/risk.ts";
import { alignReturns, getLastCommonDay } from "../returns/aligned-returns.ts";
import type { StressData } from "./schema.ts";

const HISTORY_DAYS = 365;
const DAYS_PER_YEAR = 365;
const HORIZONS_D = [1, 10] as const;

export interface HeldAsset {
  readonly asset: string;
  readonly value_usd: number;
}

export interface MeasuredRisk {
  readonly risk: PortfolioRisk;
  /** Assets in the order of the risk's lists. */
  readonly assets: readonly HeldAsset[];
  /** Daily deviation of each asset that has a history. */
  readonly sigmas: ReadonlyMap<string, number>;
  readonly days: number;
  readonly correlation_to_btc: number | null;
}

/**
 * Risk of the assets with a history, over the days common to all, at most a year. Stablecoins count as constant.
 * Null when nothing has a history.
 */
export function measureRisk(
  held: readonly HeldAsset[],
  series: readonly BarSeries[],
  bitcoin: BarSeries | undefined,
): MeasuredRisk | null {
  const own = series.filter(({ symbol }) => held.some(({ asset }) => asset === symbol));
  if (own.length === 0) return null;
  const used = bitcoin && !own.includes(bitcoin) ? [...own, bitcoin] : own;
  const days = Math.min(HISTORY_DAYS, ...used.map(({ bars }) => bars.length - 1));
  const aligned = alignReturns(used, days, getLastCommonDay(used) ?? 0);
  const returnsOf = (symbol: string) => aligned.returns[aligned.symbols.indexOf(symbol)];
  const still = aligned.days_ms.map(() => 0);
  const rows = held.flatMap((one) => {
    const returns = isStablecoin(one.asset) ? still : returnsOf(one.asset);
    return returns && returns.length > 0 ? [{ one, returns }] : [];
  });
  if (rows.length === 0) return null;
  const assets = rows.map(({ one }) => one);
  const risk = computeRisk({
    values_usd: assets.map(({ value_usd }) => value_usd),
    returns: rows.map(({ returns }) => returns),
  });
  const btc_returns = returnsOf("BTC");
  return {
    risk,
    assets,
    sigmas: new Map(assets.map(({ asset }, index) => [asset, risk.sigmas[index] ?? 0])),
    days: aligned.days_ms.length,
    correlation_to_btc: btc_returns ? getPearson(risk.results_usd, btc_returns) : null,
  };
}

type RiskFigures = Pick<
  StressData,
  "var" | "component_var" | "sigma_annual_pct" | "correlation_to_btc" | "diversification_ratio" | "history_days"
>;

const NO_RISK: RiskFigures = {
  var: null,
  component_var: null,
  sigma_annual_pct: null,
  correlation_to_btc: null,
  diversification_ratio: null,
  history_days: null,
};

/** A loss over more days, by the root of time: exact only for independent days of one size. */
const scale = (value: number | null, days: number): number | null => (value === null ? null : value * Math.sqrt(days));

const describeVaR = ({ rows }: PortfolioRisk): Draft<NonNullable<StressData["var"]>> =>
  CONFIDENCES.map((confidence) => ({
    confidence,
    rows: rows
      .filter((row) => row.confidence === confidence)
      .flatMap(({ method, var_usd, es_usd }) =>
        HORIZONS_D.map((horizon_d) => ({
          method,
          horizon_d,
          var_usd:
            scale(var_usd, horizon_d) ?? missing("skewness or kurtosis lies outside the domain of cornish_fisher"),
          es_usd: scale(es_usd, horizon_d),
        })),
      ),
  }));

/** The figures as they are published; all are missing when nothing has a history. */
export function describeRisk(measured: MeasuredRisk | null, warnings: string[]): Draft<RiskFigures> {
  if (!measured) return missingIn(NO_RISK, "no daily bars of what is held");
  const { risk, assets, days, correlation_to_btc } = measured;
  if (days < HISTORY_DAYS) warnings.push(`var: ${days} instead of ${HISTORY_DAYS} daily returns`);
  const gross_usd = assets.reduce((sum, { value_usd }) => sum + Math.abs(value_usd), 0);
  const apart = assets.reduce((sum, { value_usd }, index) => sum + Math.abs(value_usd) * (risk.sigmas[index] ?? 0), 0);
  const still = missing("the portfolio did not move");
  return {
    var: describeVaR(risk),
    component_var:
      risk.shares?.map((share, index) => ({ asset: assets[index]?.asset ?? "", share_frac: share })) ?? still,
    sigma_annual_pct: ((100 * risk.sigma_usd) / gross_usd) * Math.sqrt(DAYS_PER_YEAR),
    correlation_to_btc: correlation_to_btc ?? missing("not to be told"),
    diversification_ratio: risk.sigma_usd === 0 ? still : apart / risk.sigma_usd,
    history_days: days,
  };
}
