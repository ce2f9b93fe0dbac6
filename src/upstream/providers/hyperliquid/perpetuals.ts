import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { Rows } from "../../../catalog/rows.ts";
import { isUnusable, unusable } from "../../../catalog/unusable.ts";
import { compileSchema } from "../../../core/compile-schema.ts";
import { DecimalText } from "../quote.ts";
import { Listed, readListed } from "./listed.ts";
import { hyperliquid } from "./provider.ts";

/** One coin's perpetual future now. */
export interface Perpetual {
  /** Paid by longs to shorts, per hour, as a fraction of the position. */
  readonly rate_1h_frac: number;
  /** In coins, so that a move of the price does not change it. */
  readonly open_interest_coins: number;
}

const COINS_MAX = 2_000;
/** The venue's own cap, per hour. */
const RATE_MAX = 0.04;
const RATE_PATTERN = "^-?(0|[1-9][0-9]{0,4})(\\.[0-9]{1,18})?$";

const Entry = compileSchema(
  Type.Object({ funding: Type.String({ pattern: RATE_PATTERN }), openInterest: DecimalText }),
);

/**
 * Funding and open interest of the named coins, of those the venue has both of. An answer without any of them is
 * refused.
 * @throws UpstreamError
 */
export function fetchPerpetuals(
  context: Pick<FetchContext, "get">,
  symbols: readonly string[],
): Promise<ReadonlyMap<string, Perpetual>> {
  return context.get(hyperliquid, {
    path: "/info",
    body: { type: "metaAndAssetCtxs" },
    schema: Listed,
    ttl_ms: 10_000,
    read(answer, _, eachRow) {
      const coins = readListed(answer, eachRow);
      if (isUnusable(coins)) return coins;
      const found = new Map<string, Perpetual>();
      for (const { name, entry } of coins) {
        if (!symbols.includes(name) || !Entry.Check(entry)) continue;
        const rate_1h_frac = Number(entry.funding);
        const open_interest_coins = Number(entry.openInterest);
        if (Math.abs(rate_1h_frac) <= RATE_MAX && open_interest_coins > 0) {
          found.set(name, { rate_1h_frac, open_interest_coins });
        }
      }
      return found.size > 0 ? found : unusable("none of the coins has a usable entry");
    },
  });
}

const Prediction = compileSchema(
  Type.Object({
    fundingRate: Type.String({ pattern: RATE_PATTERN }),
    fundingIntervalHours: Type.Integer({ minimum: 1, maximum: 24 }),
  }),
);
const Predictions = Rows(
  Type.Tuple([Type.String(), Rows(Type.Tuple([Type.String(), Type.Unknown()]), { maxItems: 20 })]),
  { minItems: 1, maxItems: COINS_MAX },
);

/** Funding per hour, as a fraction of the position, by venue: "HlPerp", "BinPerp", "BybitPerp". */
export type FundingByVenue = ReadonlyMap<string, number>;

/**
 * Predicted funding of the named coins on Hyperliquid and elsewhere, as Hyperliquid sees it. A venue whose entry is
 * null or does not say for how many hours it stands is left out.
 * @throws UpstreamError
 */
export function fetchPredictedFundings(
  context: Pick<FetchContext, "get">,
  symbols: readonly string[],
): Promise<ReadonlyMap<string, FundingByVenue>> {
  return context.get(hyperliquid, {
    path: "/info",
    body: { type: "predictedFundings" },
    schema: Predictions,
    ttl_ms: 10_000,
    read(rows, _, eachRow) {
      const found = new Map<string, FundingByVenue>();
      for (const [symbol, venues] of rows) {
        if (!symbols.includes(symbol)) continue;
        const rates = new Map<string, number>();
        eachRow(venues, ([venue, entry]) => {
          // Venues that do not list the coin have no entry.
          if (entry === null) return null;
          if (!Prediction.Check(entry)) return unusable("no rate, or not for how many hours");
          const rate = Number(entry.fundingRate) / entry.fundingIntervalHours;
          if (Math.abs(rate) > RATE_MAX) return unusable("the rate is above the venue's cap");
          rates.set(venue, rate);
          return null;
        });
        found.set(symbol, rates);
      }
      return found.size > 0 ? found : unusable("none of the coins is in it");
    },
  });
}
