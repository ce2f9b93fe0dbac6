import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { type Outcome, outcomeOf } from "../../../catalog/failover.ts";
import { isUnusable, unusable } from "../../../catalog/unusable.ts";
import { UpstreamError } from "../../../core/errors.ts";
import { type CapRow, type MarketCaps, type MarketTotals, NO_TOTALS, readCapRows } from "../market-caps-reading.ts";
import { coinpaprika } from "./provider.ts";

/** Every coin is a call. */
const TTL_MS = 1_800_000;

type Context = Pick<FetchContext, "get" | "now_ms">;

/** Its ids by canonical symbol; coins whose id is not certain are left out. */
export const COINPAPRIKA_IDS: Readonly<Record<string, string>> = {
  BTC: "btc-bitcoin",
  ETH: "eth-ethereum",
  SOL: "sol-solana",
  BNB: "bnb-binance-coin",
  XRP: "xrp-xrp",
  ADA: "ada-cardano",
  DOGE: "doge-dogecoin",
  AVAX: "avax-avalanche",
  LINK: "link-chainlink",
  LTC: "ltc-litecoin",
  TRX: "trx-tron",
  DOT: "dot-polkadot",
  BCH: "bch-bitcoin-cash",
  SUI: "sui-sui",
  NEAR: "near-near-protocol",
  UNI: "uni-uniswap",
  AAVE: "aave-aave",
  ARB: "arb-arbitrum",
  OP: "op-optimism",
  APT: "apt-aptos",
  LDO: "ldo-lido-dao",
  CRV: "crv-curve-dao-token",
  PENDLE: "pendle-pendle",
  JUP: "jup-jupiter",
  TAO: "tao-bittensor",
  WLD: "wld-worldcoin",
  SHIB: "shib-shiba-inu",
  PEPE: "pepe-pepe",
  BONK: "bonk-bonk",
  WIF: "wif-dogwifhat",
  PYTH: "pyth-pyth-network",
  FIL: "fil-filecoin",
  AR: "ar-arweave",
  TIA: "tia-celestia",
  MKR: "mkr-maker",
  GALA: "gala-gala",
  IMX: "imx-immutable-x",
  SAND: "sand-the-sandbox",
  AXS: "axs-axie-infinity",
};

const Ticker = Type.Object({
  id: Type.String(),
  symbol: Type.String(),
  last_updated: Type.String({ pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{5,15}Z$" }),
  quotes: Type.Object({ USD: Type.Object({ market_cap: Type.Number({ exclusiveMinimum: 0 }) }) }),
});

const Totals = Type.Object({
  market_cap_usd: Type.Number({ exclusiveMinimum: 0 }),
  bitcoin_dominance_percentage: Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 100 }),
  market_cap_change_24h: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
});

const fetchCoin = (context: Context, symbol: string, id: string): Promise<CapRow> =>
  context.get(coinpaprika, {
    path: `/tickers/${id}?quotes=USD`,
    schema: Ticker,
    ttl_ms: TTL_MS,
    read: (ticker) =>
      ticker.id === id && ticker.symbol === symbol
        ? { symbol, cap_usd: ticker.quotes.USD.market_cap, at_ms: Date.parse(ticker.last_updated) }
        : unusable("the answer is about another coin"),
  });

/** Of the whole market. @throws UpstreamError */
export const fetchCoinpaprikaTotals = (context: Pick<FetchContext, "get">): Promise<MarketTotals> =>
  context.get(coinpaprika, {
    path: "/global",
    schema: Totals,
    ttl_ms: TTL_MS,
    read: (totals) => ({
      total_usd: totals.market_cap_usd,
      total_change_24h_pct: totals.market_cap_change_24h ?? null,
      btc_dominance_pct: totals.bitcoin_dominance_percentage,
    }),
  });

/** Asks for Bitcoin first: without it the others are of no use, and need not be asked for. */
async function fetchCoins(context: Context): Promise<CapRow[]> {
  const [first, ...others] = Object.entries(COINPAPRIKA_IDS);
  if (!first) return [];
  const bitcoin = await fetchCoin(context, ...first);
  const outcomes: Outcome<CapRow>[] = await Promise.all(
    others.map(([symbol, id]) => outcomeOf(fetchCoin(context, symbol, id))),
  );
  return [bitcoin, ...outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : []))];
}

/**
 * Capitalisations of the coins of COINPAPRIKA_IDS, one call each (the list of all has 13,000 rows), and of the whole
 * market. Coins that cannot be read are left out; without its figures of the market those are null.
 * @throws UpstreamError
 */
export async function fetchCoinpaprikaCaps(context: Context): Promise<MarketCaps> {
  const [rows, totals] = await Promise.all([fetchCoins(context), outcomeOf(fetchCoinpaprikaTotals(context))]);
  const reading = readCapRows(rows, context.now_ms);
  if (isUnusable(reading)) throw new UpstreamError("upstream_bad_response", coinpaprika.id, reading.why);
  return { source: coinpaprika.id, ...reading, ...(totals.ok ? totals.value : NO_TOTALS), total_of: "market" };
}
