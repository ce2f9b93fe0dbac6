import { NodeError } from "intel-node";
import { toTicker } from "../shared/oracle/symbol.ts";
import { UNIVERSE_10 } from "../shared/universe.ts";

const DEFAULT_SYMBOL = "BTC";
const TICKER = /^[A-Z0-9]{1,12}$/;

/** A coin the sheet is not offered for: 422, nothing is charged. */
export const refuseSymbol = (symbol: string, why: string): NodeError =>
  new NodeError(
    "invalid_parameter",
    `Parameter "symbol": ${why}. Use one of ${UNIVERSE_10.join(", ")}, ` +
      "or another coin Hyperliquid has listed for 250 days.",
    { param: "symbol", details: { parameter: "symbol", got: symbol.slice(0, 100), allowed: [...UNIVERSE_10] } },
  );

/**
 * The ticker that is meant. Whether there is such a coin is asked later.
 * @throws NodeError invalid_parameter when it cannot be one.
 */
export function getAnaliseSymbol({ symbol }: { readonly symbol?: string }): string {
  const ticker = toTicker(symbol ?? DEFAULT_SYMBOL);
  if (!TICKER.test(ticker)) throw refuseSymbol(symbol ?? "", "not the ticker of a coin");
  return ticker;
}
