import { getOwn, renderTime } from "intel-node";
import { findRewardToken, priceNameOf } from "../yields/prices.ts";
import { YEAR_SECONDS } from "../yields/protocol.ts";
import type { YieldHistory, YieldPrices } from "./fetch.ts";

/** The target value of a token that represents another: a dollar, or another token. */
const PEGS: Readonly<Record<string, string>> = {
  USDC: "USD",
  USDT: "USD",
  DAI: "USD",
  USDS: "USD",
  USDe: "USD",
  stETH: "ETH",
};

/** A whole number of smallest units as an exact decimal. */
export function renderUnits(atomic: string, decimals: number): string {
  const digits = atomic.padStart(decimals + 1, "0");
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return digits.slice(0, digits.length - decimals) + (fraction === "" ? "" : `.${fraction}`);
}

const getPrice = (prices: YieldPrices, symbol: string): number | null =>
  prices.get(priceNameOf(symbol))?.price_usd ?? null;

/** How much less than its peg a token is worth, percent; null without a peg or a price. */
export function getBelowPeg(prices: YieldPrices, symbol: string): number | null {
  const peg = getOwn(PEGS, symbol);
  const price = getPrice(prices, symbol);
  const par = peg === "USD" ? 1 : getPrice(prices, peg ?? "");
  return peg === undefined || price === null || par === null ? null : Math.max(0, 1 - price / par) * 100;
}

/**
 * What is deposited: exact units, and US dollars where the underlying has a price; null where the contract did not say.
 */
export function getLocked({ reader, samples }: YieldHistory, prices: YieldPrices) {
  const atomic = samples.at(-1)?.locked ?? null;
  const price = getPrice(prices, reader.underlying);
  return {
    locked: atomic === null ? null : renderUnits(atomic, reader.decimals),
    locked_usd: atomic === null || price === null ? null : (Number(atomic) / 10 ** reader.decimals) * price,
  };
}

/**
 * What is paid beside the yield, token by token, as a part of what is deposited in a year, percent, not compounded:
 * per second x seconds of a year x the token's price / what is deposited in US dollars (Compound III documentation,
 * Aave's RewardsDistributor). Null where no contract says; none is an empty list.
 */
export function getRewards({ reader, samples }: YieldHistory, prices: YieldPrices, locked_usd: number | null) {
  const last = samples.at(-1);
  if (!last?.rewards || reader.pays_elsewhere !== undefined) return null;
  return last.rewards
    .filter(({ ends_at_ms }) => ends_at_ms === null || ends_at_ms > last.block_at_ms)
    .map(({ token, per_second, ends_at_ms }) => {
      const known = findRewardToken(reader.chain, token);
      const price = known && getPrice(prices, known.symbol);
      const a_year = known && (Number(per_second) / 10 ** known.decimals) * YEAR_SECONDS;
      return {
        symbol: known?.symbol ?? null,
        token,
        apr_pct: a_year === null || price === null || !locked_usd ? null : ((a_year * price) / locked_usd) * 100,
        ends_at: ends_at_ms === null ? null : renderTime(ends_at_ms),
      };
    });
}

/** All rewards together; null as soon as one of them is. */
export const sumRewards = (rewards: readonly { readonly apr_pct: number | null }[] | null): number | null =>
  rewards === null
    ? null
    : rewards.reduce<number | null>((sum, { apr_pct }) => (sum === null || apr_pct === null ? null : sum + apr_pct), 0);
