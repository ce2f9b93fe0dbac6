import { type Draft, missing } from "intel-node";
import { DAY_MS } from "intel-node/providers/bars";
import type { DailyPoint } from "intel-node/series/daily-series";
import type { CorrelationInputs } from "./fetch.ts";
import type { OwnList } from "./own-list.ts";
import type { CorrelationData } from "./schema.ts";
import { currencyOf } from "./share-series.ts";

const RETURNS_MAX = 90;
const RETURNS_MIN = 20;
const DAYS_PER_YEAR = 365;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Closes of everything that has a weight, by name; null where one is missing. */
function listCloses({ series, macro }: CorrelationInputs, names: readonly string[]) {
  const lists = names.map((name): readonly DailyPoint[] | null => {
    const coin = series.find(({ symbol }) => symbol === name);
    if (coin) return coin.bars.map(({ t_ms, close }): DailyPoint => [dayOf(t_ms), close]);
    return macro.find(({ id }) => id === name)?.series?.points ?? null;
  });
  return lists.every((list) => list !== null) ? lists : null;
}

/** Log returns between the last days that all have: one list a name, and the days in a year's terms. */
function alignCloses(lists: readonly (readonly DailyPoint[])[]) {
  const closes = lists.map((list) => new Map(list.filter(([, value]) => value > 0)));
  const [first, ...others] = closes;
  const dates = [...(first?.keys() ?? [])].filter((date) => others.every((one) => one.has(date))).sort();
  const kept = dates.slice(-RETURNS_MAX - 1);
  const returns = closes.map((one) =>
    kept.slice(1).map((date, index) => Math.log((one.get(date) ?? 0) / (one.get(kept[index] ?? "") ?? 0))),
  );
  const days = (Date.parse(kept.at(-1) ?? "") - Date.parse(kept[0] ?? "")) / DAY_MS;
  return { returns, n: Math.max(0, kept.length - 1), days };
}

/** What is quoted in another currency than the dollar: its returns are without those of that currency. */
function listForeign(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const currency = name === "NIKKEI" ? "JPY" : (currencyOf(name) ?? "USD");
    return currency === "USD" ? [] : [`${name} in ${currency}`];
  });
}

function getCovariance(x: readonly number[], y: readonly number[]): number {
  const meanOf = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
  const [mean_x, mean_y] = [meanOf(x), meanOf(y)];
  return x.reduce((sum, one, index) => sum + (one - mean_x) * ((y[index] ?? mean_y) - mean_y), 0) / (x.length - 1);
}

/**
 * Risk of a portfolio of parts, from returns between the last days on which all were observed: its volatility, and
 * which part of its variance each of them carries (its weight times its covariance with the whole).
 */
export function computePortfolio(
  inputs: CorrelationInputs,
  { weights }: OwnList,
  warnings: string[],
): Draft<CorrelationData["portfolio"]> {
  if (!weights) return null;
  const names = [...weights.keys()];
  const lists = listCloses(inputs, names);
  const { returns, n, days } = alignCloses(lists ?? []);
  if (!lists || n < RETURNS_MIN) {
    return missing(lists ? `${n} common returns, ${RETURNS_MIN} are needed` : "one of them has no bars");
  }
  const foreign = listForeign(names);
  if (foreign.length > 0) warnings.push(`portfolio: ${foreign.join(", ")}: exchange rates are in none of its figures`);
  const parts = [...weights.values()];
  const whole =
    returns[0]?.map((_, day) => parts.reduce((sum, part, i) => sum + part * (returns[i]?.[day] ?? 0), 0)) ?? [];
  const variance = getCovariance(whole, whole);
  const yearly = Math.sqrt((n / days) * DAYS_PER_YEAR);
  const volatilities = returns.map((one) => Math.sqrt(getCovariance(one, one)) * yearly);
  const mean_volatility = parts.reduce((sum, part, index) => sum + part * (volatilities[index] ?? 0), 0);
  const volatility = Math.sqrt(variance) * yearly;
  if (!(volatility > 0)) return missing("it did not move");
  return {
    n,
    volatility_pct: volatility * 100,
    diversification_ratio: mean_volatility / volatility,
    parts: names.map((symbol, index) => ({
      symbol,
      weight_frac: parts[index] ?? 0,
      volatility_pct: (volatilities[index] ?? 0) * 100,
      risk_frac: ((parts[index] ?? 0) * getCovariance(returns[index] ?? [], whole)) / variance,
    })),
  };
}
