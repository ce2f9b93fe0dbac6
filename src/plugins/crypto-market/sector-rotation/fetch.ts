import { type FetchContext, type Outcome, outcomeOf, toNodeError } from "intel-node";
import { fetchMarketCaps } from "intel-node/providers/market-caps";
import type { MarketCaps } from "intel-node/providers/market-caps-reading";
import type { BarSeries } from "intel-node/series/bar-series";
import { hasNoHistory, loadManyBars } from "intel-node/series/load-bars";
import { SECTOR_MEMBERS } from "../universe/universe.ts";

export interface SectorRotationInputs {
  /** Daily bars of the members that have them; they may end on different days. */
  readonly series: readonly BarSeries[];
  readonly caps: Outcome<MarketCaps>;
}

/** A return over 90 days takes 91 closes; one more lets a preview be a day older, another the newest day be missing. */
const BARS = 93;
const BARS_MIN = 92;
/** The fewest members that make a market to compare a sector with. */
export const MEMBERS_RATIO_MIN = 0.6;

/**
 * Daily bars of every sector's members, stored by the job or fetched, and market capitalisations, which may fail.
 * @throws NodeError when bars of a member that exist could not be read, or when too few members have any.
 */
export async function fetchSectorRotation(context: FetchContext): Promise<SectorRotationInputs> {
  const requests = SECTOR_MEMBERS.map(
    (symbol) => ({ symbol, interval: "1d", count: BARS, count_min: BARS_MIN, grace: true }) as const,
  );
  const [outcomes, caps] = await Promise.all([loadManyBars(context, requests), outcomeOf(fetchMarketCaps(context))]);
  // A member whose bars exist and could not be read is not left out: its sector would be another one.
  const unread = outcomes.flatMap((outcome) => (outcome.ok || hasNoHistory(outcome.error) ? [] : [outcome.error]));
  if (unread.length > 0) throw toNodeError(unread, "sector-rotation");
  const series = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : []));
  const enough = series.length >= SECTOR_MEMBERS.length * MEMBERS_RATIO_MIN;
  if (!enough || !series.some(({ symbol }) => symbol === "BTC")) {
    throw toNodeError(
      outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.error])),
      "sector-rotation",
    );
  }
  return { series, caps };
}
