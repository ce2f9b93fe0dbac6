import { getOwn } from "intel-node";

/** How headlines name a coin, in lower case. Tickers that are words ("sol", "near", "link") count with a $ only. */
interface CoinNames {
  readonly names: readonly string[];
  /** Whether the bare ticker, in capitals, means the coin and nothing else. */
  readonly ticker: boolean;
}

const named = (...names: readonly string[]): CoinNames => ({ names, ticker: true });
const onlyNamed = (...names: readonly string[]): CoinNames => ({ names, ticker: false });

const COINS: Readonly<Record<string, CoinNames>> = {
  BTC: named("bitcoin"),
  ETH: named("ethereum", "ether"),
  SOL: onlyNamed("solana"),
  BNB: named("binance coin", "bnb chain"),
  XRP: named("xrp"),
  ADA: onlyNamed("cardano"),
  DOGE: onlyNamed("dogecoin"),
  AVAX: onlyNamed("avax", "avalanche network", "avalanche foundation"),
  LINK: onlyNamed("chainlink"),
  LTC: named("litecoin"),
  TRX: onlyNamed("tron network", "trx"),
  DOT: onlyNamed("polkadot"),
  BCH: named("bitcoin cash"),
  SUI: named("sui network"),
  NEAR: onlyNamed("near protocol"),
  UNI: onlyNamed("uniswap"),
  AAVE: named("aave"),
  ARB: onlyNamed("arbitrum"),
  OP: onlyNamed("optimism network", "op mainnet"),
  APT: onlyNamed("aptos"),
  PEPE: onlyNamed("pepecoin"),
  SHIB: named("shiba inu"),
  HYPE: onlyNamed("hyperliquid"),
  ZEC: named("zcash"),
  XMR: named("monero"),
  XLM: named("stellar lumens"),
  TON: onlyNamed("toncoin"),
  HBAR: named("hedera"),
  TAO: onlyNamed("bittensor"),
  ENA: onlyNamed("ethena"),
  ONDO: onlyNamed("ondo finance"),
  PENDLE: onlyNamed("pendle"),
};

/** The coins that answers are given of even while the news is silent about them. */
export const SENTIMENT_COINS = ["BTC", "ETH", "SOL", "BNB", "XRP", "ADA", "DOGE", "AVAX", "LINK", "LTC"] as const;

/** Coins that headlines name by more than a ticker. */
export const NAMED_COINS: readonly string[] = Object.keys(COINS);

/** What is asked of a search engine of words: the coin's usual name, or its ticker. */
export const getCoinName = (symbol: string): string => getOwn(COINS, symbol)?.names[0] ?? symbol;

/** "bitcoin cash" is not bitcoin. */
const NOT: Readonly<Record<string, RegExp>> = { BTC: /\bbitcoin cash\b/gi, ETH: /\bethereum classic\b/gi };

/** A test whether a headline names the coin: its name as a word, $TICKER, (TICKER), or a ticker that is not a word. */
export function createCoinMatcher(symbol: string): (title: string) => boolean {
  if (!/^[A-Z0-9]{1,20}$/.test(symbol)) throw new RangeError(`"${symbol}" is no symbol`);
  const coin = getOwn(COINS, symbol);
  const marked = new RegExp(`\\$${symbol}\\b|\\(${symbol}\\)`);
  const ticker = coin?.ticker ? new RegExp(`\\b${symbol}\\b`) : null;
  const name = coin ? new RegExp(`\\b(?:${coin.names.join("|")})(?:'s)?\\b`, "i") : null;
  const not = getOwn(NOT, symbol);
  return (title) => {
    const text = not ? title.replace(not, "") : title;
    return marked.test(text) || ticker?.test(text) === true || name?.test(text) === true;
  };
}
