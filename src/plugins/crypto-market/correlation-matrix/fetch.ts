import { createNoSuchSubject, type FetchContext, type Outcome, toNodeError } from "intel-node";
import type { BarSeries } from "intel-node/series/bar-series";
import { hasNoHistory, loadManyBars } from "intel-node/series/load-bars";
import { listMissingBars, type MissingBars } from "intel-node/series/missing-bars";
import { UNIVERSE_10, UNIVERSE_20 } from "../universe/universe.ts";
import { MACRO, readMacro } from "./macro-series.ts";
import type { OwnList } from "./own-list.ts";
import type { StoredMarket } from "./stored-market.ts";

/** The last 30 days and the 90 before them take 121 closes; the rest reaches a day further back and over gaps. */
const BARS = 182;
/** With fewer closes a coin lacks more than 5 % of the days. */
const BARS_MIN = 172;
export const COINS_MIN = 4;

export interface CorrelationInputs {
  readonly series: readonly BarSeries[];
  /** Coins without usable bars. */
  readonly missing: readonly MissingBars[];
  /** The buyer's own list; its coins are `series`, its markets `macro`. */
  readonly own?: OwnList;
  /** Stored histories of other markets, shares among them; null without a recent one. */
  readonly macro: readonly { readonly id: string; readonly series: StoredMarket | null }[];
}

/** What a list of one's own needs: two of anything. */
export const OWN_MIN = 2;

/**
 * Daily bars of ten coins, or of a list of one's own with other markets, stored by the job or fetched.
 * @throws NodeError when fewer than four coins have them, or than two of an own list; subject_not_found for a coin of
 *   it that no venue has long enough, or a share that this node keeps no closes of.
 */
export async function fetchCorrelations(context: FetchContext, own: OwnList | null = null): Promise<CorrelationInputs> {
  const coins = own?.coins ?? UNIVERSE_10;
  const requests = coins.map(
    (symbol) => ({ symbol, interval: "1d", count: BARS, count_min: BARS_MIN, grace: true }) as const,
  );
  const outcomes: readonly Outcome<BarSeries>[] = await loadManyBars(context, requests);
  const series = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : []));
  const markets = own?.markets ?? MACRO;
  const macro = await Promise.all(markets.map(async (id) => ({ id, series: await readMacro(context, id) })));
  const known = series.length + (own ? macro.filter((one) => one.series).length : 0);
  if (own) assertListed(own.coins, outcomes);
  if (known < (own ? OWN_MIN : COINS_MIN)) {
    throw toNodeError(
      outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.error])),
      "correlation-matrix",
    );
  }
  return { macro, series, missing: listMissingBars(coins, outcomes), ...(own ? { own } : {}) };
}

/** @throws NodeError subject_not_found for a coin for which every venue states no such history. */
function assertListed(coins: readonly string[], outcomes: readonly Outcome<BarSeries>[]): void {
  for (const [index, got] of coins.entries()) {
    const outcome = outcomes[index];
    if (outcome?.ok !== false || !hasNoHistory(outcome.error)) continue;
    const message =
      `No venue here has ${BARS_MIN} daily bars of a coin ${got}. ` +
      `A share is written with its exchange: ${got}.US, PETR4.SA.`;
    throw createNoSuchSubject(message, { param: "symbols", got, known: UNIVERSE_20 });
  }
}
