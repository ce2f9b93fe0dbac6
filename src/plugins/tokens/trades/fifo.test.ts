import { expect, test } from "bun:test";
import { getCopyProfit, getPerformance, matchFills, type TradeFill } from "./fifo.ts";

const fill = (is_buy: boolean, qty: number, usd: number, block = 0): TradeFill => ({
  token: "t",
  is_buy,
  qty,
  usd,
  block,
});
const LOTS = [
  fill(true, 1000, 500),
  fill(true, 500, 400),
  fill(false, 1200, 1080),
  fill(false, 300, 180),
  fill(false, 100, 70),
];

test("the worked example: 360 of profit in two closed sales, one won, the last one unmatched", () => {
  const matched = matchFills(LOTS);
  expect(getPerformance(matched.closed)).toEqual({
    realized_pnl_usd: expect.closeTo(360, 9),
    matched_cost_usd: expect.closeTo(900, 9),
    closed: 2,
    wins: 1,
    max_drawdown_usd: expect.closeTo(60, 9),
  });
  expect(matched.unmatched_usd).toBe(70);
  expect(matched.open.size).toBe(0);
  expect(getCopyProfit(matched.closed, 150)).toBeCloseTo(327.6, 9);
  expect((getCopyProfit(matched.closed, 150) / 900) * 100).toBeCloseTo(36.4, 9);
});

test("a sale without a purchase is not a profit, and a half matched one counts by half", () => {
  expect(getPerformance(matchFills([fill(false, 10, 1_000)]).closed).closed).toBe(0);
  const half = matchFills([fill(true, 10, 100), fill(false, 20, 400)]);
  expect(getPerformance(half.closed)).toMatchObject({ realized_pnl_usd: 100, matched_cost_usd: 100 });
  expect(half.unmatched_usd).toBe(200);
});

test("twice the prices are twice the profits; other wallets' order changes nothing", () => {
  const doubled = matchFills(LOTS.map((one) => ({ ...one, usd: one.usd * 2 })));
  expect(getPerformance(doubled.closed).realized_pnl_usd).toBeCloseTo(720, 9);
  const held = matchFills([fill(true, 1, 10, 100), fill(true, 1, 10, 200), fill(false, 2, 40, 300)]);
  expect(held.closed[0]?.held_blocks).toBe(150);
});

/** The same by another way: profits of a queue of single units. */
function matchByUnits(fills: readonly TradeFill[]): number {
  const units: number[] = [];
  let profit = 0;
  for (const { is_buy, qty, usd } of fills) {
    for (let at = 0; at < qty; at += 1) {
      if (is_buy) units.push(usd / qty);
      else profit += units.length > 0 ? usd / qty - (units.shift() ?? 0) : 0;
    }
  }
  return profit;
}

test("a queue of single units comes to the same", () => {
  let seed = 7;
  const draw = (most: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return 1 + (seed % most);
  };
  for (let round = 0; round < 50; round += 1) {
    const fills = Array.from({ length: 30 }, () => fill(draw(2) === 1, draw(40), draw(500)));
    expect(getPerformance(matchFills(fills).closed).realized_pnl_usd).toBeCloseTo(matchByUnits(fills), 6);
  }
});
