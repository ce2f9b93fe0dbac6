import { NodeError } from "../../../../core/errors.ts";
import { UNIVERSE_20 } from "../universe.ts";

/** Other names of the same asset, and wrapped forms that follow its price. */
const SAME: Readonly<Record<string, string>> = { XBT: "BTC", WBTC: "BTC", CBBTC: "BTC", WETH: "ETH" };

/** The symbol an asset is known by here: "XBT" and "WBTC" are "BTC". Upper case in, upper case out. */
export const getCanonicalSymbol = (symbol: string): string => SAME[symbol] ?? symbol;

const SEPARATED = /^([A-Z0-9]+)[/_-](?:USD|USDT|USDC)$/;
/** No ticker ends like this but a pair's; one that ends with USD may be a stablecoin's own. */
const JOINED = /^([A-Z0-9]{2,})(?:USDT|USDC)$/;
const JOINED_USD = /^([A-Z0-9]{2,})USD$/;

const getBase = (given: string): string => {
  const found = SEPARATED.exec(given)?.[1] ?? JOINED.exec(given)?.[1];
  if (found !== undefined) return found;
  const base = JOINED_USD.exec(given)?.[1];
  return base !== undefined && UNIVERSE_20.some((symbol) => symbol === getCanonicalSymbol(base)) ? base : given;
};

/**
 * Brings "btc", " $BTC ", "XBT", "BTC/USD", "BTC-USDT", "BTCUSDT" or "BTCUSD" to the ticker "BTC". Whether there is
 * such an asset is not asked.
 */
export function toTicker(text: string): string {
  return getCanonicalSymbol(getBase(text.trim().toUpperCase().replace(/^\$/, "")));
}

/**
 * Brings "btc", " $BTC ", "XBT", "BTC/USD" or "BTCUSDT" to one of the allowed symbols. Prices are in US dollars
 * whatever dollar the pair names; no other quote is taken.
 * @throws NodeError invalid_parameter, listing the allowed symbols.
 */
export function parseSymbol<S extends string>(text: string, allowed: readonly S[], parameter = "symbol"): S {
  const ticker = toTicker(text);
  const found = allowed.find((symbol) => symbol === ticker);
  if (found !== undefined) return found;
  throw new NodeError("invalid_parameter", `Parameter "${parameter}" must be one of ${allowed.join(", ")}.`, {
    param: parameter,
    details: { parameter, got: text.slice(0, 100), allowed },
  });
}
