import type { Calendar, FetchContext, ProviderDefinition } from "intel-node";
import { readCalendar } from "../markets/session.ts";
import { cboe } from "../providers/cboe/provider.ts";
import { fetchCboeQuote } from "../providers/cboe/quote.ts";
import { cnbc } from "../providers/cnbc/provider.ts";
import { fetchCnbcQuote } from "../providers/cnbc/quote.ts";
import { finnhub } from "../providers/finnhub/provider.ts";
import { fetchFinnhubQuote } from "../providers/finnhub/quote.ts";
import { massive } from "../providers/massive/provider.ts";
import { fetchMassiveQuote } from "../providers/massive/quote.ts";
import { nasdaq } from "../providers/nasdaq/provider.ts";
import { fetchNasdaqQuote } from "../providers/nasdaq/quote.ts";
import { twelvedata } from "../providers/twelvedata/provider.ts";
import { fetchTwelveDataQuote } from "../providers/twelvedata/quote.ts";
import { yahoo } from "../providers/yahoo/provider.ts";
import { fetchYahooQuote } from "../providers/yahoo/quote.ts";
import type { VendorQuote } from "./vendor-quote.ts";

/** A vendor of US quotes, and how it is asked for a ticker such as BRK.B. */
export interface USVendor {
  readonly provider: ProviderDefinition;
  readonly fetch: (context: FetchContext, symbol: string) => Promise<VendorQuote>;
}

/** A reader of a vendor, given New York's trading hours. */
type Reader = (
  context: FetchContext,
  asked: { readonly symbol: string; readonly calendar: Calendar },
) => Promise<VendorQuote>;
const inNewYork =
  (read: Reader) =>
  (context: FetchContext, symbol: string): Promise<VendorQuote> =>
    read(context, { symbol, calendar: readCalendar(context, "XNYS") });

/** Vendors whose terms forbid selling on: each starts with its operator's `terms_ack` alone. In failover order. */
export const US_VENDORS: readonly USVendor[] = [
  { provider: twelvedata, fetch: (context, symbol) => fetchTwelveDataQuote(context, symbol) },
  { provider: massive, fetch: inNewYork(fetchMassiveQuote) },
  { provider: finnhub, fetch: fetchFinnhubQuote },
  { provider: cboe, fetch: inNewYork(fetchCboeQuote) },
  { provider: nasdaq, fetch: inNewYork(fetchNasdaqQuote) },
  { provider: cnbc, fetch: inNewYork(fetchCnbcQuote) },
  {
    provider: yahoo,
    fetch: inNewYork((context, { symbol, calendar }) =>
      fetchYahooQuote(context, { symbol: symbol.replace(".", "-"), calendar }),
    ),
  },
];
