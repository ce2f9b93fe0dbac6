import type { FetchContext } from "../../catalog/context.ts";
import type { ProviderDefinition } from "../../catalog/provider.ts";
import { fetchAlternativeMeCaps } from "./alternative-me/market-caps.ts";
import { alternativeMe } from "./alternative-me/provider.ts";
import { fetchCoingeckoCaps } from "./coingecko/market-caps.ts";
import { coingecko } from "./coingecko/provider.ts";
import { fetchCoinmarketcapCaps } from "./coinmarketcap/market-caps.ts";
import { coinmarketcap } from "./coinmarketcap/provider.ts";
import { fetchCoinpaprikaCaps } from "./coinpaprika/market-caps.ts";
import { coinpaprika } from "./coinpaprika/provider.ts";
import type { MarketCaps } from "./market-caps-reading.ts";

export type CapsContext = Pick<FetchContext, "get" | "now_ms" | "first">;

interface CapsPublisher {
  readonly provider: ProviderDefinition;
  readonly fetchCaps: (context: CapsContext) => Promise<MarketCaps>;
}

/** In failover order. */
const PUBLISHERS: readonly CapsPublisher[] = [
  { provider: coinmarketcap, fetchCaps: fetchCoinmarketcapCaps },
  { provider: alternativeMe, fetchCaps: fetchAlternativeMeCaps },
  { provider: coingecko, fetchCaps: fetchCoingeckoCaps },
  { provider: coinpaprika, fetchCaps: fetchCoinpaprikaCaps },
];

/** For a product's list of providers. */
export const MARKET_CAP_PROVIDERS: readonly ProviderDefinition[] = PUBLISHERS.map(({ provider }) => provider);

/**
 * Market capitalisations, all by one publisher's count: CoinMarketCap (with a key), Alternative.me, and with the
 * operator's licence CoinGecko or Coinpaprika.
 * @throws NodeError upstream_unavailable or upstream_bad_response when none can be read.
 */
export const fetchMarketCaps = (context: CapsContext): Promise<MarketCaps> =>
  context.first(
    "market capitalisations",
    PUBLISHERS.map(({ provider, fetchCaps }) => ({ provider, run: () => fetchCaps(context) })),
  );
