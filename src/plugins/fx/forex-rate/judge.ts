import { getFXWeek } from "intel-node";
import { isUsable, midOf, spreadBpsOf, type VenueQuote } from "../quotes/quotes.ts";

export interface LiveQuote extends VenueQuote {
  readonly provider: string;
}

/** A rate made of on-chain feeds against the dollar. */
export interface OracleRate {
  readonly rate: number;
  /** Of the feed that was written first, ms. */
  readonly updated_at_ms: number;
}

const AGE_MAX_MS = 60_000;
const SPREAD_BPS_MAX = 25;
/** Farther from the official rate a quote is of something else. */
const OUTLIER_PCT = 3;
/** Feeds of currencies are written at least once a day while their market is open, half as late again at worst. */
const ORACLE_AGE_MAX_MS = 36 * 3_600_000;
const WEEKEND_MS = 49 * 3_600_000;

const isOutlier = (rate: number, official: number | null): boolean =>
  official !== null && Math.abs(rate / official - 1) * 100 > OUTLIER_PCT;
const OUTLIER = `more than ${OUTLIER_PCT} % from the official rate`;

/** Why a quote is not used; null when it is. */
export function judgeQuote(quote: LiveQuote, official: number | null, now_ms: number): string | null {
  if (!isUsable(quote)) return "crossed or without a price";
  if (quote.at_ms !== null && now_ms - quote.at_ms > AGE_MAX_MS) return "older than 60 s";
  if (spreadBpsOf(quote) > SPREAD_BPS_MAX) return `spread above ${SPREAD_BPS_MAX} bps`;
  return isOutlier(midOf(quote), official) ? OUTLIER : null;
}

/** Why an oracle's rate is not used; null when it is. A weekend since its last update does not count. */
export function judgeOracle({ rate, updated_at_ms }: OracleRate, official: number | null, now_ms: number) {
  const { is_open, changes_ms } = getFXWeek(updated_at_ms);
  const closed_ms = !is_open || changes_ms <= now_ms ? WEEKEND_MS : 0;
  if (now_ms - updated_at_ms > ORACLE_AGE_MAX_MS + closed_ms) return "older than its market allows";
  return isOutlier(rate, official) ? OUTLIER : null;
}
