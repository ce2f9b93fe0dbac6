import { sampleStandardDeviation } from "simple-statistics";

/** Trading days of a year, by the convention of Brazil's markets. */
const YEAR_DAYS = 252;

/** Logarithmic returns of consecutive closes. */
export const toLogReturns = (closes: readonly number[]): readonly number[] =>
  closes.slice(1).map((close, index) => Math.log(close / (closes[index] ?? close)));

/** Sample deviation of the last so many log returns x sqrt(252), a fraction a year; null when there are fewer. */
export function getVolatility(returns: readonly number[], count: number): number | null {
  const used = returns.slice(-count);
  return used.length < count || count < 2 ? null : sampleStandardDeviation([...used]) * Math.sqrt(YEAR_DAYS);
}
