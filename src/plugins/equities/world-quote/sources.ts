import { type FetchContext, type ProviderDefinition, UpstreamError } from "intel-node";
import { type Market, toCNBC, toYahoo } from "../markets/markets.ts";
import { readCalendar } from "../markets/session.ts";
import { cnbc } from "../providers/cnbc/provider.ts";
import { fetchCnbcQuote } from "../providers/cnbc/quote.ts";
import { twelvedata } from "../providers/twelvedata/provider.ts";
import { fetchTwelveDataQuote } from "../providers/twelvedata/quote.ts";
import { fetchTaiwanCloses } from "../providers/twse/closes.ts";
import { twse } from "../providers/twse/provider.ts";
import { yahoo } from "../providers/yahoo/provider.ts";
import { fetchYahooQuote } from "../providers/yahoo/quote.ts";
import type { VendorQuote } from "../vendors/vendor-quote.ts";

/** One way to a market's quotes. */
export interface MarketSource {
  readonly provider: ProviderDefinition;
  /** Whether it gives closes of whole days only. */
  readonly end_of_day: boolean;
  readonly serves: (market: Market) => boolean;
  readonly fetch: (context: FetchContext, market: Market, symbol: string) => Promise<VendorQuote>;
}

/** In failover order. One licence opens every market its vendor serves. */
export const SOURCES: readonly MarketSource[] = [
  {
    provider: twse,
    end_of_day: true,
    serves: ({ code }) => code === "TWSE",
    async fetch(context, _, symbol) {
      const quote = (await fetchTaiwanCloses(context)).get(symbol);
      if (quote) return quote;
      throw new UpstreamError("upstream_not_found", twse.id, `${symbol} is not listed, or did not trade`);
    },
  },
  {
    provider: twelvedata,
    end_of_day: false,
    serves: () => true,
    fetch: (context, { mic }, symbol) => fetchTwelveDataQuote(context, symbol, mic),
  },
  {
    provider: cnbc,
    end_of_day: false,
    serves: ({ cnbc: suffix }) => suffix !== null,
    fetch: (context, market, symbol) =>
      fetchCnbcQuote(context, {
        symbol: toCNBC(market, symbol) ?? symbol,
        calendar: readCalendar(context, market.mic),
      }),
  },
  {
    provider: yahoo,
    end_of_day: false,
    serves: () => true,
    fetch: (context, market, symbol) =>
      fetchYahooQuote(context, { symbol: toYahoo(market, symbol), calendar: readCalendar(context, market.mic) }),
  },
];

/** The permitted sources of a market. */
export const providersOf = (market: Market): readonly ProviderDefinition[] =>
  SOURCES.filter(({ serves }) => serves(market)).map(({ provider }) => provider);
