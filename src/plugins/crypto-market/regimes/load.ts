import { type FetchContext, NodeError } from "intel-node";
import { type Bar, DAY_MS } from "intel-node/providers/bars";
import type { BarSeries } from "intel-node/series/bar-series";
import { loadManyBars } from "intel-node/series/load-bars";
import { listMissingBars, type MissingBars } from "intel-node/series/missing-bars";
import { UNIVERSE_20 } from "../universe/universe.ts";
import { BITCOIN_DAYS, type RegimeInputs } from "./compute.ts";
import { BREADTH_COINS_MIN } from "./factors.ts";

/** A thousand returns for the model of two states, where a venue has as many. */
const BITCOIN_DAYS_WANTED = 1_001;
/** Replayed breadth takes 200 days and an average of 200 before the first. */
const COIN_DAYS_WANTED = 400;
const COIN_DAYS_MIN = 60;

export interface LoadedRegime extends RegimeInputs {
  /** Provider of Bitcoin's bars. */
  readonly provider: string;
  /** Coins without usable bars. */
  readonly missing: readonly MissingBars[];
  /** Coins whose bars do not reach the day the others end with. */
  readonly late: readonly string[];
}

/**
 * Series that end with the same bar: Bitcoin's newest, or the one before while too few coins have that (the job is at
 * it). Coins without that bar are left out.
 */
function align(series: readonly BarSeries[], bitcoin: BarSeries): ReadonlyMap<string, readonly Bar[]> {
  const endAt = (last_ms: number) =>
    new Map(
      series.flatMap(({ symbol, bars }): [string, readonly Bar[]][] => {
        const end = bars.findLastIndex(({ t_ms }) => t_ms === last_ms);
        return end === -1 ? [] : [[symbol, bars.slice(0, end + 1)]];
      }),
    );
  const last_ms = bitcoin.bars.at(-1)?.t_ms ?? 0;
  const newest = endAt(last_ms);
  if (newest.size >= BREADTH_COINS_MIN || bitcoin.bars.length <= BITCOIN_DAYS) return newest;
  const before = endAt(last_ms - DAY_MS);
  return before.size >= BREADTH_COINS_MIN && before.size > newest.size ? before : newest;
}

/**
 * What computeRegime takes: the stored daily bars, or, before the jobs ran, those of the venues.
 * @throws NodeError when Bitcoin's bars are unavailable.
 */
export async function loadRegimeInputs(context: FetchContext): Promise<LoadedRegime> {
  const outcomes = await loadManyBars(
    context,
    UNIVERSE_20.map((symbol) => ({
      symbol,
      interval: "1d" as const,
      count: symbol === "BTC" ? BITCOIN_DAYS_WANTED : COIN_DAYS_WANTED,
      count_min: symbol === "BTC" ? BITCOIN_DAYS : COIN_DAYS_MIN,
      grace: true,
    })),
  );
  const series = outcomes.flatMap((one): BarSeries[] => (one.ok ? [one.value] : []));
  const bitcoin = series.find(({ symbol }) => symbol === "BTC");
  if (!bitcoin) {
    const [first] = outcomes;
    throw first && !first.ok && first.error instanceof NodeError
      ? first.error
      : new NodeError("upstream_unavailable", "No daily bars of Bitcoin. Nothing was charged.", { retry_after_s: 60 });
  }
  const alike = align(series, bitcoin);
  return {
    provider: bitcoin.provider,
    bitcoin: alike.get("BTC") ?? bitcoin.bars,
    universe: [...alike.values()],
    missing: listMissingBars(UNIVERSE_20, outcomes),
    late: series.flatMap(({ symbol }) => (alike.has(symbol) ? [] : [symbol])),
  };
}
