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
import { COINGECKO_IDS } from "./coins.ts";
import { coingecko } from "./provider.ts";

const TTL_MS = 600_000;
const ROWS_MAX = 250;

type Context = Pick<FetchContext, "get" | "now_ms">;

const SYMBOLS = new Map(Object.entries(COINGECKO_IDS).map(([symbol, id]) => [id, symbol]));

const Coins = Rows(
  Type.Object({
    id: Type.String({ maxLength: 200 }),
    market_cap: Type.Union([Type.Number({ minimum: 0, maximum: CAP_MAX_USD }), Type.Null()]),
    last_updated: Type.String({ pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{5,15}Z$" }),
  }),
  { minItems: 1, maxItems: ROWS_MAX },
);

const Totals = Type.Object({
  data: Type.Object({
    total_market_cap: Type.Object({ usd: Type.Number({ exclusiveMinimum: 0 }) }),
    market_cap_percentage: Type.Object({ btc: Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 100 }) }),
    market_cap_change_percentage_24h_usd: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  }),
});

const fetchCoins = (context: Context): Promise<CapsReading> =>
  context.get(coingecko, {
    path: `/coins/markets?vs_currency=usd&per_page=${ROWS_MAX}&ids=${[...SYMBOLS.keys()].join(",")}`,
    schema: Coins,
    ttl_ms: TTL_MS,
    read: (coins) =>
      readCapRows(
        coins.flatMap(({ id, market_cap, last_updated }) => {
          const symbol = SYMBOLS.get(id);
          return symbol === undefined ? [] : [{ symbol, cap_usd: market_cap, at_ms: Date.parse(last_updated) }];
        }),
        context.now_ms,
      ),
  });

const fetchTotals = (context: Context): Promise<MarketTotals> =>
  context.get(coingecko, {
    path: "/global",
    schema: Totals,
    ttl_ms: TTL_MS,
    read: ({ data }) => ({
      total_usd: data.total_market_cap.usd,
      total_change_24h_pct: data.market_cap_change_percentage_24h_usd ?? null,
      btc_dominance_pct: data.market_cap_percentage.btc,
    }),
  });

/**
 * Capitalisations of the coins of COINGECKO_IDS and of the whole market. Without its figures of the market those are
 * null.
 * @throws UpstreamError
 */
export async function fetchCoingeckoCaps(context: Context): Promise<MarketCaps> {
  const [coins, totals] = await Promise.all([outcomeOf(fetchCoins(context)), outcomeOf(fetchTotals(context))]);
  if (!coins.ok) throw coins.error;
  return { source: coingecko.id, ...coins.value, ...(totals.ok ? totals.value : NO_TOTALS), total_of: "market" };
}
