import { type FetchContext, type Outcome, toNodeError } from "intel-node";
import type { BarSeries } from "intel-node/series/bar-series";
import { loadManyBars } from "intel-node/series/load-bars";
import { listMissingBars, type MissingBars } from "intel-node/series/missing-bars";
import { UNIVERSE_10 } from "../shared/universe.ts";
import { MACRO, readMacro, type StoredInstrument } from "./macro-series.ts";

/** The last 30 days and the 90 before them take 121 closes; the rest reaches a day further back and over gaps. */
const BARS = 182;
/** With fewer closes a coin lacks more than 5 % of the days. */
const BARS_MIN = 172;
export const COINS_MIN = 4;

export interface CorrelationInputs {
  readonly series: readonly BarSeries[];
  /** Coins without usable bars. */
  readonly missing: readonly MissingBars[];
  /** Stored histories of other markets; null where the node has none that is recent. */
  readonly macro: readonly { readonly id: string; readonly series: StoredInstrument | null }[];
}

/**
 * Daily bars of ten coins, stored by the job or fetched.
 * @throws NodeError when fewer than four coins have them.
 */
export async function fetchCorrelations(context: FetchContext): Promise<CorrelationInputs> {
  const requests = UNIVERSE_10.map(
    (symbol) => ({ symbol, interval: "1d", count: BARS, count_min: BARS_MIN, grace: true }) as const,
  );
  const outcomes: readonly Outcome<BarSeries>[] = await loadManyBars(context, requests);
  const series = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : []));
  if (series.length < COINS_MIN) {
    throw toNodeError(
      outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.error])),
      "correlation-matrix",
    );
  }
  const macro = await Promise.all(MACRO.map(async (id) => ({ id, series: await readMacro(context, id) })));
  return { macro, series, missing: listMissingBars(UNIVERSE_10, outcomes) };
}
