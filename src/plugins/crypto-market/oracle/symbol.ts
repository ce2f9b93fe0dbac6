import { type SymbolAliases, type TickerRules, toTicker as toAnyTicker } from "intel-node";
import { UNIVERSE_20 } from "../universe/universe.ts";

/** Other names of the same asset, and wrapped forms that follow its price. */
export const ALIASES: SymbolAliases = { XBT: "BTC", WBTC: "BTC", CBBTC: "BTC", WETH: "ETH" };

/** Accepted spellings of a coin. */
export const COIN_RULES: TickerRules = {
  aliases: ALIASES,
  isKnown: (ticker) => UNIVERSE_20.some((symbol) => symbol === ticker),
};

/**
 * Brings "btc", " $BTC ", "XBT", "BTC/USD", "BTC-USDT", "BTCUSDT" or "BTCUSD" to the ticker "BTC". Whether there is
 * such an asset is not asked.
 */
export const toTicker = (text: string): string => toAnyTicker(text, COIN_RULES);
