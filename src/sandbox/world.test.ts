import { describe, expect, test } from "bun:test";
import { sampleCorrelation, sampleKurtosis, standardDeviation } from "simple-statistics";
import { createWorld } from "./world.ts";

const NOW_MS = Date.UTC(2026, 0, 15, 12);
const DAY_MS = 86_400_000;
const SYMBOLS = "BTC ETH SOL BNB XRP ADA DOGE AVAX LINK LTC TRX DOT BCH SUI NEAR UNI AAVE ARB OP APT USDT USDC".split(
  " ",
);
const world = createWorld("seed", () => NOW_MS);

describe("the simulated market", () => {
  test.each(SYMBOLS)("has the same %s price for everybody, at any time", (symbol) => {
    const other = createWorld("seed", () => NOW_MS + DAY_MS);
    for (const at_ms of [0, NOW_MS - 365 * DAY_MS, NOW_MS, NOW_MS + DAY_MS / 7]) {
      expect(other.price(symbol, at_ms)).toBe(world.price(symbol, at_ms));
      expect(world.price(symbol, at_ms)).toBeGreaterThan(0);
    }
  });

  test.each(SYMBOLS)("moves %s without jumps", (symbol) => {
    for (let minute = 1; minute <= 600; minute += 1) {
      const [before, after] = [minute - 1, minute].map((one) => world.price(symbol, NOW_MS + one * 60_000));
      expect(Math.abs(Math.log((after ?? Number.NaN) / (before ?? Number.NaN)))).toBeLessThan(0.01);
    }
  });

  test("moves at all, and each symbol in its own way", () => {
    const moves = SYMBOLS.map((symbol) => world.price(symbol, NOW_MS + DAY_MS) / world.price(symbol, NOW_MS));
    expect(moves).not.toContain(1);
    expect(new Set(moves).size).toBe(SYMBOLS.length);
  });

  test.each([
    ["BTC", 64_000],
    ["ETH", 3_000],
    ["SOL", 150],
    ["XRP", 0.6],
  ])("keeps %s within a third and three times %d", (symbol, level) => {
    for (let day = 0; day < 1_500; day += 7) {
      const ratio = world.price(symbol, NOW_MS - day * DAY_MS) / level;
      expect(ratio).toBeGreaterThan(1 / 3);
      expect(ratio).toBeLessThan(3);
    }
  });

  test.each(["USDT", "USDC"])("keeps %s at its peg", (symbol) => {
    for (let hour = 0; hour < 100; hour += 1) {
      expect(Math.abs(world.price(symbol, NOW_MS + hour * 3_600_000) - 1)).toBeLessThan(0.001);
    }
  });

  /** Log moves over a length of time, one after the other. */
  const listMoves = (symbol: string, count: number, step_ms: number): readonly number[] =>
    Array.from({ length: count }, (_, index) =>
      Math.log(world.price(symbol, NOW_MS - index * step_ms) / world.price(symbol, NOW_MS - (index + 1) * step_ms)),
    );

  test.each([
    ["BTC", 2.6],
    ["ETH", 3.3],
    ["SOL", 4.2],
    ["DOGE", 5],
  ])("moves %s by %d percent a day, with fat tails, and further the longer one waits", (symbol, day_pct) => {
    const days = listMoves(symbol, 2_000, DAY_MS);
    const size = standardDeviation([...days]);
    expect(100 * size).toBeWithin(day_pct * 0.85, day_pct * 1.15);
    // 3 would be a normal distribution's; coins have 5 to 15.
    expect(sampleKurtosis([...days]) + 3).toBeWithin(4, 20);
    const hours = standardDeviation([...listMoves(symbol, 4_000, DAY_MS / 24)]);
    const weeks = standardDeviation([...listMoves(symbol, 285, 7 * DAY_MS)]);
    // A random walk's moves grow with the square root of time.
    expect(size / hours / Math.sqrt(24)).toBeWithin(0.7, 1.4);
    expect(weeks / size / Math.sqrt(7)).toBeWithin(0.7, 1.4);
  });

  test("moves coins together, as the real market does, each by its own size", () => {
    const days = (symbol: string) => [...listMoves(symbol, 1_000, DAY_MS)];
    expect(sampleCorrelation(days("BTC"), days("ETH"))).toBeWithin(0.7, 0.92);
    expect(sampleCorrelation(days("BTC"), days("XRP"))).toBeWithin(0.45, 0.8);
    expect(sampleCorrelation(days("SOL"), days("AVAX"))).toBeWithin(0.4, 0.85);
    expect(Math.abs(sampleCorrelation(days("BTC"), days("USDT")))).toBeLessThan(0.2);
    const sizes = ["BTC", "ETH", "SOL", "DOGE", "PEPE"].map((symbol) => standardDeviation(days(symbol)));
    expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
  });

  test("has calm weeks and stormy ones", () => {
    const moves = listMoves("BTC", 2_000, DAY_MS).map(Math.abs);
    const later = moves.slice(2);
    expect(sampleCorrelation(moves.slice(0, -2), later)).toBeGreaterThan(0.05);
  });

  test("gives the current price when no time is given", () => {
    expect(world.price("BTC")).toBe(world.price("BTC", NOW_MS));
  });

  test("is a different market under another seed", () => {
    expect(createWorld("other", () => NOW_MS).price("BTC")).not.toBe(world.price("BTC"));
  });
});

test("noise depends only on seed and key, and fills the unit interval", () => {
  const values = Array.from({ length: 1_000 }, (_, index) => world.noise(`key ${index}`));
  expect(values).toEqual(values.map((_, index) => createWorld("seed", () => 0).noise(`key ${index}`)));
  expect(values).not.toEqual(values.map((_, index) => createWorld("other", () => 0).noise(`key ${index}`)));
  expect(values.every((value) => value >= 0 && value < 1)).toBe(true);
  const tenths = new Set(values.map((value) => Math.floor(value * 10)));
  expect(tenths.size).toBe(10);
});
