import { listClosest, NodeError } from "intel-node";
import { toTicker } from "../oracle/symbol.ts";
import { UNIVERSE_10 } from "../universe/universe.ts";

const DEFAULT_SYMBOL = "BTC";
const NEAR_MAX = 3;
const TICKER = /^[A-Z0-9]{1,12}$/;

/**
 * A coin the sheet is not offered for: 422, nothing is charged.
 * @param known further coins there are, beside those that always work: the nearest of all are suggested.
 */
export function refuseSymbol(symbol: string, why: string, known: Iterable<string> = []): NodeError {
  const got = symbol.slice(0, 100);
  const near = listClosest(got, new Set([...UNIVERSE_10, ...known]), NEAR_MAX);
  const hint = near.length > 0 ? ` Near: ${near.join(", ")}.` : "";
  const use = `Use one of ${UNIVERSE_10.join(", ")}, or another coin Hyperliquid has listed for 250 days.`;
  return new NodeError("invalid_parameter", `Parameter "symbol": ${why}.${hint} ${use}`, {
    param: "symbol",
    details: { parameter: "symbol", got, allowed: [...UNIVERSE_10], ...(near.length > 0 ? { near } : {}) },
  });
}

/**
 * The ticker that is meant. Whether there is such a coin is asked later.
 * @throws NodeError invalid_parameter when it cannot be one.
 */
export function getAnaliseSymbol({ symbol }: { readonly symbol?: string }): string {
  const ticker = toTicker(symbol ?? DEFAULT_SYMBOL);
  if (!TICKER.test(ticker)) throw refuseSymbol(symbol ?? "", "not the ticker of a coin");
  return ticker;
}
