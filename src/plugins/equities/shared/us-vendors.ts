import type { FetchContext, ProviderDefinition } from "intel-node";
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

/** Vendors whose terms forbid selling on: each starts with its operator's `terms_ack` alone. In failover order. */
export const US_VENDORS: readonly USVendor[] = [
  { provider: twelvedata, fetch: (context, symbol) => fetchTwelveDataQuote(context, symbol) },
  { provider: massive, fetch: fetchMassiveQuote },
  { provider: finnhub, fetch: fetchFinnhubQuote },
  { provider: cboe, fetch: fetchCboeQuote },
  { provider: nasdaq, fetch: fetchNasdaqQuote },
  { provider: cnbc, fetch: fetchCnbcQuote },
  { provider: yahoo, fetch: (context, symbol) => fetchYahooQuote(context, symbol.replace(".", "-")) },
];
