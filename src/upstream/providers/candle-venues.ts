import type { ProviderDefinition } from "../../catalog/provider.ts";
import type { Bar, BarsContext } from "./bars.ts";
import { fetchBinanceDailyBars } from "./binance/candles.ts";
import { binance } from "./binance/provider.ts";
import { fetchBitstampDailyBars } from "./bitstamp/candles.ts";
import { bitstamp } from "./bitstamp/provider.ts";
import { fetchCoinbaseDailyBars } from "./coinbase/candles.ts";
import { coinbase } from "./coinbase/provider.ts";
import { fetchCryptocomDailyBars } from "./cryptocom/candles.ts";
import { cryptocom } from "./cryptocom/provider.ts";
import { fetchHyperliquidDailyBars } from "./hyperliquid/candles.ts";
import { hyperliquid } from "./hyperliquid/provider.ts";
import { fetchKrakenDailyBars, KRAKEN_BARS_MAX } from "./kraken/candles.ts";
import { kraken } from "./kraken/provider.ts";
import { fetchOkxDailyBars } from "./okx/candles.ts";
import { okx } from "./okx/provider.ts";

/** A venue that gives daily bars. */
export interface CandleVenue {
  readonly provider: ProviderDefinition;
  /** More closed bars than this it never gives. */
  readonly bars_max: number;
  /** Path of the call, for `sources[]`. */
  readonly path: string;
  /** @throws UpstreamError when the venue cannot give exactly these bars. */
  readonly fetchDailyBars: (context: BarsContext, base: string, count: number) => Promise<Bar[]>;
}

/** In failover order. */
export const CANDLE_VENUES: readonly CandleVenue[] = [
  { provider: hyperliquid, bars_max: 2_000, path: "/info", fetchDailyBars: fetchHyperliquidDailyBars },
  { provider: kraken, bars_max: KRAKEN_BARS_MAX, path: "/0/public/OHLC", fetchDailyBars: fetchKrakenDailyBars },
  { provider: bitstamp, bars_max: 2_000, path: "/api/v2/ohlc", fetchDailyBars: fetchBitstampDailyBars },
  { provider: cryptocom, bars_max: 2_000, path: "/public/get-candlestick", fetchDailyBars: fetchCryptocomDailyBars },
  { provider: binance, bars_max: 2_000, path: "/api/v3/klines", fetchDailyBars: fetchBinanceDailyBars },
  { provider: okx, bars_max: 2_000, path: "/api/v5/market/history-candles", fetchDailyBars: fetchOkxDailyBars },
  { provider: coinbase, bars_max: 2_000, path: "/products", fetchDailyBars: fetchCoinbaseDailyBars },
];
