import type { SimulatedWorld } from "../../../catalog/simulator.ts";
import { USDC, USDC_DECIMALS } from "../dex-tokens.ts";
import { findTokenFacts } from "./find-token.ts";

export interface SimulatedTokenSwap {
  readonly chain: "solana" | "ethereum" | "base";
  readonly from: string;
  readonly to: string;
  /** In the smallest unit. */
  readonly amount: bigint;
  readonly fee_ratio: number;
}

const fold = (chain: string, address: string) => (chain === "solana" ? address : address.toLowerCase());

/**
 * What the pool of a token with known truth pays, against USDC, as a constant product would; undefined when it has no
 * such pool.
 */
export function swapSimulatedToken(world: SimulatedWorld, swap: SimulatedTokenSwap): bigint | undefined {
  const { chain, from, to, amount, fee_ratio } = swap;
  const is_buy = fold(chain, from) === fold(chain, USDC[chain]);
  if (!is_buy && fold(chain, to) !== fold(chain, USDC[chain])) return undefined;
  const token = findTokenFacts(world, chain, is_buy ? to : from);
  if (token?.venue !== "amm" || token.liquidity_usd < 100) return undefined;
  const reserves = { usd: token.liquidity_usd / 2, tokens: token.liquidity_usd / 2 / token.price_usd };
  const transfer = 1 - token.fee_bps / 10_000;
  const [own, other] = is_buy ? [reserves.usd, reserves.tokens] : [reserves.tokens, reserves.usd];
  const [places_in, places_out] = is_buy ? [USDC_DECIMALS, token.decimals] : [token.decimals, USDC_DECIMALS];
  const paid = (Number(amount) / 10 ** places_in) * (1 - fee_ratio) * transfer;
  return BigInt(Math.floor(((other * paid) / (own + paid)) * transfer * 10 ** places_out));
}
