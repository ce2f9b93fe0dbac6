import { fetchBinanceQuote } from "../../src/upstream/providers/binance/book-ticker.ts";
import { fetchBinanceBars } from "../../src/upstream/providers/binance/candles.ts";
import { fetchBinanceBook } from "../../src/upstream/providers/binance/order-book.ts";
import { fetchBitstampBars } from "../../src/upstream/providers/bitstamp/candles.ts";
import { fetchBitstampBook } from "../../src/upstream/providers/bitstamp/order-book.ts";
import { fetchBitstampQuote } from "../../src/upstream/providers/bitstamp/ticker.ts";
import { fetchBybitFunding } from "../../src/upstream/providers/bybit/funding.ts";
import { fetchBybitBook } from "../../src/upstream/providers/bybit/order-book.ts";
import { fetchBybitQuote } from "../../src/upstream/providers/bybit/ticker.ts";
import { fetchCoinbaseBars } from "../../src/upstream/providers/coinbase/candles.ts";
import { fetchCoinbaseBook } from "../../src/upstream/providers/coinbase/order-book.ts";
import { fetchCoinbaseQuote } from "../../src/upstream/providers/coinbase/ticker.ts";
import { fetchCryptocomBars } from "../../src/upstream/providers/cryptocom/candles.ts";
import { fetchCryptocomBook } from "../../src/upstream/providers/cryptocom/order-book.ts";
import { fetchVolatilityIndex } from "../../src/upstream/providers/deribit/volatility-index.ts";
import { fetchGeminiQuote } from "../../src/upstream/providers/gemini/book.ts";
import { fetchGeminiBook } from "../../src/upstream/providers/gemini/order-book.ts";
import { fetchHyperliquidBars } from "../../src/upstream/providers/hyperliquid/candles.ts";
import { fetchFunding } from "../../src/upstream/providers/hyperliquid/funding.ts";
import { fetchHyperliquidMids } from "../../src/upstream/providers/hyperliquid/mids.ts";
import { fetchPerpetuals, fetchPredictedFundings } from "../../src/upstream/providers/hyperliquid/perpetuals.ts";
import { fetchKrakenListed } from "../../src/upstream/providers/kraken/asset-pairs.ts";
import { fetchKrakenBars } from "../../src/upstream/providers/kraken/candles.ts";
import { fetchKrakenQuote } from "../../src/upstream/providers/kraken/depth.ts";
import { fetchKrakenBook } from "../../src/upstream/providers/kraken/order-book.ts";
import { fetchKrakenShareToken } from "../../src/upstream/providers/kraken/share-token.ts";
import { fetchOkxBars } from "../../src/upstream/providers/okx/candles.ts";
import { fetchOkxFunding } from "../../src/upstream/providers/okx/funding.ts";
import { fetchOkxBook } from "../../src/upstream/providers/okx/order-book.ts";
import { fetchOkxQuote } from "../../src/upstream/providers/okx/ticker.ts";
import type { Readings } from "../helpers/recorded.ts";

/** Bars, books and quotes of venues. */
export const venueReadings: Readings = {
  binance: [
    {
      files: ["book-ticker.json"],
      at: "2020-04-01T00:00:00Z",
      read: (context) => fetchBinanceQuote(context, "BTC"),
      gives: { bid: 6621.55, ask: 6622.1, at_ms: null },
    },
    {
      files: ["klines.json"],
      at: "2023-01-08T04:00:01Z",
      read: (context) => fetchBinanceBars(context, { base: "BTC", interval: "1h", count: 4 }),
      gives: [{}, {}, {}, { t_ms: 1673146800000, open: 16931.46, high: 16944.62, low: 16926.17, close: 16944.02 }],
    },
    {
      files: ["depth-nknusdt.json"],
      at: "2021-10-12T00:28:33Z",
      read: (context) => fetchBinanceBook(context, "NKN"),
      gives: { bids: [{ price: 0.3521, quantity: 672 }, {}], at_ms: null },
    },
  ],
  bitstamp: [
    {
      files: ["ohlc-btcusd.json"],
      at: "2020-01-01T00:00:01Z",
      read: (context) => fetchBitstampBars(context, { base: "BTC", interval: "1d", count: 4 }),
      gives: [
        { t_ms: 1577491200000, open: 7247.7, high: 7349.65, low: 7231, close: 7296.24, volume: 1579.70272647 },
        {},
        {},
        { t_ms: 1577750400000, close: 7168.36 },
      ],
    },
    {
      files: ["order-book-ethusd.json"],
      at: "2022-01-05T00:48:16Z",
      read: (context) => fetchBitstampBook(context, "ETH"),
      gives: { bids: [{ price: 3802.9, quantity: 0.6 }], at_ms: 1641343695681 },
    },
    {
      files: ["ticker.json"],
      at: "2024-03-13T11:10:45Z",
      read: (context) => fetchBitstampQuote(context, "BTC"),
      gives: { bid: 73353, ask: 73367, at_ms: 1710328241000 },
      as_read_by: "ccxt",
    },
    {
      files: ["ohlc.json"],
      at: "2024-03-13T12:00:01Z",
      read: (context) => fetchBitstampBars(context, { base: "BTC", interval: "1h", count: 1 }),
      // They are bars of BTC/USDT.
      refused: "the answer is about another pair",
    },
  ],
  bybit: [
    {
      files: ["tickers-linear.json"],
      at: "2026-09-08T23:14:40Z",
      read: (context) => fetchBybitFunding(context, "BTC"),
      // The venue counts both sides; one is read: `singleOpenInterest` times the mark price.
      gives: { symbol: "BTC", rate_1h_frac: 0.0000065375, open_interest_usd: 2212915902.42528 },
    },
    {
      files: ["tickers-spot.json"],
      at: "2023-01-16T08:51:28Z",
      read: (context) => fetchBybitQuote(context, "BTC"),
      gives: { bid: 20517.96, ask: 20527.77, at_ms: 1673859087947 },
    },
    {
      files: ["orderbook.json"],
      at: "2024-02-29T09:42:52Z",
      read: (context) => fetchBybitBook(context, "BTC"),
      gives: {
        bids: [{ price: 62710.2, quantity: 5.52 }],
        asks: [{ price: 62710.3, quantity: 0.01 }],
        at_ms: 1709199771584,
      },
    },
  ],
  coinbase: [
    {
      files: ["book.json"],
      at: "2026-09-02T07:01:33Z",
      read: (context) => fetchCoinbaseBook(context, "BTC"),
      gives: {
        bids: [{ price: 77588.84, quantity: 0.02001939 }, { price: 77586.35 }],
        asks: [{ price: 77588.85 }, {}],
        at_ms: 1788332492019,
      },
    },
    {
      files: ["ticker.json"],
      at: "2024-03-13T11:10:45Z",
      read: (context) => fetchCoinbaseQuote(context, "BTC"),
      gives: { bid: 73360.34, ask: 73369.19, at_ms: 1710328241270 },
      as_read_by: "ccxt",
    },
    {
      files: ["candles.json"],
      at: "2024-03-13T12:00:01Z",
      read: (context) => fetchCoinbaseBars(context, { base: "BTC", interval: "1h", count: 1 }),
      gives: [
        { t_ms: 1710327600000, open: 73243.33, high: 73402.47, low: 73241.5, close: 73370.65, volume: 1.56794406 },
      ],
      as_read_by: "ccxt",
    },
  ],
  cryptocom: [
    {
      files: ["get-book.json"],
      at: "2021-02-17T07:00:01Z",
      read: (context) => fetchCryptocomBook(context, "BTC"),
      gives: { bids: [{ price: 50113.5, quantity: 0.4 }], asks: [{ price: 50126, quantity: 0.4 }] },
    },
    {
      files: ["candlestick.json"],
      at: "2026-09-27T12:00:01Z",
      read: (context) => fetchCryptocomBars(context, { base: "BTC", interval: "1h", count: 1 }),
      // They are bars of BTC/USDT.
      refused: "the answer is about another pair",
    },
  ],
  gemini: [
    {
      files: ["book.json"],
      at: "2019-08-12T05:34:20Z",
      read: (context) => fetchGeminiQuote(context, "BTC"),
      gives: { bid: 11382.49, ask: 11385.22, at_ms: null },
    },
    {
      files: ["book.json"],
      at: "2019-08-12T05:34:20Z",
      read: (context) => fetchGeminiBook(context, "BTC"),
      gives: { bids: [{ price: 11382.49, quantity: 2 }], asks: [{ price: 11385.22, quantity: 5.34093158 }] },
    },
  ],
  hyperliquid: [
    {
      files: ["meta-and-asset-ctxs-2026.json"],
      at: "2026-09-27T00:00:00Z",
      read: (context) => fetchPerpetuals(context, ["BTC", "HYPE"]),
      gives: {
        BTC: { rate_1h_frac: 0.0000125, open_interest_coins: 38359.47984 },
        HYPE: { rate_1h_frac: 0.0000125, open_interest_coins: 20811131.859999992 },
      },
    },
    {
      files: ["candle-snapshot-eth.json"],
      at: "2026-09-27T15:00:01Z",
      read: (context) => fetchHyperliquidBars(context, { base: "ETH", interval: "1h", count: 3 }),
      gives: [{ t_ms: 1790510400000, open: 2710, high: 2717.9, low: 2707.9, close: 2707.9, volume: 7653.2044 }, {}, {}],
    },
    {
      files: ["predicted-fundings.json"],
      at: "2026-09-03T10:00:00Z",
      read: (context) => fetchPredictedFundings(context, ["BTC", "ETH"]),
      gives: { BTC: { BinPerp: 0.00009858 / 8, HlPerp: 0.0012026746 }, ETH: { HlPerp: -0.0010026023 } },
    },
    {
      files: ["candle-snapshot.json"],
      at: "2025-01-22T00:00:01Z",
      read: (context) => fetchHyperliquidBars(context, { base: "BTC", interval: "1d", count: 2 }),
      // They are bars of the spot pair @107.
      refused: "the answer is about another coin or length",
    },
    {
      files: ["meta-and-asset-ctxs.json"],
      at: "2025-01-22T00:00:01Z",
      read: (context) => fetchFunding(context, ["BTC", "ETH"]),
      gives: [{ symbol: "BTC", rate_1h_frac: 0.0000125, open_interest_usd: 688.11 * 14.3161 }, { symbol: "ETH" }],
    },
    {
      files: ["meta-and-asset-ctxs.json"],
      at: "2025-01-22T00:00:01Z",
      read: fetchHyperliquidMids,
      gives: { BTC: { price_usd: 14.314, volume_usd: 1169046.29406 }, HPOS: {} },
    },
    {
      files: ["meta-and-asset-ctxs.json"],
      at: "2025-01-22T00:00:01Z",
      read: (context) => fetchPerpetuals(context, ["BTC", "ETH"]),
      gives: { BTC: { rate_1h_frac: 0.0000125, open_interest_coins: 688.11 } },
    },
  ],
  okx: [
    {
      files: ["books.json"],
      at: "2021-08-26T08:27:17Z",
      read: (context) => fetchOkxBook(context, "BTC"),
      gives: {
        bids: [{ price: 41006.3, quantity: 0.30178218 }],
        asks: [{ price: 41006.8, quantity: 0.60038921 }],
        at_ms: 1629966436396,
      },
    },
    {
      files: ["ticker.json"],
      at: "2020-08-10T02:26:24Z",
      read: (context) => fetchOkxQuote(context, "BTC"),
      refused: "the answer is about another pair",
    },
    {
      files: ["history-candles.json"],
      at: "2020-08-11T00:00:00Z",
      read: (context) => fetchOkxBars(context, { base: "BTC", interval: "1h", count: 1 }),
      // The example's bars begin at no full hour.
      refused: "no bar of 2020-08-10T23:00",
    },
    {
      files: ["funding-rate.json", "open-interest.json"],
      at: "2023-12-20T11:11:26Z",
      read: (context) => fetchOkxFunding(context, "BTC"),
      gives: { symbol: "BTC", open_interest_usd: 88957542893.77193 },
    },
  ],
  kraken: [
    {
      files: ["asset-pairs.json"],
      at: "2021-04-17T16:48:52Z",
      read: fetchKrakenListed,
      // Pairs had no `status` then.
      refused: "it lists no pair",
    },
    {
      files: ["asset-pairs-example.json"],
      at: "2026-01-01T00:00:00Z",
      read: fetchKrakenListed,
      gives: ["ETH/XBT", "XBT/USD"],
    },
    {
      files: ["depth.json"],
      at: "2014-02-08T02:09:05Z",
      read: (context) => fetchKrakenQuote(context, "BTC"),
      gives: { bid: 526.26, ask: 530.75513, at_ms: 1391825343000 },
      as_read_by: "XChange",
    },
    {
      files: ["depth.json"],
      at: "2014-02-08T02:09:05Z",
      read: (context) => fetchKrakenBook(context, "BTC"),
      gives: {
        bids: [{ price: 526.26, quantity: 0.5 }, {}, {}],
        asks: [{ price: 530.75513, quantity: 0.248 }, {}, {}],
      },
      as_read_by: "XChange",
    },
    {
      files: ["ohlc.json"],
      at: "2024-01-30T20:00:01Z",
      read: (context) => fetchKrakenBars(context, { base: "BTC", interval: "1h", count: 4 }),
      gives: [
        { t_ms: 1706630400000, open: 43366.3, high: 43529.2, low: 43234.2, close: 43485, volume: 12.51327406 },
        { t_ms: 1706634000000, open: 43497.5, high: 43594.6, low: 43316.4, close: 43409.5, volume: 5.03074129 },
        { t_ms: 1706637600000, open: 43398.3, high: 43500.5, low: 42983.1, close: 43386.6, volume: 81.88339686 },
        {},
      ],
      as_read_by: "ccxt",
    },
    {
      files: ["ticker.json"],
      at: "2024-03-13T11:10:45Z",
      read: (context) => fetchKrakenShareToken(context, "AAPL"),
      gives: { bid: 73380.6, ask: 73380.7, at_ms: null },
      as_read_by: "ccxt",
    },
  ],
  deribit: [
    {
      files: ["volatility-index.json"],
      at: "2020-08-22T00:00:00Z",
      read: (context) => fetchVolatilityIndex(context, { currency: "BTC", days: 2 }),
      // The example is in fractions, the index that is published in percent.
      refused: "a candle contradicts itself or is in another unit",
    },
  ],
};
