import { expect, test } from "bun:test";
import { NodeError } from "../../../core/errors.ts";
import { parseSwapPair, renderSwapPair } from "./pair.ts";
import { getImpact, getMinOut, getNetOut, parseAmount, toUnits } from "./quote.ts";

test("the published vectors: least output and price", () => {
  expect(toUnits(156_989_496n, 6)).toBeCloseTo(156.989496, 9);
  expect(getMinOut(156_989_496n, 50)).toBe(156_204_548n);
  expect(getMinOut(21_335_790_672_285_165_158_400n, 50)).toBe(21_229_111_718_923_739_332_608n);
  expect(getMinOut(17_057_460n, 100)).toBe(16_886_885n);
  expect(getImpact(99, 100)).toBeCloseTo(1, 9);
  expect(getImpact(99, null)).toBeNull();
});

test("gas counts against an output, as far as it is known", () => {
  const quote = { provider: "x", amount_out: 100_000_000n, gas_usd: 0.5, provider_impact_pct: null, route: [] };
  expect(getNetOut(quote, 6, 2)).toBe(99.75);
  expect(getNetOut({ ...quote, gas_usd: null }, 6, 2)).toBe(100);
  expect(getNetOut(quote, 6, null)).toBe(100);
});

test("an amount has at most the token's places, and is above 0", () => {
  expect(parseAmount("1.5", 6)).toBe(1_500_000n);
  expect(parseAmount("0.0000001", 6)).toBeNull();
  expect(parseAmount("0", 6)).toBeNull();
  expect(parseAmount("1e9", 6)).toBeNull();
});

test("a pair is two known tokens of one chain", () => {
  for (const text of ["SOL/USDC", "sol-usdc", "SOL_USDC"]) {
    expect(renderSwapPair(parseSwapPair(text))).toBe("SOL/USDC");
    expect(parseSwapPair(text).chain).toBe("solana");
  }
  expect(parseSwapPair("ETH/USDC")).toMatchObject({ chain: "base", base: { symbol: "WETH", decimals: 18 } });
  expect(parseSwapPair("BTC/USDC", "ethereum")).toMatchObject({ base: { symbol: "cbBTC" } });
  for (const text of ["SOL", "SOL/SOL", "A/B/C", "PEPE/USDC", "/", "ETH/WETH"]) {
    expect(() => parseSwapPair(text)).toThrow(NodeError);
  }
});
