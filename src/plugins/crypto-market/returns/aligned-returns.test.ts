import { describe, expect, test } from "bun:test";
import { DAY_MS } from "../../../upstream/providers/bars.ts";
import { alignReturns, getLastCommonDay, sliceReturns, withoutLastDay } from "./aligned-returns.ts";

const END_MS = Date.UTC(2026, 8, 30);

/** Bars whose close grows by a fixed factor each day; `gaps` are days before the last one. */
function createBars(symbol: string, { growth = 1.01, days = 41, gaps = [] as number[], shift = 0 } = {}) {
  const bars = Array.from({ length: days }, (_, index) => ({
    t_ms: END_MS - (days - 1 - index + shift) * DAY_MS,
    close: 100 * growth ** index,
  }));
  return { symbol, bars: bars.filter((_, index) => !gaps.includes(days - 1 - index)) };
}

describe("returns of the same days", () => {
  test("are the logarithms of close over the close before", () => {
    const { symbols, returns, days_ms, dropped } = alignReturns(
      [createBars("A"), createBars("B", { growth: 0.9 })],
      40,
      END_MS,
    );
    expect(symbols).toEqual(["A", "B"]);
    expect([returns[0]?.length, returns[1]?.length, days_ms.length, dropped.length]).toEqual([40, 40, 40, 0]);
    for (const value of returns[0] ?? []) expect(value).toBeCloseTo(Math.log(1.01), 12);
    for (const value of returns[1] ?? []) expect(value).toBeCloseTo(Math.log(0.9), 12);
    expect([days_ms[0], days_ms.at(-1)]).toEqual([END_MS - 39 * DAY_MS, END_MS]);
  });

  test("a missing day leaves out both returns it is part of, for every symbol", () => {
    const { returns, days_ms } = alignReturns([createBars("A"), createBars("B", { gaps: [10] })], 40, END_MS);
    expect(days_ms).toHaveLength(38);
    expect(days_ms).not.toContain(END_MS - 10 * DAY_MS);
    expect(days_ms).not.toContain(END_MS - 9 * DAY_MS);
    for (const value of returns.flat()) expect(value).toBeCloseTo(Math.log(1.01), 12);
  });

  test("a symbol that lacks more than one day in twenty is dropped and costs the others nothing", () => {
    const { symbols, dropped, days_ms } = alignReturns(
      [createBars("A"), createBars("B", { gaps: [3, 6, 9] }), createBars("C", { days: 10 })],
      40,
      END_MS,
    );
    expect([symbols, dropped, days_ms.length]).toEqual([["A"], ["B", "C"], 40]);
  });

  test("bars after the last day are not looked at", () => {
    const whole = alignReturns([createBars("A", { growth: 1.02 }), createBars("B")], 20, END_MS - 5 * DAY_MS);
    const cut = [createBars("A", { growth: 1.02 }), createBars("B")].map((one) => ({
      ...one,
      bars: one.bars.slice(0, -5),
    }));
    expect(alignReturns(cut, 20, END_MS - 5 * DAY_MS)).toEqual(whole);
  });

  test("nothing gives nothing", () => {
    expect(alignReturns([], 3, END_MS)).toMatchObject({ symbols: [], returns: [] });
    expect(getLastCommonDay([])).toBeNull();
  });
});

test("the last common day is that of the symbol that lags", () => {
  expect(getLastCommonDay([createBars("A"), createBars("B", { shift: 1 })])).toBe(END_MS - DAY_MS);
});

test("a slice keeps the days within both ends", () => {
  const aligned = alignReturns([createBars("A")], 40, END_MS);
  const slice = sliceReturns(aligned, END_MS - 4 * DAY_MS, END_MS - DAY_MS);
  expect(slice.days_ms).toEqual([4, 3, 2, 1].map((age) => END_MS - age * DAY_MS));
  expect(slice.returns[0]).toHaveLength(4);
});

test("a day earlier there is one bar less", () => {
  expect(withoutLastDay([createBars("A")])[0]?.bars.at(-1)?.t_ms).toBe(END_MS - DAY_MS);
});
