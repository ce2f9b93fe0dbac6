import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { outcomeOf } from "../../../catalog/failover.ts";
import { Rows } from "../../../catalog/rows.ts";
import {
  CAP_MAX_USD,
  type CapsReading,
  type MarketCaps,
  type MarketTotals,
  NO_TOTALS,
  readCapRows,
} from "../market-caps-reading.ts";
import { coinmarketcap } from "./provider.ts";

/** One credit of the monthly budget buys up to 200 coins. */
const LIMIT = 200;
/** Calls cost credits. */
const TTL_MS = 900_000;

type Context = Pick<FetchContext, "get" | "now_ms">;

const Time = Type.String({ pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{5,15}Z$" });

const Listings = Type.Object({
  data: Rows(
    Type.Object({
      symbol: Type.String({ minLength: 1, maxLength: 40 }),
      last_updated: Time,
      quote: Type.Object({
        USD: Type.Object({ market_cap: Type.Union([Type.Number({ minimum: 0, maximum: CAP_MAX_USD }), Type.Null()]) }),
      }),
    }),
    { minItems: 1, maxItems: LIMIT },
  ),
});

const Totals = Type.Object({
  data: Type.Object({
    btc_dominance: Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 100 }),
    quote: Type.Object({
      USD: Type.Object({
        total_market_cap: Type.Number({ exclusiveMinimum: 0 }),
        total_market_cap_yesterday_percentage_change: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
      }),
    }),
  }),
});

const fetchListings = (context: Context): Promise<CapsReading> =>
  context.get(coinmarketcap, {
    path: `/v1/cryptocurrency/listings/latest?start=1&limit=${LIMIT}&convert=USD`,
    schema: Listings,
    ttl_ms: TTL_MS,
    read: ({ data }) =>
      readCapRows(
        // It gives 0 where it has not verified the supply.
        data.map(({ symbol, quote, last_updated }) => ({
          symbol,
          cap_usd: quote.USD.market_cap,
          at_ms: Date.parse(last_updated),
        })),
        context.now_ms,
      ),
  });

const fetchTotals = (context: Context): Promise<MarketTotals> =>
  context.get(coinmarketcap, {
    path: "/v1/global-metrics/quotes/latest",
    schema: Totals,
    ttl_ms: TTL_MS,
    read: ({ data }) => ({
      total_usd: data.quote.USD.total_market_cap,
      total_change_24h_pct: data.quote.USD.total_market_cap_yesterday_percentage_change ?? null,
      btc_dominance_pct: data.btc_dominance,
    }),
  });

/**
 * Capitalisations of the 200 largest coins and of the whole market. Without its figures of the market those are null.
 * @throws UpstreamError
 */
export async function fetchCoinmarketcapCaps(context: Context): Promise<MarketCaps> {
  const [listings, totals] = await Promise.all([outcomeOf(fetchListings(context)), outcomeOf(fetchTotals(context))]);
  if (!listings.ok) throw listings.error;
  return {
    source: coinmarketcap.id,
    ...listings.value,
    ...(totals.ok ? totals.value : NO_TOTALS),
    total_of: "market",
  };
}
