import { fetchGoldapiPrice } from "../../src/plugins/commodities/providers/goldapi/price.ts";
import { getCalendar } from "../../src/plugins/equities/markets/session.ts";
import { fetchCboeQuote } from "../../src/plugins/equities/providers/cboe/quote.ts";
import { fetchCnbcQuote } from "../../src/plugins/equities/providers/cnbc/quote.ts";
import { fetchFinnhubQuote } from "../../src/plugins/equities/providers/finnhub/quote.ts";
import { fetchMassiveQuote } from "../../src/plugins/equities/providers/massive/quote.ts";
import { fetchNasdaqQuote } from "../../src/plugins/equities/providers/nasdaq/quote.ts";
import { fetchCorporateActions, fetchShareQuote } from "../../src/plugins/equities/providers/rhj/shares.ts";
import { fetchTwelveDataQuote } from "../../src/plugins/equities/providers/twelvedata/quote.ts";
import { fetchTaiwanCloses } from "../../src/plugins/equities/providers/twse/closes.ts";
import { fetchHoneypot } from "../../src/plugins/tokens/providers/honeypot-is/simulation.ts";
import { fetchTips } from "../../src/plugins/tokens/providers/jito/tips.ts";
import { fetchRugcheckReport } from "../../src/plugins/tokens/providers/rugcheck/report.ts";
import { fetchAlternativeMeIndex } from "../../src/upstream/providers/alternative-me/fear-greed.ts";
import { fetchAlternativeMeCaps } from "../../src/upstream/providers/alternative-me/market-caps.ts";
import {
  BITCOIN_EXPLORERS,
  type BitcoinExplorer,
  fetchBitcoinBlock,
} from "../../src/upstream/providers/bitcoin-blocks.ts";
import { fetchBlockstreamBacklog } from "../../src/upstream/providers/blockstream/backlog.ts";
import { fetchBlockstreamFees } from "../../src/upstream/providers/blockstream/fees.ts";
import { fetchCCTPFees } from "../../src/upstream/providers/circle-cctp/fees.ts";
import { fetchCoingeckoCaps } from "../../src/upstream/providers/coingecko/market-caps.ts";
import { fetchCoinmarketcapIndex } from "../../src/upstream/providers/coinmarketcap/fear-greed.ts";
import { fetchCoinmarketcapCaps } from "../../src/upstream/providers/coinmarketcap/market-caps.ts";
import { fetchCoinpaprikaCaps, fetchCoinpaprikaTotals } from "../../src/upstream/providers/coinpaprika/market-caps.ts";
import { fetchDefillamaPrice } from "../../src/upstream/providers/defillama/token-price.ts";
import { fetchPairsWith, fetchTokenPairs, searchPairs } from "../../src/upstream/providers/dexscreener/pairs.ts";
import { fetchGeckoterminalPrice } from "../../src/upstream/providers/geckoterminal/pool-price.ts";
import { fetchAddressSecurity } from "../../src/upstream/providers/goplus/address-security.ts";
import { fetchTokenSecurity } from "../../src/upstream/providers/goplus/token-security.ts";
import { fetchMempoolSpaceBacklog, fetchMempoolSpaceTip } from "../../src/upstream/providers/mempool-space/backlog.ts";
import { fetchMempoolSpaceFees } from "../../src/upstream/providers/mempool-space/fees.ts";
import { fetchDifficulty, fetchHashrate } from "../../src/upstream/providers/mempool-space/mining.ts";
import { fetchProjectedBlocks } from "../../src/upstream/providers/mempool-space/projected-blocks.ts";
import { fetchHermesPrice } from "../../src/upstream/providers/pyth-hermes/latest-price.ts";
import { fetchRaydiumQuote } from "../../src/upstream/providers/raydium/quote.ts";
import { fetchDealerQuote } from "../../src/upstream/providers/swissquote/dealer-quote.ts";
import type { Reading, Readings } from "../helpers/recorded.ts";

const NEW_YORK = getCalendar("XNYS");
const BLOCK_170 = "00000000d1145790a8694403d4063f323d499e655c83426834d4ce2f8dd4a2ee";
/** The first payment from one person to another; its hash proves the bytes. */
const readBlock170 = (explorer: BitcoinExplorer): Reading => ({
  files: ["block-170.bin"],
  at: "2026-09-01T00:00:00Z",
  read: (context) => fetchBitcoinBlock(context, explorer, BLOCK_170),
  gives: {
    hash: BLOCK_170,
    transactions: [{ is_coinbase: true }, { txid: "f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16" }],
  },
});

/** What is known of coins, tokens and chains. */
export const marketReadings: Readings = {
  alternative_me: [
    {
      files: ["ticker-bitcoin.json"],
      at: "2020-10-24T21:20:00Z",
      read: fetchAlternativeMeCaps, // One coin only.
      refused: "only 1 coins",
    },
    {
      files: ["fng.json"],
      at: "2026-09-08T23:14:40Z",
      read: fetchAlternativeMeIndex,
      gives: {
        rows: [{ value: 69, classification: "Greed", at_ms: 1788825600000 }, { value: 71 }],
        next_update_at_ms: 1788912000000,
      },
    },
  ],
  geckoterminal: [
    {
      files: ["pools.json"],
      at: "2026-10-08T12:00:00Z",
      read: (context) =>
        fetchGeckoterminalPrice(context, { chain: "solana", token: "So11111111111111111111111111111111111111112" }),
      gives: { price: 115.01273159485129, liquidity_usd: 29909335.2531 },
    },
  ],
  dexscreener: [
    {
      files: ["tokens.json"],
      at: "2026-10-08T12:00:00Z",
      read: (context) =>
        fetchTokenPairs(context, {
          chain: "solana",
          tokens: ["2phANa4m2PquFg4WNsmLharGiJTEwbtQSrzUfMaRJGEy", "Hyn3TNGqTyz936vJDHAEgRP9krcVKSahFtXXE6Jv4vKu"],
        }),
      gives: [
        { dex: "pumpswap", price_usd: 3.81, liquidity_usd: 0.59, base: { symbol: "QTC" } },
        { dex: "meteoradbc", liquidity_usd: null },
      ],
    },
    {
      files: ["token-pairs.json"],
      at: "2026-10-08T12:00:00Z",
      read: (context) =>
        fetchPairsWith(context, { chain: "solana", token: "So11111111111111111111111111111111111111112" }),
      gives: [
        { dex: "pumpswap", price_usd: 3.81, liquidity_usd: 0.59, base: { symbol: "QTC" } },
        { dex: "meteoradbc", liquidity_usd: null },
      ],
    },
    {
      files: ["pairs.json"],
      at: "2026-10-10T12:00:00Z",
      read: (context) => searchPairs(context, "STONK"),
      gives: [
        { dex: "pumpswap", price_usd: 0.0003798, liquidity_usd: 52239.46, base: { symbol: "STONK", name: "STONK" } },
        { dex: "pumpfun", liquidity_usd: null },
      ],
    },
  ],
  rugcheck: [
    {
      files: ["report.json"],
      at: "2026-10-10T12:00:00Z",
      read: (context) => fetchRugcheckReport(context, "HaQdrXRUoxxk1qLFZJNrSyzWNjn16o1r1np5h6jipump"),
      gives: {
        mint: "HaQdrXRUoxxk1qLFZJNrSyzWNjn16o1r1np5h6jipump",
        token: { decimals: 6, mintAuthority: null },
        topHolders: [{ pct: 8.80277890195699 }, {}],
      },
    },
  ],
  blockstream: [
    readBlock170(BITCOIN_EXPLORERS[0]),
    {
      files: ["fee-estimates.json"],
      at: "2026-01-01T00:00:00Z",
      read: fetchBlockstreamFees,
      gives: { fastest: 8.421, half_hour: 6.954, hour: 4.9799999999999995, economy: 1, minimum: 1 },
    },
    {
      files: ["mempool.json"],
      at: "2026-01-01T00:00:00Z",
      read: fetchBlockstreamBacklog,
      gives: { tx_count: 811, vsize_vb: 412270, total_fee_sat: 3632256 },
    },
  ],
  circle_cctp: [
    {
      files: ["fees-base-solana.json"],
      at: "2026-01-01T00:00:00Z",
      read: (context) => fetchCCTPFees(context, { from: "base", to: "solana" }),
      gives: { fast_bps: 1.3, standard_bps: 0 },
    },
  ],
  defillama: [
    {
      files: ["weth.json"],
      at: "2022-11-04T09:50:00Z",
      read: (context) =>
        fetchDefillamaPrice(context, { chain: "ethereum", token: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2" }),
      gives: { price: 1582.85, at_ms: 1667555277000 },
    },
  ],
  cnbc: [
    {
      files: ["quote.json"],
      at: "2026-10-05T05:45:08Z",
      read: (context) => fetchCnbcQuote(context, { symbol: "BTC", calendar: NEW_YORK }),
      gives: {
        price: 37.25,
        open: 38.28,
        prev_close: 37.44,
        volume: 2_867_801,
        currency: "USD",
        at_ms: Date.UTC(2026, 9, 2, 20),
      },
    },
    {
      files: ["quote-fico.json"],
      at: "2026-09-30T10:07:00Z",
      read: (context) => fetchCnbcQuote(context, { symbol: "FICO", calendar: NEW_YORK }),
      gives: {
        price: 617.87,
        open: null,
        high: null,
        low: null,
        prev_close: 840.89,
        at_ms: Date.UTC(2026, 8, 29, 20),
      },
    },
    {
      files: ["quote-amt.json"],
      at: "2026-09-30T10:07:00Z",
      read: (context) => fetchCnbcQuote(context, { symbol: "AMT", calendar: NEW_YORK }),
      gives: { price: 165.56, open: null, high: null, low: null, prev_close: 168, at_ms: Date.UTC(2026, 8, 29, 20) },
    },
    {
      files: ["quote-wbd.json"],
      at: "2026-10-08T13:10:00Z",
      read: (context) => fetchCnbcQuote(context, { symbol: "WBD", calendar: NEW_YORK }),
      // Another company's: products refuse what is not in the currency of the exchange.
      gives: { price: 1.88, currency: "EUR", name: "Webuild SpA" },
    },
  ],
  rhj: [
    {
      files: ["price-tsla.json"],
      at: "2026-10-03T14:24:00Z",
      read: (context) => fetchShareQuote(context, "TSLA"),
      gives: {
        symbol: "TSLA",
        bid: 371.43,
        ask: 371.8,
        day_high: 374.6,
        day_low: 354.9,
        volume: 55_329_941,
        halted: false,
      },
    },
    {
      files: ["corporate-actions.json"],
      at: "2026-09-04T20:00:00Z",
      read: fetchCorporateActions,
      gives: [
        { symbol: "AMAT", type: "cash_dividend", process_date: "2026-09-10" },
        { symbol: "NVDA", type: "cash_dividend", process_date: "2026-10-01" },
        { symbol: "AAPL", type: "cash_dividend", process_date: "2026-08-13" },
      ],
    },
  ],
  finnhub: [
    {
      files: ["quote-spy.json"],
      at: "2022-12-28T21:10:00Z",
      read: (context) => fetchFinnhubQuote(context, "SPY"),
      gives: { price: 376.66, open: 381.33, high: 383.38, low: 376.42, prev_close: 381.4, at_ms: 1672261200000 },
    },
    {
      files: ["quote-unknown.json"],
      at: "2022-12-28T21:10:00Z",
      read: (context) => fetchFinnhubQuote(context, "NOSUCH"),
      refused: "NOSUCH is not known",
    },
  ],
  jito: [
    {
      files: ["tip-floor.json"],
      at: "2024-09-01T12:59:00Z",
      read: fetchTips,
      gives: { p25: 6001, p50: 10000, p75: 36197, p95: 1447906, p99: 10007999, ema50: 9836 },
    },
  ],
  pyth_hermes: [
    {
      files: ["eth-usd.json"],
      at: "2026-07-27T09:09:30Z",
      read: (context) => fetchHermesPrice(context, "ff61491a931112ddf1bd8147cd1b641375f79f5825126d665480874634fd0ace"),
      gives: {
        price: 1956.56091864,
        conf: 0.87908136,
        publish_time_ms: 1785143368000,
        publish_slot: 304918931,
        exponent: -8,
      },
    },
  ],
  goldapi: [
    {
      files: ["price-xau.json"],
      at: "2026-08-18T13:30:00Z",
      read: (context) => fetchGoldapiPrice(context, "XAU", 0),
      gives: { price: 4392, at_ms: 1787059775000 },
    },
  ],
  mempool_space: [
    readBlock170(BITCOIN_EXPLORERS[1]),
    {
      files: ["mempool.json"],
      at: "2026-09-01T00:00:00Z",
      read: fetchMempoolSpaceBacklog,
      gives: { tx_count: 84888, vsize_vb: 42146199, total_fee_sat: 9420806 },
    },
    {
      files: ["blocks.json"],
      at: "2024-03-31T03:30:00Z",
      read: fetchMempoolSpaceTip,
      refused: "Expected integer to be greater or equal to 840000",
    },
    {
      files: ["difficulty-adjustment.json"],
      at: "2024-03-31T03:30:00Z",
      read: fetchDifficulty,
      gives: { change_est_pct: 5.914788959658535, remaining_blocks: 1606, retarget_est_at_ms: 1712766704114 },
    },
    {
      files: ["fees-precise.json"],
      at: "2024-03-31T03:30:00Z",
      read: fetchMempoolSpaceFees,
      gives: { fastest: 2.023, half_hour: 1.094, hour: 0.502, economy: 0.2, minimum: 0.1 },
    },
    { files: ["hashrate.json"], at: "2024-03-31T03:30:00Z", read: fetchHashrate, gives: 252033247355212300000 },
    {
      files: ["mempool-blocks.json"],
      at: "2024-03-31T03:30:00Z",
      read: fetchProjectedBlocks,
      gives: [{ n_tx: 4888, median_fee: 7.036906854130053, fee_min: 7, total_fee_sat: 9079705 }, {}, {}],
    },
  ],
  swissquote: [
    {
      files: ["xau-usd.json"],
      at: "2026-08-18T13:29:42Z",
      read: (context) => fetchDealerQuote(context, "XAU/USD", 0),
      // Its narrowest spread, that of "elite".
      gives: { bid: 4389.128, ask: 4389.632, at_ms: 1787059781075 },
    },
  ],
  coingecko: [
    {
      files: ["global.json", "markets.json"],
      at: "2024-05-20T15:00:00Z",
      read: fetchCoingeckoCaps,
      // The example has one coin.
      refused: "only 1 coins",
    },
  ],
  coinmarketcap: [
    {
      files: ["listings.json", "global-metrics.json"],
      at: "2024-04-08T21:20:00Z",
      read: fetchCoinmarketcapCaps,
      gives: {
        caps: { BTC: 1413399207913.8157, SOL: 80264247069.23817 },
        at_ms: 1712610720000,
        total_usd: 2304896836510.4614,
        btc_dominance_pct: 57.396428129187,
      },
    },
    {
      files: ["fear-and-greed.json"],
      at: "2024-01-15T10:30:00Z",
      read: fetchCoinmarketcapIndex,
      gives: { rows: [{ value: 72, classification: "Greed", at_ms: Date.UTC(2024, 0, 15) }], next_update_at_ms: null },
    },
  ],
  coinpaprika: [
    {
      files: ["global.json"],
      at: "2021-10-22T18:40:00Z",
      read: fetchCoinpaprikaTotals,
      gives: { total_usd: 2559344984924, total_change_24h_pct: -1.86, btc_dominance_pct: 44.68 },
    },
    {
      files: ["global.json", "ticker-btc.json"],
      at: "2026-02-08T14:00:00Z",
      read: fetchCoinpaprikaCaps,
      // The coin is read; a list of one is none.
      refused: "only 1 coins",
    },
  ],
  goplus: [
    {
      files: ["token-security-bsc.json"],
      at: "2022-09-01T00:00:00Z",
      read: (context) =>
        fetchTokenSecurity(context, { chain: "ethereum", token: "0xf29ac0cc7611155595c40890c3b6b3fbf85b5f1c" }),
      gives: {
        is_honeypot: "0",
        sell_tax: "1",
        hidden_owner: "1",
        is_blacklisted: "1",
        holder_count: "402",
        owner_address: "0xb9aafe776d70b432b53f7ce0f3aa5d194c6b6005",
      },
    },
    {
      files: ["token-security-solana.json"],
      at: "2026-07-19T12:00:00Z",
      read: (context) =>
        fetchTokenSecurity(context, { chain: "solana", token: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v" }),
      gives: {
        mintable: { status: "1" },
        freezable: { status: "1" },
        trusted_token: 1,
        holder_count: "7348314",
        transfer_hook: [],
      },
    },
    {
      files: ["address-security.json"],
      at: "2026-09-01T12:00:00Z",
      read: (context) => fetchAddressSecurity(context, { address: "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045" }),
      gives: { labels: { sanctioned: false, mixer: false }, malicious_contracts: 0 },
    },
  ],
  honeypot_is: [
    {
      files: ["is-honeypot.json"],
      at: "2024-01-01T00:00:00Z",
      read: (context) =>
        fetchHoneypot(context, { chain: "ethereum", token: "0x95B6cD4aCb05A4e3B682f009FD323BB1D822F5cF" }),
      gives: { is_honeypot: true, buy_tax: 0, sell_tax: 1, risk_level: null },
    },
  ],
  raydium: [
    {
      files: ["swap-base-in.json"],
      at: "2025-05-01T00:00:00Z",
      read: (context) =>
        fetchRaydiumQuote(context, {
          input_mint: "So11111111111111111111111111111111111111112",
          output_mint: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
          amount: 1_000_000_000n,
        }),
      gives: 156_989_496n,
    },
  ],
  nasdaq: [
    {
      files: ["info-adbe.json"],
      at: "2023-02-24T11:10:00Z",
      read: (context) => fetchNasdaqQuote(context, { symbol: "ADBE", calendar: NEW_YORK }),
      gives: {
        price: 347.02,
        prev_close: 348.72,
        name: "Adobe Inc. Common Stock",
        volume: null,
        at_ms: Date.UTC(2023, 1, 23, 21),
      },
    },
    {
      files: ["info-iren.json"],
      at: "2026-09-03T22:15:00Z",
      read: (context) => fetchNasdaqQuote(context, { symbol: "IREN", calendar: NEW_YORK }),
      gives: { price: 41.65, prev_close: 39.6, volume: 44_902_322.096396, at_ms: Date.UTC(2026, 8, 3, 20) },
      as_read_by: "the publisher: its PreviousClose of the same day is $39.60",
    },
    {
      files: ["info-aapl.json"],
      at: "2026-09-26T20:00:00Z",
      read: (context) => fetchNasdaqQuote(context, { symbol: "AAPL", calendar: NEW_YORK }),
      // A Saturday: the publisher's list of closes has 341.07 on Friday and 335.92 on Thursday.
      gives: { price: 341.07, prev_close: 335.92, volume: 30_002_768, at_ms: Date.UTC(2026, 8, 25, 20) },
    },
  ],
  cboe: [
    {
      files: ["quote-mrvl.json"],
      at: "2026-08-18T11:20:00Z",
      read: (context) => fetchCboeQuote(context, { symbol: "MRVL", calendar: NEW_YORK }),
      // 234.33 is what Nasdaq and CNBC gave as the close; which figure the change belongs to is not told.
      gives: { price: 234.33, prev_close: null, at_ms: Date.UTC(2026, 7, 17, 20), high: 240.18, low: 226.89 },
      as_read_by: "text index file 57758791397, which compared three vendors",
    },
  ],
  massive: [
    {
      files: ["snapshot-aapl.json"],
      at: "2020-11-12T15:45:20Z",
      read: (context) => fetchMassiveQuote(context, { symbol: "AAPL", calendar: NEW_YORK }),
      gives: { price: 120.47, prev_close: 119.49, at_ms: 1605195918306 },
    },
  ],
  twse: [
    {
      files: ["stock-day-all.json"],
      at: "2026-09-04T08:00:00Z",
      read: fetchTaiwanCloses,
      gives: {
        1101: { price: 24.6, prev_close: 24.45, at_ms: Date.UTC(2026, 8, 4, 5, 30) },
        1216: { name: "統一", prev_close: 75.6 },
      },
    },
  ],
  twelvedata: [
    {
      files: ["quote-aapl.json"],
      at: "2026-09-15T21:00:00Z",
      read: (context) => fetchTwelveDataQuote(context, "AAPL"),
      gives: { price: 331.34, prev_close: 333.079987, at_ms: 1789502340000, currency: "USD" },
    },
  ],
};
