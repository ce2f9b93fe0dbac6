import { type Static, Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { Whole } from "../../../catalog/rows.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { type MarketCaps, readCapRows } from "../market-caps-reading.ts";
import { alternativeMe } from "./provider.ts";

/** More than it lists. */
const LIMIT = 250;
const ROWS_MAX = 5_000;
/** The publisher renews it every five minutes. */
const TTL_MS = 300_000;

const Coin = Type.Object({
  symbol: Type.String({ minLength: 1, maxLength: 40 }),
  quotes: Type.Object({ USD: Type.Object({ market_cap: Type.Union([Type.Number(), Type.Null()]) }) }),
  /** Seconds. */
  last_updated: Type.Integer({ minimum: 0 }),
});

/** A list, or an object by id: `structure=array` is not honoured everywhere. */
const Answer = Type.Object({
  data: Type.Union([
    Whole("sum", Coin, { minItems: 1, maxItems: ROWS_MAX }),
    Type.Record(Type.String(), Coin, { maxProperties: ROWS_MAX }),
  ]),
  metadata: Type.Object({ error: Type.Union([Type.Null(), Type.String()]) }),
});

const listCoins = ({ data }: Static<typeof Answer>) => (Array.isArray(data) ? data : Object.values(data));

/**
 * Capitalisations of the coins it lists. It lists far fewer than there are, so that its total is not the market's and
 * Bitcoin's share of it is larger.
 * @throws UpstreamError
 */
export async function fetchAlternativeMeCaps(context: Pick<FetchContext, "get" | "now_ms">): Promise<MarketCaps> {
  const { caps, at_ms } = await context.get(alternativeMe, {
    path: `/v2/ticker/?limit=${LIMIT}&convert=USD&structure=array`,
    schema: Answer,
    ttl_ms: TTL_MS,
    read(answer) {
      const { error } = answer.metadata;
      if (error !== null) return unusable(`error ${error.slice(0, 100)}`);
      const rows = listCoins(answer).map(({ symbol, quotes, last_updated }) => ({
        symbol,
        cap_usd: quotes.USD.market_cap,
        at_ms: last_updated * 1000,
      }));
      return readCapRows(rows, context.now_ms);
    },
  });
  const total_usd = [...caps.values()].reduce((sum, cap) => sum + cap, 0);
  return {
    source: alternativeMe.id,
    caps,
    total_usd,
    total_of: "listed_coins",
    total_change_24h_pct: null,
    btc_dominance_pct: (100 * (caps.get("BTC") ?? Number.NaN)) / total_usd,
    at_ms,
  };
}
