import { type FetchContext, getOwn } from "intel-node";
import { CHAINLINK_CURRENCIES } from "intel-node/providers/evm-rpc/chainlink-feeds";
import { fetchChainlinkCurrency } from "intel-node/providers/evm-rpc/chainlink-price";
import type { CurrencyPair } from "../currencies/codes.ts";
import type { OracleRate } from "./judge.ts";

const isPriced = (code: string): boolean => code === "USD" || Object.hasOwn(CHAINLINK_CURRENCIES, code);

/** Whether feeds make the pair. */
export const hasOracle = (pair: CurrencyPair): boolean => pair.split("/").every(isPriced);

/** The pair's rate out of what one unit of either currency is worth in dollars. @throws UpstreamError */
export async function fetchOracle(
  context: Pick<FetchContext, "get" | "now_ms">,
  pair: CurrencyPair,
): Promise<OracleRate> {
  const codes = pair.split("/").filter((code) => code !== "USD");
  const feeds = await Promise.all(
    codes.map(async (code) => ({
      code,
      ...(await fetchChainlinkCurrency(context, { code, to: getOwn(CHAINLINK_CURRENCIES, code) ?? "" })),
    })),
  );
  const usd = new Map([["USD", 1], ...feeds.map(({ code, price }) => [code, price] as const)]);
  const [base = Number.NaN, quote = Number.NaN] = pair.split("/").map((code) => usd.get(code));
  return { rate: base / quote, updated_at_ms: Math.min(...feeds.map(({ updated_at_ms }) => updated_at_ms)) };
}
