import { getNormalCDF } from "intel-node/quant/distributions";
import { getExcessKurtosis, getSkewness } from "intel-node/quant/moments";
import { type BacktestRun, CAPITAL_USD } from "./engine.ts";

const DAYS_PER_YEAR = 365;
/** Returns that move less than this do not move. */
const SIGMA_MIN = 1e-12;

export interface Drawdown {
  /** At most 0, a fraction. */
  readonly ratio: number;
  /** Index of the close it fell from, -1 for the capital before the first one; null when it never fell. */
  readonly peak: number | null;
  /** Index of its lowest close. */
  readonly trough: number | null;
}

/** Fractions, not percent; not rounded. */
export interface Metrics {
  readonly final_equity_usd: number;
  readonly total_return: number;
  readonly cagr: number;
  readonly volatility: number;
  readonly sharpe: number | null;
  readonly sortino: number | null;
  readonly max_drawdown: Drawdown;
  readonly calmar: number | null;
  readonly exposure: number;
  readonly trades: number;
  readonly win_rate: number | null;
  readonly profit_factor: number | null;
  readonly turnover: number;
  readonly fees_usd: number;
  readonly psr: number | null;
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

/** Daily simple returns, the first one against the capital. */
const getReturns = (equity: readonly number[]): number[] =>
  equity.map((value, index) => value / (index === 0 ? CAPITAL_USD : (equity[index - 1] ?? Number.NaN)) - 1);

/** The deepest fall from a peak, the capital counting as the first one. */
export function getMaxDrawdown(equity: readonly number[]): Drawdown {
  let [high, high_index] = [CAPITAL_USD, -1];
  let worst: Drawdown = { ratio: 0, peak: null, trough: null };
  for (const [index, value] of equity.entries()) {
    if (value > high) [high, high_index] = [value, index];
    const ratio = value / high - 1;
    if (ratio < worst.ratio) worst = { ratio, peak: high_index, trough: index };
  }
  return worst;
}

/**
 * Probability that the true Sharpe ratio is above 0, given the length, skewness and kurtosis of the returns: Bailey and
 * Lopez de Prado, The Sharpe Ratio Efficient Frontier, J. of Risk 15 (2012). `ratio` is per day, not per year. Null
 * where the formula has no value.
 */
function getProbabilisticSharpe(ratio: number, returns: readonly number[]): number | null {
  const [skewness, excess] = [getSkewness(returns), getExcessKurtosis(returns)];
  if (skewness === null || excess === null) return null;
  const variance = 1 - skewness * ratio + ((excess + 2) / 4) * ratio ** 2;
  return variance > 0 ? getNormalCDF((ratio * Math.sqrt(returns.length - 1)) / Math.sqrt(variance)) : null;
}

/** Sharpe and Sortino ratio per year, and the probability that the Sharpe ratio is above 0; the riskless rate is 0. */
function getRatios(returns: readonly number[]) {
  const mean = meanOf(returns);
  const sigma = Math.sqrt(returns.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (returns.length - 1));
  const downside = Math.sqrt(meanOf(returns.map((one) => Math.min(one, 0) ** 2)));
  const year = Math.sqrt(DAYS_PER_YEAR);
  // Constant prices leave one return, the costs of the first day: a ratio of that would say nothing.
  const moves = sigma >= SIGMA_MIN && returns.slice(1).some((one) => Math.abs(one) >= SIGMA_MIN);
  return {
    volatility: sigma * year,
    sharpe: moves ? (mean / sigma) * year : null,
    sortino: moves && downside >= SIGMA_MIN ? (mean / downside) * year : null,
    psr: moves ? getProbabilisticSharpe(mean / sigma, returns) : null,
  };
}

/** The result of a run. `calmar` is cagr / -max_drawdown; `turnover` all that was traded / mean equity. */
export function computeMetrics(run: BacktestRun): Metrics {
  const final = run.equity.at(-1) ?? CAPITAL_USD;
  const cagr = (final / CAPITAL_USD) ** (DAYS_PER_YEAR / run.equity.length) - 1;
  const max_drawdown = getMaxDrawdown(run.equity);
  const profits = run.trades.map(({ profit_usd }) => profit_usd);
  const sumOf = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0);
  const won = profits.filter((one) => one > 0);
  const lost_usd = -sumOf(profits.filter((one) => one < 0));
  return {
    final_equity_usd: final,
    total_return: final / CAPITAL_USD - 1,
    cagr,
    ...getRatios(getReturns(run.equity)),
    max_drawdown,
    calmar: max_drawdown.ratio < -SIGMA_MIN ? cagr / -max_drawdown.ratio : null,
    exposure: run.weights.filter((weight) => weight > 0).length / run.weights.length,
    trades: profits.length,
    win_rate: profits.length === 0 ? null : won.length / profits.length,
    profit_factor: lost_usd > 0 ? sumOf(won) / lost_usd : null,
    turnover: run.traded_usd / meanOf(run.equity),
    fees_usd: run.fees_usd,
  };
}
