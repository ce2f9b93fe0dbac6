import type { FetchContext } from "../../../catalog/context.ts";
import { getOwn } from "../../../core/own.ts";
import { DECIMALS } from "./chainlink-feeds.ts";
import { toUint } from "./eth-call.ts";
import { encodeAddress, encodeWord, fetchViews, type ViewCall } from "./multicall.ts";

/** Uniswap v3's QuoterV2 by chain. */
export const QUOTERS: Readonly<Record<string, string>> = {
  ethereum: "0x61fFE014bA17989E743c5F6cB21bF9697530B21e",
  arbitrum: "0x61fFE014bA17989E743c5F6cB21bF9697530B21e",
  optimism: "0x61fFE014bA17989E743c5F6cB21bF9697530B21e",
  polygon: "0x61fFE014bA17989E743c5F6cB21bF9697530B21e",
  base: "0x3d4e44Eb1374240CE5F1B871ab261CD16335B76a",
};

/** quoteExactInputSingle((address tokenIn, address tokenOut, uint256 amountIn, uint24 fee, uint160 limit)) */
export const QUOTE_EXACT_INPUT = "0xc6a5026a";
/** Pool fees that are tried, hundredths of a basis point. */
export const FEE_TIERS = [100, 500, 3_000] as const;

const QUOTE_TTL_MS = 5_000;
/** Blocks come every 12 s at most. */
const BLOCK_AGE_MAX_MS = 90_000;
/** They never change, but an answer's sources show when a node was first asked: that must not be yesterday. */
const DECIMALS_TTL_MS = 30_000;
const DECIMALS_MAX = 36n;
const GAS_MAX = 30_000_000n;

export interface PoolSwap {
  readonly token_in: string;
  readonly token_out: string;
  /** In the token's smallest unit. */
  readonly amount_in: bigint;
}

export interface PoolQuote {
  /** In the token's smallest unit, after pool fee and price impact. */
  readonly amount_out: bigint;
  /** Hundredths of a basis point. */
  readonly fee_tier: number;
  /** Gas of the swap alone. */
  readonly gas: number;
}

export const encodeQuote = ({ token_in, token_out, amount_in }: PoolSwap, fee: number): string =>
  QUOTE_EXACT_INPUT +
  encodeAddress(token_in) +
  encodeAddress(token_out) +
  encodeWord(amount_in) +
  encodeWord(BigInt(fee)) +
  encodeWord(0n);

/** Returns amountOut, sqrtPriceX96After, ticksCrossed, gasEstimate. */
function readQuote(words: readonly string[] | null | undefined, fee_tier: number): PoolQuote | null {
  if (words?.length !== 4) return null;
  const [out = "", , , gas_word = ""] = words;
  const [amount_out, gas] = [toUint(out), toUint(gas_word)];
  return amount_out > 0n && gas > 0n && gas <= GAS_MAX ? { amount_out, fee_tier, gas: Number(gas) } : null;
}

/**
 * What the best of the pools pays for each swap; null where there is no pool or it cannot fill the amount. Read in one
 * call per 48 pools, with the time of the older block.
 * @throws UpstreamError
 */
export async function fetchPoolQuotes(
  context: Pick<FetchContext, "get" | "now_ms">,
  chain: string,
  swaps: readonly PoolSwap[],
): Promise<{ readonly block_at_ms: number; readonly quotes: readonly (PoolQuote | null)[] }> {
  const to = getOwn(QUOTERS, chain) ?? "";
  const views = swaps.flatMap((swap) => FEE_TIERS.map((fee): ViewCall => ({ to, data: encodeQuote(swap, fee) })));
  const { block_at_ms, results } = await fetchViews(context, {
    chain,
    views,
    ttl_ms: QUOTE_TTL_MS,
    age_max_ms: BLOCK_AGE_MAX_MS,
  });
  const quotes = swaps.map((_, index) => {
    const found = FEE_TIERS.flatMap((fee, tier) => readQuote(results[index * FEE_TIERS.length + tier], fee) ?? []);
    return found.reduce<PoolQuote | null>(
      (best, one) => (best && best.amount_out >= one.amount_out ? best : one),
      null,
    );
  });
  return { block_at_ms, quotes };
}

/**
 * The number of decimals each token's contract states; null where it states none.
 * @throws UpstreamError
 */
export async function fetchDecimals(
  context: Pick<FetchContext, "get" | "now_ms">,
  chain: string,
  tokens: readonly string[],
): Promise<readonly (number | null)[]> {
  const views = tokens.map((to) => ({ to, data: DECIMALS }));
  const { results } = await fetchViews(context, { chain, views, ttl_ms: DECIMALS_TTL_MS, age_max_ms: null });
  return results.map((words) => {
    const value = words?.length === 1 ? toUint(words[0] ?? "0") : null;
    return value !== null && value <= DECIMALS_MAX ? Number(value) : null;
  });
}
