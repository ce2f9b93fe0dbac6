import { describe, expect, test } from "bun:test";
import { fc } from "../../../../test/helpers/properties.ts";
import { parkMiller } from "../../../../test/helpers/test-series.ts";
import { classify, getComponents, weighComponents } from "./node-index.ts";

/** Rises steadily with a wave on top. */
const series = (count: number, slope = 0.001): number[] =>
  Array.from({ length: count }, (_, t) => 100 * Math.exp(slope * t + 0.1 * Math.sin(t / 15)));
const rising = Array.from({ length: 60 }, (_, t) => 100 + t);
const falling = [...rising].reverse();
const NOTHING = { btc_closes: [], universe_closes: [], funding_days: [] };

describe("weighing", () => {
  test("gives the published vector", () => {
    const values = { momentum: 72, volatility: 100 - 35, breadth: 65, drawdown: 58, funding: 61 };
    const index = weighComponents(values);
    expect(index?.value).toBe(65.1);
    expect(classify(index?.value ?? 0)).toBe("greed");
    expect(index?.components.map(({ weight }) => weight)).toEqual([0.25, 0.25, 0.2, 0.15, 0.15]);
  });

  test("an absent component has weight 0, and the others' weights still sum to 1", () => {
    const index = weighComponents({ momentum: 80, volatility: 40, breadth: null, drawdown: null, funding: null });
    expect(index?.value).toBe(60);
    expect(index?.components).toEqual([
      { name: "momentum", weight: 0.5, value: 80 },
      { name: "volatility", weight: 0.5, value: 40 },
      { name: "breadth", weight: 0, value: null },
      { name: "drawdown", weight: 0, value: null },
      { name: "funding", weight: 0, value: null },
    ]);
  });

  test("without any component there is no index", () => {
    const none = { momentum: null, volatility: null, breadth: null, drawdown: null, funding: null };
    expect(weighComponents(none)).toBeNull();
  });

  test("the index is within its components", () => {
    const value = fc.option(fc.double({ min: 0, max: 100, noNaN: true }), { nil: null });
    const values = fc.record({
      momentum: value,
      volatility: value,
      breadth: value,
      drawdown: value,
      funding: value,
    });
    fc.assert(
      fc.property(values, (components) => {
        const index = weighComponents(components);
        const known = Object.values(components).filter((one) => one !== null);
        if (known.length === 0) return index === null;
        if (index === null) return false;
        return index.value >= Math.min(...known) - 0.05 && index.value <= Math.max(...known) + 0.05;
      }),
    );
  });
});

describe("components", () => {
  test("each waits for its whole history: 395, 454 and 729 closes", () => {
    const at = (count: number) => getComponents({ ...NOTHING, btc_closes: series(count) });
    expect(at(394)).toMatchObject({ volatility: null, momentum: null, drawdown: null });
    expect(at(395).volatility).not.toBeNull();
    expect(at(453).momentum).toBeNull();
    expect(at(454).momentum).not.toBeNull();
    expect(at(728).drawdown).toBeNull();
    expect(at(729).drawdown).not.toBeNull();
  });

  test("a fall to the lowest in a year is fear, a rise to the highest is greed", () => {
    const calm = series(800, 0);
    const crash = getComponents({ ...NOTHING, btc_closes: [...calm, 20] });
    const rally = getComponents({ ...NOTHING, btc_closes: [...calm, 300] });
    expect([crash.momentum, crash.drawdown]).toEqual([(100 * 0.5) / 365, (100 * 0.5) / 365]);
    expect(rally.momentum).toBe((100 * 364.5) / 365);
    // Both moves are the wildest of the year.
    expect([crash.volatility, rally.volatility]).toEqual([100 - (100 * 364.5) / 365, 100 - (100 * 364.5) / 365]);
  });

  test("the year's highest close is that of 365 days, the present one included", () => {
    const at = (peak: number) =>
      getComponents({ ...NOTHING, btc_closes: Array.from({ length: 729 }, (_, day) => (day === peak ? 110 : 100)) });
    // On its own day the peak is above all; on the 364 days after it every close is as far below.
    expect(at(364).drawdown).toBe((100 * 182) / 365);
    // A day later it no longer counts.
    expect(at(363).drawdown).toBe((100 * 364.5) / 365);
  });

  test("breadth is the share of coins above their 50-day average, from 12 coins on", () => {
    const breadth = (up: number, down: number, short = 0) =>
      getComponents({
        ...NOTHING,
        universe_closes: [
          ...Array<number[]>(up).fill(rising),
          ...Array<number[]>(down).fill(falling),
          ...Array<number[]>(short).fill(rising.slice(0, 49)),
        ],
      }).breadth;
    expect(breadth(9, 3)).toBe(75);
    expect(breadth(0, 12)).toBe(0);
    expect(breadth(11, 0)).toBeNull();
    expect(breadth(11, 0, 5)).toBeNull();
  });

  test("funding waits for 60 days and ranks the newest", () => {
    const days = Array.from({ length: 60 }, (_, index) => 60 - index);
    expect(getComponents({ ...NOTHING, funding_days: days.slice(1) }).funding).toBeNull();
    expect(getComponents({ ...NOTHING, funding_days: days }).funding).toBe((100 * 59.5) / 60);
  });

  test("the unit of the prices, the order of the coins and data from years back change nothing", () => {
    const next = parkMiller(5);
    const walk = (count: number) => {
      let close = 100;
      return Array.from({ length: count }, () => {
        close *= Math.exp(0.06 * (next() - 0.5));
        return close;
      });
    };
    const whole = {
      btc_closes: walk(800),
      universe_closes: Array.from({ length: 15 }, () => walk(60)),
      funding_days: walk(90),
    };
    const plain = getComponents(whole);
    expect(Object.values(plain).every((value) => value !== null && value >= 0 && value <= 100)).toBe(true);
    // A power of two keeps every bit of a product.
    fc.assert(
      fc.property(fc.integer({ min: -20, max: 20 }), (power) => {
        const times = (values: readonly number[]) => values.map((value) => value * 2 ** power);
        const scaled = {
          ...whole,
          btc_closes: times(whole.btc_closes),
          universe_closes: whole.universe_closes.map(times),
        };
        expect(getComponents({ ...scaled, funding_days: times(whole.funding_days) })).toEqual(plain);
      }),
      { numRuns: 15 },
    );
    expect(getComponents({ ...whole, universe_closes: whole.universe_closes.toReversed() })).toEqual(plain);
    expect(getComponents({ ...whole, btc_closes: [...walk(50), ...whole.btc_closes] })).toEqual(plain);
  });

  test("a constant market is in the middle, not an error", () => {
    const { momentum, volatility, drawdown } = getComponents({ ...NOTHING, btc_closes: Array(800).fill(7) });
    expect([momentum, volatility, drawdown]).toEqual([50, 50, 50]);
  });
});

test("bands change at 25, 45, above 55 and above 75", () => {
  expect([0, 24.9, 25, 44.9, 45, 55, 55.1, 75, 75.1, 100].map(classify)).toEqual([
    "extreme_fear",
    "extreme_fear",
    "fear",
    "fear",
    "neutral",
    "neutral",
    "greed",
    "greed",
    "extreme_greed",
    "extreme_greed",
  ]);
});
