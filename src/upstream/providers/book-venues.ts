import type { ProviderDefinition } from "../../catalog/provider.ts";
import { fetchBinanceBook } from "./binance/order-book.ts";
import { binance } from "./binance/provider.ts";
import { fetchBitstampBook } from "./bitstamp/order-book.ts";
import { bitstamp } from "./bitstamp/provider.ts";
import { fetchBybitBook } from "./bybit/order-book.ts";
import { bybit } from "./bybit/provider.ts";
import { fetchCoinbaseBook } from "./coinbase/order-book.ts";
import { coinbase } from "./coinbase/provider.ts";
import { fetchCryptocomBook } from "./cryptocom/order-book.ts";
import { cryptocom } from "./cryptocom/provider.ts";
import { fetchGeminiBook } from "./gemini/order-book.ts";
import { gemini } from "./gemini/provider.ts";
import { fetchKrakenBook } from "./kraken/order-book.ts";
import { kraken } from "./kraken/provider.ts";
import { fetchOkxBook } from "./okx/order-book.ts";
import { okx } from "./okx/provider.ts";
import type { BookContext, OrderBook } from "./order-book.ts";
import type { TakerConfig } from "./taker-config.ts";

/** What a taker pays on the lowest volume tier, basis points of the value traded. */
export interface TakerFee {
  readonly bps: number;
  /** Whether a published comparison of 2026 states it; if not it is the usual figure of such venues. */
  readonly confirmed: boolean;
}

/** A venue that shows its spot order books. */
export interface BookVenue {
  readonly provider: ProviderDefinition<typeof TakerConfig>;
  readonly quote: "USD" | "USDT";
  /** What its quote currency really is, where the name does not say it all. */
  readonly quote_note: string | null;
  /** `[providers.<id>] taker_bps` replaces it. */
  readonly taker: TakerFee;
  /** @throws UpstreamError */
  readonly fetchBook: (context: BookContext, base: string, timeout_ms?: number) => Promise<OrderBook>;
}

const USD_BUNDLE = "USD there is a bundle of US dollar balances and stablecoins";
const usd = { quote: "USD", quote_note: null } as const;
const usdt = { quote: "USDT", quote_note: null } as const;
const fee = (bps: number, confirmed: boolean): TakerFee => ({ bps, confirmed });

/** Every venue asked for order books. They are asked at once, not in failover order. */
export const BOOK_VENUES: readonly BookVenue[] = [
  { provider: kraken, ...usd, taker: fee(40, true), fetchBook: fetchKrakenBook },
  { provider: bitstamp, ...usd, taker: fee(40, false), fetchBook: fetchBitstampBook },
  { provider: gemini, ...usd, taker: fee(40, false), fetchBook: fetchGeminiBook },
  { provider: cryptocom, ...usd, quote_note: USD_BUNDLE, taker: fee(50, false), fetchBook: fetchCryptocomBook },
  { provider: coinbase, ...usd, taker: fee(60, true), fetchBook: fetchCoinbaseBook },
  { provider: binance, ...usdt, taker: fee(10, true), fetchBook: fetchBinanceBook },
  { provider: okx, ...usdt, taker: fee(10, true), fetchBook: fetchOkxBook },
  { provider: bybit, ...usdt, taker: fee(10, true), fetchBook: fetchBybitBook },
];
