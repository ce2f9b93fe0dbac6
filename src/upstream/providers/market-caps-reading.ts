import { type Unusable, unusable } from "../../catalog/unusable.ts";
import { CLOCK_SKEW_MAX_MS } from "./clock-skew.ts";

/** What the coins of a publisher are worth by its own count of the coins in circulation. */
export interface MarketCaps {
  /** Provider id. */
  readonly source: string;
  /** USD by symbol; coins whose supply the publisher does not vouch for are left out. */
  readonly caps: ReadonlyMap<string, number>;
  /** USD; null when the publisher's figure could not be read. */
  readonly total_usd: number | null;
  /** What the total and Bitcoin's share count: the whole market, or only the coins that publisher lists. */
  readonly total_of: "market" | "listed_coins";
  /** Percent; null when the publisher gives none. */
  readonly total_change_24h_pct: number | null;
  /** Bitcoin's share of the total, percent. */
  readonly btc_dominance_pct: number | null;
  /** The publisher's time of Bitcoin's figure, ms. */
  readonly at_ms: number;
}

/** What a publisher says of the market as a whole. */
export type MarketTotals = Pick<MarketCaps, "total_usd" | "total_change_24h_pct" | "btc_dominance_pct">;

export const NO_TOTALS: MarketTotals = { total_usd: null, total_change_24h_pct: null, btc_dominance_pct: null };

/** One coin as a publisher lists it. */
export interface CapRow {
  readonly symbol: string;
  /** Null or 0 when the publisher does not know it. */
  readonly cap_usd: number | null;
  readonly at_ms: number;
}

export interface CapsReading {
  readonly caps: ReadonlyMap<string, number>;
  readonly at_ms: number;
}

/** Publishers renew the figures every few minutes; older ones mean that they have stopped. */
const AGE_MAX_MS = 2 * 3_600_000;
const COINS_MIN = 5;
/** Bitcoin has not been below this since 2013; a figure outside is in another unit. */
const BITCOIN_CAP_MIN_USD = 1e9;
/** A figure above this is none. */
export const CAP_MAX_USD = 1e15;

/**
 * Where several coins share a symbol, the larger one is meant. A coin that its publisher no longer renews, as after it
 * became another one, has no capitalisation now.
 */
function collectCaps(rows: readonly CapRow[], now_ms: number): Map<string, number> {
  const caps = new Map<string, number>();
  for (const { symbol, cap_usd, at_ms } of rows) {
    if (symbol !== "BTC" && !(now_ms - at_ms <= AGE_MAX_MS)) continue;
    if (cap_usd === null || !(cap_usd > 0) || cap_usd > CAP_MAX_USD) continue;
    if (cap_usd > (caps.get(symbol) ?? 0)) caps.set(symbol, cap_usd);
  }
  return caps;
}

/** The coins of an answer, or why it cannot be used. */
export function readCapRows(rows: readonly CapRow[], now_ms: number): CapsReading | Unusable {
  const caps = collectCaps(rows, now_ms);
  const bitcoin = rows.find(({ symbol, cap_usd }) => symbol === "BTC" && cap_usd === caps.get("BTC"));
  if (!bitcoin || (caps.get("BTC") ?? 0) < BITCOIN_CAP_MIN_USD) return unusable("Bitcoin's capitalisation is missing");
  if (caps.size < COINS_MIN) return unusable(`only ${caps.size} coins`);
  const { at_ms } = bitcoin;
  if (!Number.isFinite(at_ms)) return unusable("the time cannot be read");
  if (at_ms > now_ms + CLOCK_SKEW_MAX_MS) return unusable("the time lies in the future");
  if (now_ms - at_ms > AGE_MAX_MS) return unusable("the figures are older than 2 h");
  return { caps, at_ms };
}
