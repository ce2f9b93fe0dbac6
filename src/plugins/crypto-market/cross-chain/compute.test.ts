import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { fc } from "../../../../test/helpers/properties.ts";
import { asSold } from "../../../../test/helpers/settled.ts";
import { DEX_CHAINS } from "../../../upstream/providers/dex-tokens.ts";
import { computeCrossChain as draft, getImpact, getNet, getSwapCost } from "./compute.ts";
import type { CrossChainInputs, TokenReading } from "./fetch.ts";
import { getRouteCost, type RouteReading } from "./route.ts";
import { CrossChainSchema } from "./schema.ts";
import { findSpread } from "./spread.ts";

const computeCrossChain = asSold(CrossChainSchema, draft);

const NOW_MS = 1_790_000_000_000;
const VECTOR = {
  amount_in: 10_000,
  amount_out: 9_991,
  amount_in_usd: 10_000,
  amount_out_usd: 9_991.2,
  fees_extra_usd: 0,
  gas_usd: 0.85,
};
const token = (chain: TokenReading["chain"], price_usd: number, change: Partial<TokenReading> = {}): TokenReading => ({
  chain,
  wrapper: "WETH",
  source: "uniswap_v3",
  price_usd,
  asks: [price_usd, price_usd * 1.0004, price_usd * 1.004],
  bid_10k: price_usd * 0.9998,
  liquidity_usd: null,
  at_ms: NOW_MS - 4_000,
  ...change,
});
const ROUTE: RouteReading = {
  provider: "lifi",
  tool: "AcrossV4",
  from: "polygon",
  to: "base",
  amount_out: 9_991.2,
  amount_out_min: 9_941,
  fees_usd: 8.8,
  gas_usd: 0.85,
  duration_s: 4,
  cost_bps: 9.65,
};
const INPUTS: CrossChainInputs = {
  read_at_ms: NOW_MS,
  tokens: [token("base", 3_000), token("polygon", 3_006.6)],
  missing: [],
  route: { ok: true, value: ROUTE },
  fees: [{ from: "polygon", to: "base", fast_bps: null, standard_bps: 0 }],
};

const GAS_MISSING = "break_even: gas of the two swaps is not counted; /multi-chain-arbitrage counts it";

describe("what a route costs", () => {
  test("10,000 sent, 9,991.20 got and 0.85 of gas are 9.65 bps; a spread of 22 pays for it", () => {
    const cost = getRouteCost(VECTOR);
    expect(cost).toBeCloseTo(9.65, 9);
    expect(getNet(22, cost, 0)).toMatchObject({ break_even: true });
    expect(getNet(9.65, 9.65, 0)).toMatchObject({ break_even: false });
  });

  test("fees that are not taken from the amount count like gas", () => {
    expect(getRouteCost({ ...VECTOR, fees_extra_usd: 1 })).toBeCloseTo(10.65, 9);
  });

  test("is taken from the amounts where no values are stated, never from half of them", () => {
    expect(getRouteCost({ ...VECTOR, amount_out_usd: null })).toBeCloseTo(9.85, 9);
    expect(getRouteCost({ ...VECTOR, amount_in_usd: null })).toBeCloseTo(9.85, 9);
  });

  test("does not depend on the size when everything scales", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 100, noNaN: true }), (scale) => {
        const scaled = Object.fromEntries(Object.entries(VECTOR).map(([name, value]) => [name, value * scale]));
        expect(getRouteCost({ ...VECTOR, ...scaled })).toBeCloseTo(9.65, 6);
      }),
    );
  });

  test("without spread there is no verdict, without a cost only the one that the others allow", () => {
    expect(getNet(null, 1, 1)).toEqual({ swap_cost_bps: 1, net_bps: null, break_even: null });
    expect(getNet(5, null, 1)).toEqual({ swap_cost_bps: 1, net_bps: null, break_even: null });
    expect(getNet(5, 1, null)).toEqual({ swap_cost_bps: null, net_bps: null, break_even: null });
    expect(getNet(5, 6, null)).toEqual({ swap_cost_bps: null, net_bps: null, break_even: false });
  });

  test("a spread of 10.92 bps does not pay for 3.84 of route, 3.0 and 4.5 of impact and two pool fees", () => {
    // Middle prices at 1,000 USDC; a pool fee of 5 bps to each side of them.
    const cheap = token("base", 3_000, { asks: [3_000 * 1.0005, 3_000 * 1.0005 * 1.0003, null] });
    const dear = token("polygon", 3_000 * 1.001092, { bid_10k: 3_000 * 1.001092 * 0.9995 * 0.99955 });
    const swaps = getSwapCost(cheap, dear);
    expect(swaps).toBeCloseTo(17.5, 1);
    const net = getNet(10.92, 3.84, swaps);
    expect(net.break_even).toBe(false);
    expect(net.net_bps).toBeCloseTo(10.92 - 3.84 - 17.5, 1);
  });
});

describe("the spread", () => {
  test("is of one token, never between two", () => {
    const prices = [
      { chain: "ethereum", wrapper: "WBTC", price_usd: 60_000 },
      { chain: "base", wrapper: "cbBTC", price_usd: 66_000 },
      { chain: "ethereum", wrapper: "cbBTC", price_usd: 65_934 },
    ] as const;
    expect(findSpread(prices)).toMatchObject({ wrapper: "cbBTC", cheapest: "ethereum", dearest: "base" });
    expect(findSpread(prices)?.bps).toBeCloseTo((66 / 65.934 - 1) * 1e4, 9);
    expect(findSpread(prices.slice(0, 2))).toBeNull();
  });

  test("is the same in any order and for any unit of price, and never negative", () => {
    const rows = fc.uniqueArray(
      fc.record({
        chain: fc.constantFrom(...DEX_CHAINS),
        wrapper: fc.constantFrom("A", "B"),
        price_usd: fc.integer({ min: 1, max: 1_000_000 }),
      }),
      { maxLength: 12, selector: ({ chain, wrapper }) => `${chain} ${wrapper}` },
    );
    // Written another way: the largest ratio over all pairs.
    const widest = (prices: readonly { chain: string; wrapper: string; price_usd: number }[]) =>
      Math.max(
        ...prices.flatMap((a) =>
          prices.flatMap((b) =>
            a.wrapper === b.wrapper && a.chain !== b.chain ? [(b.price_usd / a.price_usd - 1) * 1e4] : [],
          ),
        ),
      );
    fc.assert(
      fc.property(rows, fc.integer({ min: 2, max: 50 }), (prices, scale) => {
        const spread = findSpread(prices);
        if (!spread) return expect(widest(prices)).toBe(Number.NEGATIVE_INFINITY);
        expect(spread.bps).toBeCloseTo(widest(prices), 6);
        expect(spread.bps).toBeGreaterThanOrEqual(0);
        const scaled = prices.map((one) => ({ ...one, price_usd: one.price_usd * scale })).reverse();
        expect(findSpread(scaled)?.bps).toBeCloseTo(spread.bps, 6);
      }),
    );
  });
});

describe("an answer", () => {
  test("holds prices, impact, spread, route and verdict", () => {
    const { data, as_of_ms, warnings } = computeCrossChain(INPUTS, "ETH");
    expect([...Value.Errors(CrossChainSchema, data)]).toEqual([]);
    expect(as_of_ms).toBe(NOW_MS - 4_000);
    expect(warnings).toEqual([GAS_MISSING]);
    expect(data).toMatchObject({
      pair: "ETH/USDC",
      spread_bps: 22,
      spread_wrapper: "WETH",
      cheapest_chain: "base",
      dearest_chain: "polygon",
      swap_cost_bps: 6,
      net_bps: 6.35,
      break_even: true,
    });
    expect(data.chains[0]).toMatchObject({ price_usd: 3_000, impact_bps_10k: 4, impact_bps_100k: 40 });
    expect(data.route).toMatchObject({ amount_in_usdc: 10_000, cost_bps: 9.65, from_chain: "polygon" });
  });

  test("a spread pays when it is above the way and both swaps, and then gas is said to be missing", () => {
    const warningsAt = (cost_bps: number) => {
      const { data, warnings } = computeCrossChain(
        { ...INPUTS, route: { ok: true, value: { ...ROUTE, cost_bps } } },
        "ETH",
      );
      return [data.break_even, warnings.includes(GAS_MISSING)];
    };
    expect(warningsAt(15.99)).toEqual([true, true]);
    expect(warningsAt(16.01)).toEqual([false, false]);
  });

  test("prices without any time say so: an old one would look like a new one", () => {
    const undated = INPUTS.tokens.map((one) => ({ ...one, at_ms: null }));
    const warningsOf = (tokens: readonly TokenReading[]) => computeCrossChain({ ...INPUTS, tokens }, "ETH").warnings;
    const text = "chains: no source of these prices states a time; they are taken to be as new as the call";
    expect(warningsOf(undated)).toContain(text);
    expect(warningsOf([...undated, token("solana", 3_000, { source: "raydium" })])).toContain(text);
    expect(warningsOf([...undated.slice(1), token("base", 3_000)])).not.toContain(text);
  });

  test("a size that cannot be filled has no impact", () => {
    expect(getImpact([100, null, 101], 1)).toBeNull();
    expect(getImpact([null, 100], 1)).toBeNull();
    expect(getImpact([], 2)).toBeNull();
    expect(getImpact([100, 101], 1)).toBeCloseTo(100, 9);
  });

  test("without a route has no verdict and says so", () => {
    const { data, warnings } = computeCrossChain({ ...INPUTS, route: { ok: false, error: new Error("x") } }, "ETH");
    expect(data).toMatchObject({ route: null, break_even: null, net_bps: null, spread_bps: 22 });
    expect(warnings.join()).toContain("route: no bridge quote");
  });

  test("a price of long ago is shown with its age and counts in no spread", () => {
    // 192 minutes ago the market was 500 basis points higher.
    const old = token("arbitrum", 3_150, { source: "defillama", asks: [], bid_10k: null, at_ms: NOW_MS - 11_520_000 });
    const { data, warnings } = computeCrossChain({ ...INPUTS, tokens: [...INPUTS.tokens, old] }, "ETH");
    expect(data.chains.map(({ age_s }) => age_s)).toEqual([4, 4, 11_520]);
    expect(data).toMatchObject({ spread_bps: 22, dearest_chain: "polygon" });
    expect(warnings).toContain(
      "spread_bps: the price of WETH on arbitrum is over 15 minutes old and counts in no spread",
    );
    const fresh = { ...old, at_ms: NOW_MS - 900_000 };
    expect(computeCrossChain({ ...INPUTS, tokens: [...INPUTS.tokens, fresh] }, "ETH").data.dearest_chain).toBe(
      "arbitrum",
    );
  });

  test("an estimate is called one, and a pool table's price too", () => {
    const route = { ok: true, value: { ...ROUTE, provider: "circle_cctp" } } as const;
    const table = token("arbitrum", 3_001, {
      source: "dexscreener",
      asks: [],
      bid_10k: null,
      liquidity_usd: 900_000,
      at_ms: null,
    });
    const inputs = { ...INPUTS, route, tokens: [...INPUTS.tokens, table], missing: ["arbitrum" as const] };
    const { data, warnings } = computeCrossChain(inputs, "ETH");
    expect(data.chains.at(-1)).toMatchObject({ impact_bps_10k: null, liquidity_usd: 900_000, source: "dexscreener" });
    expect(warnings).toEqual([
      "chains: not every token on arbitrum could be quoted",
      "chains: the price on arbitrum is a pool table's, not a quote",
      "route: no bridge quote could be had; this is an estimate from Circle's fee and gas",
      GAS_MISSING,
    ]);
  });
});
