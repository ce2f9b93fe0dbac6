import { type Unusable, unusable } from "../../catalog/unusable.ts";
import type { DexChain } from "./dex-tokens.ts";

/** A token's price in the deepest of its pools. */
export interface PoolPrice {
  /** US dollars. */
  readonly price: number;
  readonly liquidity_usd: number;
}

/** One pool of a table whose base token is the one asked for. What the table does not state is NaN. */
export interface ListedPool extends PoolPrice {
  readonly change_24h_pct: number;
}

const LIQUIDITY_USD_MIN = 250_000;
const CHANGE_PCT_MAX = 1_000;

/** Hex addresses are written in either case; Solana's are not. */
export const isSameToken = (chain: DexChain, a: string, b: string): boolean =>
  chain === "solana" ? a === b : a.toLowerCase() === b.toLowerCase();

const isMeaningful = ({ price, liquidity_usd, change_24h_pct }: ListedPool): boolean =>
  price > 0 &&
  Number.isFinite(price) &&
  liquidity_usd >= LIQUIDITY_USD_MIN &&
  Math.abs(change_24h_pct) <= CHANGE_PCT_MAX;

/** The deepest of the pools that mean something, or why there is none: thin ones show absurd prices. */
export function readDeepest(pools: readonly ListedPool[]): PoolPrice | Unusable {
  const [deepest] = pools.filter(isMeaningful).sort((a, b) => b.liquidity_usd - a.liquidity_usd);
  if (!deepest) return unusable(`no pool of ${LIQUIDITY_USD_MIN} US dollars or more`);
  return { price: deepest.price, liquidity_usd: deepest.liquidity_usd };
}
