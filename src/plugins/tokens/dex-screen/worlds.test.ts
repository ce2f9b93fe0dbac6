import { expect, test } from "bun:test";
import { fc } from "../../../../test/helpers/properties.ts";
import type { DexPair } from "../../../upstream/providers/dexscreener/pairs.ts";
import type { TokenProfile } from "../facts/profile.ts";
import { describeMarkets } from "../token-intel/compute.ts";
import { describePair, turnPair } from "./compute.ts";

/**
 * Turnover, balance and price of invented pools, computed a second time: from each single trade, in whole cents, where
 * the products divide what a table sums up.
 */
const NOW_MS = Date.UTC(2026, 9, 4, 12);
const TOKEN = `0x${"7".repeat(40)}`;
const USDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";

interface Pool {
  /** Cents; purchases above 0, sales below. */
  readonly trades: readonly number[];
  /** Cents on each side of the pool. */
  readonly sides: readonly [number, number];
  /** Millionths of a dollar. */
  readonly price: number;
}
const pool: fc.Arbitrary<Pool> = fc.record({
  trades: fc.array(
    fc.integer({ min: -5_000_000, max: 5_000_000 }).filter((cents) => cents !== 0),
    { maxLength: 60 },
  ),
  sides: fc.tuple(fc.integer({ min: 1, max: 100_000_000 }), fc.integer({ min: 1, max: 100_000_000 })),
  price: fc.integer({ min: 1, max: 5_000_000 }),
});

const sizeOf = (cents: number): number => (cents < 0 ? -cents : cents);
const addUp = (list: readonly number[]): bigint => list.reduce((sum, one) => sum + BigInt(one), 0n);
/** A quotient of whole numbers to twelve places. */
const divide = (a: bigint, b: bigint): number => Number((a * 10n ** 12n) / b) / 1e12;

/** Its row in a table of pools. */
function list({ trades, sides, price }: Pool, index: number): DexPair {
  const buys = trades.filter((cents) => cents > 0).length;
  return {
    chain: "base",
    dex: "uniswap",
    pair_address: `0x${String(index).padStart(40, "0")}`,
    labels: ["v2"],
    base: { address: TOKEN, name: "Cat", symbol: "CAT" },
    quote: { address: USDC, name: "USD Coin", symbol: "USDC" },
    price_usd: price / 1e6,
    price_native: price / 1e6,
    liquidity_base: 1,
    liquidity_quote: 1,
    liquidity_usd: Number(addUp(sides)) / 100,
    volume_h24_usd: Number(addUp(trades.map(sizeOf))) / 100,
    volume_h1_usd: 0,
    change_h1_pct: null,
    change_h24_pct: null,
    buys_h1: 0,
    sells_h1: 0,
    buys_h24: buys,
    sells_h24: trades.length - buys,
    fdv_usd: 1_000_000,
    market_cap_usd: null,
    created_at_ms: NOW_MS - 90 * 86_400_000,
    has_link: false,
    is_promoted: false,
  };
}

const isNear = (found: number | null, truth: number): boolean =>
  found !== null && Math.abs(found - truth) <= 1e-9 * Math.max(1, Math.abs(truth));

test("/dex-screen: turnover and the part of purchases, from each trade of a pool", () => {
  const flagged = { yes: 0, no: 0 };
  fc.assert(
    fc.property(pool, (one) => {
      const row = describePair(list(one, 1), NOW_MS);
      const [volume, depth] = [addUp(one.trades.map(sizeOf)), addUp(one.sides)];
      expect(isNear(row.turnover, divide(volume, depth))).toBe(true);
      let bought = 0n;
      for (const cents of one.trades) if (cents > 0) bought += 1n;
      if (one.trades.length === 0) expect(row.buy_share).toBeNull();
      else expect(isNear(row.buy_share, divide(bought, BigInt(one.trades.length)))).toBe(true);
      // More than twenty times the pool in a day, or 100,000 dollars in fewer than fifty trades.
      const is_washed = volume > 20n * depth || (volume > 10_000_000n && one.trades.length < 50);
      expect(row.flags.includes("wash_suspect")).toBe(is_washed);
      flagged[is_washed ? "yes" : "no"] += 1;
      // Seen from the other side purchases are sales, and what was turned over is the same.
      const turned = describePair(turnPair(list(one, 1)), NOW_MS);
      expect([turned.turnover, turned.buys_h24]).toEqual([row.turnover, row.sells_h24]);
    }),
  );
  expect(Math.min(flagged.yes, flagged.no)).toBeGreaterThan(5);
});

test("/token-intel: all pools of a token as one, from each trade and both sides of each pool", () => {
  fc.assert(
    fc.property(fc.array(pool, { minLength: 1, maxLength: 8 }), (pools) => {
      const pairs = { ok: true, value: pools.map(list) };
      const profile = { subject: { chain: "base", address: TOKEN }, pairs } as unknown as TokenProfile;
      const { markets, valuation } = describeMarkets({ profile });
      const depths = pools.map(({ sides }) => addUp(sides));
      const depth = depths.reduce((a, b) => a + b, 0n);
      const volume = addUp(pools.flatMap(({ trades }) => trades.map(sizeOf)));
      expect(isNear(markets.liquidity_usd, divide(depth, 100n))).toBe(true);
      expect(isNear(markets.volume_h24_usd, divide(volume, 100n))).toBe(true);
      const turnover = (markets.volume_h24_usd ?? 0) / (markets.liquidity_usd ?? 1);
      expect(isNear(turnover, divide(volume, depth))).toBe(true);
      const worth = pools.reduce((sum, { price }, index) => sum + BigInt(price) * (depths[index] ?? 0n), 0n);
      expect(isNear(markets.price_usd, divide(worth, depth * 1_000_000n))).toBe(true);
      // Pools of 10,000 dollars and more, highest over lowest.
      const deep = pools.filter((_, index) => (depths[index] ?? 0n) >= 1_000_000n).map(({ price }) => BigInt(price));
      const [low, high] = [deep.toSorted((a, b) => (a < b ? -1 : 1))[0], deep.toSorted((a, b) => (a > b ? -1 : 1))[0]];
      if (deep.length < 2 || !low || !high) expect(markets.price_dispersion_pct).toBeNull();
      else expect(isNear(markets.price_dispersion_pct, divide((high - low) * 100n, low))).toBe(true);
      expect(isNear(valuation.fdv_to_liquidity, divide(100_000_000n, depth))).toBe(true);
      const depths_shown = markets.top_pools.map(({ liquidity_usd }) => BigInt(Math.round((liquidity_usd ?? 0) * 100)));
      expect(depths_shown).toEqual(depths.toSorted((a, b) => (a > b ? -1 : 1)).slice(0, 3));
    }),
  );
});
