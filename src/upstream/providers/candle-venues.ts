import type { ProviderDefinition } from "../../catalog/provider.ts";
import { BARS_COUNT_MAX, type Bar, type BarInterval, type BarsContext, type BarsRequest } from "./bars.ts";
import { fetchBinanceBars } from "./binance/candles.ts";
import { binance } from "./binance/provider.ts";
import { fetchBitstampBars } from "./bitstamp/candles.ts";
import { bitstamp } from "./bitstamp/provider.ts";
import { fetchCoinbaseBars } from "./coinbase/candles.ts";
import { coinbase } from "./coinbase/provider.ts";
import { fetchCryptocomBars } from "./cryptocom/candles.ts";
import { cryptocom } from "./cryptocom/provider.ts";
import { fetchHyperliquidBars, HYPERLIQUID_BARS_MAX } from "./hyperliquid/candles.ts";
import { hyperliquid } from "./hyperliquid/provider.ts";
import { fetchKrakenBars, KRAKEN_BARS_MAX } from "./kraken/candles.ts";
import { kraken } from "./kraken/provider.ts";
import { fetchOkxBars } from "./okx/candles.ts";
import { okx } from "./okx/provider.ts";

/** A venue that gives bars. */
export interface CandleVenue {
  readonly provider: ProviderDefinition;
  readonly intervals: readonly BarInterval[];
  /** More closed bars than this it never gives. */
  readonly bars_max: number;
  /** Path of the call, for `sources[]`. */
  readonly path: string;
  /** @throws UpstreamError when the venue cannot give exactly these bars. */
  readonly fetchBars: (context: BarsContext, request: BarsRequest) => Promise<Bar[]>;
}

const ALL: readonly BarInterval[] = ["1h", "4h", "1d"];

/** In failover order. */
export const CANDLE_VENUES: readonly CandleVenue[] = [
  {
    provider: hyperliquid,
    intervals: ALL,
    bars_max: HYPERLIQUID_BARS_MAX,
    path: "/info",
    fetchBars: fetchHyperliquidBars,
  },
  { provider: kraken, intervals: ALL, bars_max: KRAKEN_BARS_MAX, path: "/0/public/OHLC", fetchBars: fetchKrakenBars },
  {
    provider: bitstamp,
    intervals: ALL,
    bars_max: BARS_COUNT_MAX,
    path: "/api/v2/ohlc",
    fetchBars: fetchBitstampBars,
  },
  {
    provider: cryptocom,
    intervals: ALL,
    bars_max: 2_000,
    path: "/public/get-candlestick",
    fetchBars: fetchCryptocomBars,
  },
  {
    provider: binance,
    intervals: ALL,
    bars_max: BARS_COUNT_MAX,
    path: "/api/v3/klines",
    fetchBars: fetchBinanceBars,
  },
  {
    provider: okx,
    intervals: ALL,
    bars_max: 2_000,
    path: "/api/v5/market/history-candles",
    fetchBars: fetchOkxBars,
  },
  // It has no bars of four hours.
  { provider: coinbase, intervals: ["1h", "1d"], bars_max: 2_000, path: "/products", fetchBars: fetchCoinbaseBars },
];

/** Years of days, in the order of how far back they reach. */
export const LONG_CANDLE_VENUES: readonly CandleVenue[] = ["bitstamp", "hyperliquid", "binance"].flatMap(
  (id) => CANDLE_VENUES.find(({ provider }) => provider.id === id) ?? [],
);
