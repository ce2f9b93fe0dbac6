import type { ProviderDefinition } from "../../catalog/provider.ts";
import { fetchBinanceQuote } from "./binance/book-ticker.ts";
import { binance } from "./binance/provider.ts";
import { bitstamp } from "./bitstamp/provider.ts";
import { fetchBitstampQuote } from "./bitstamp/ticker.ts";
import { bybit } from "./bybit/provider.ts";
import { fetchBybitQuote } from "./bybit/ticker.ts";
import { coinbase } from "./coinbase/provider.ts";
import { fetchCoinbaseQuote } from "./coinbase/ticker.ts";
import { fetchCryptocomQuote } from "./cryptocom/book.ts";
import { cryptocom } from "./cryptocom/provider.ts";
import { fetchGeminiQuote } from "./gemini/book.ts";
import { gemini } from "./gemini/provider.ts";
import { fetchKrakenQuote } from "./kraken/depth.ts";
import { kraken } from "./kraken/provider.ts";
import { okx } from "./okx/provider.ts";
import { fetchOkxQuote } from "./okx/ticker.ts";
import type { QuoteContext, SpotQuote } from "./quote.ts";

/** A venue that quotes spot prices of the larger coins. */
export interface SpotVenue {
  readonly provider: ProviderDefinition;
  readonly quote: "USD" | "USDT";
  /** @throws UpstreamError */
  readonly fetchQuote: (context: QuoteContext, base: string, timeout_ms?: number) => Promise<SpotQuote>;
}

/** Every venue asked for spot prices. They are asked at once, not in failover order. */
export const SPOT_VENUES: readonly SpotVenue[] = [
  { provider: kraken, quote: "USD", fetchQuote: fetchKrakenQuote },
  { provider: bitstamp, quote: "USD", fetchQuote: fetchBitstampQuote },
  { provider: gemini, quote: "USD", fetchQuote: fetchGeminiQuote },
  { provider: cryptocom, quote: "USD", fetchQuote: fetchCryptocomQuote },
  { provider: coinbase, quote: "USD", fetchQuote: fetchCoinbaseQuote },
  { provider: binance, quote: "USDT", fetchQuote: fetchBinanceQuote },
  { provider: okx, quote: "USDT", fetchQuote: fetchOkxQuote },
  { provider: bybit, quote: "USDT", fetchQuote: fetchBybitQuote },
];
