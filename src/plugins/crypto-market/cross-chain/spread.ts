import type { DexChain } from "intel-node/providers/dex-tokens";
import { LIVE_AGE_MAX_MS } from "../dex/pool-tables.ts";

const BPS = 10_000;

/** One token on one chain. */
export interface ChainTokenPrice {
  readonly chain: DexChain;
  readonly wrapper: string;
  readonly price_usd: number;
}

export interface Spread {
  readonly wrapper: string;
  readonly cheapest: DexChain;
  readonly dearest: DexChain;
  /** Basis points, not rounded. */
  readonly bps: number;
}

/** The widest spread of one token between two chains; null when no token has prices on two. */
export function findSpread(prices: readonly ChainTokenPrice[]): Spread | null {
  const spreads = [...new Set(prices.map(({ wrapper }) => wrapper))].flatMap((wrapper): readonly Spread[] => {
    const sorted = prices.filter((one) => one.wrapper === wrapper).sort((a, b) => a.price_usd - b.price_usd);
    const [low, high] = [sorted[0], sorted.at(-1)];
    if (!low || !high || low.chain === high.chain) return [];
    return [{ wrapper, cheapest: low.chain, dearest: high.chain, bps: (high.price_usd / low.price_usd - 1) * BPS }];
  });
  return spreads.reduce<Spread | null>((widest, one) => (widest && widest.bps >= one.bps ? widest : one), null);
}

/**
 * The prices that a spread can use. An older one is shown with its age: against quotes of now it would show
 * how far the market went since then.
 */
export const listLive = <T extends { readonly at_ms: number | null }>(
  tokens: readonly T[],
  now_ms: number,
): readonly T[] => tokens.filter(({ at_ms }) => at_ms === null || now_ms - at_ms <= LIVE_AGE_MAX_MS);
