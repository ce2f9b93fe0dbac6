import { expect, test } from "bun:test";
import { annualise } from "../shared/yields/protocol.ts";
import { getDrawdown, getGrowth } from "./compute.ts";

const DAY_MS = 86_400_000;

test("shares: growth over the days there really were, and the largest fall", () => {
  const sample = (days_ago: number, share_price: number) => ({
    ...{ at_ms: 0, rate_apy_pct: null, share_price, is_paused: null, block_at_ms: 1e12 - days_ago * DAY_MS },
  });
  const samples = [sample(8, 1), sample(1, 1.0006), sample(0, 1.0008)];
  expect(getGrowth({ samples }, 7)).toBeCloseTo(annualise(1.0008, 1, 8), 9);
  expect(getGrowth({ samples }, 30)).toBeNull();
  expect(getDrawdown([1, 1.1, 0.99, 1.2])).toBeCloseTo(10, 9);
  expect(getDrawdown([])).toBeNull();
});
