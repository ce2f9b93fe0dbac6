import { NodeError } from "../../../../core/errors.ts";

/** Other names of the same asset, and wrapped forms that follow its price. */
const SAME: Readonly<Record<string, string>> = { XBT: "BTC", WBTC: "BTC", CBBTC: "BTC", WETH: "ETH" };

/** The symbol an asset is known by here: "XBT" and "WBTC" are "BTC". Upper case in, upper case out. */
export const getCanonicalSymbol = (symbol: string): string => SAME[symbol] ?? symbol;

const SEPARATED = /^([A-Z0-9]+)[/_-]USD$/;

/** Brings "btc", " $BTC ", "XBT" or "BTC/USD" to the ticker "BTC". Whether there is such an asset is not asked. */
export function toTicker(text: string): string {
  const given = text.trim().toUpperCase().replace(/^\$/, "");
  const base = SEPARATED.exec(given)?.[1] ?? given;
  return SAME[base] ?? base;
}

/**
 * Brings "btc", " $BTC ", "XBT" or "BTC/USD" to one of the allowed symbols. Prices are in US dollars, so no other quote
 * is taken.
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
