import { expect, test } from "bun:test";
import { barOf, percentileOf } from "./compute.ts";

/** Published in onchain.md 5.25; quartiles as numpy's default gives them. */
const PRICES = [3_000, 10_000, 10_000, 25_000, 50_000, 100_000, 1_000_000];

test("the market's quartiles are the published ones", () => {
  expect(barOf(PRICES)).toEqual({ p25: 10_000, p50: 25_000, p75: 75_000 });
});

test("an own price of 20,000 ranks at 42.86", () => {
  expect(percentileOf(20_000, PRICES)).toBeCloseTo(42.86, 2);
  expect(percentileOf(1, PRICES)).toBe(0);
  expect(percentileOf(1, [])).toBeNull();
});
