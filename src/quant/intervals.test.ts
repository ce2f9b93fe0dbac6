import { describe, expect, test } from "bun:test";
import { fc } from "../../test/helpers/properties.ts";
import { adjustHolm, getFisherInterval, getWilsonInterval } from "./intervals.ts";

const Z = 1.959963984540054;

describe("Wilson's interval", () => {
  test("gives the published figures", () => {
    expect(getWilsonInterval(2, 3)?.low).toBeCloseTo(0.2077, 4);
    expect(getWilsonInterval(2, 3)?.high).toBeCloseTo(0.9385, 4);
    // Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
    expect(getWilsonInterval(81, 263)).toEqual({ low: expect.closeTo(0.2553, 4), high: expect.closeTo(0.3662, 4) });
    expect(getWilsonInterval(15, 148)).toEqual({ low: expect.closeTo(0.0624, 4), high: expect.closeTo(0.1605, 4) });
    expect(getWilsonInterval(0, 20)).toEqual({ low: 0, high: expect.closeTo(0.1611, 4) });
    expect(getWilsonInterval(1, 29)).toEqual({ low: expect.closeTo(0.0061, 4), high: expect.closeTo(0.1718, 4) });
  });

  test("its ends are the shares whose score test just fails", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (n, part) => {
        const k = Math.round(part * n);
        const { low, high } = getWilsonInterval(k, n) ?? { low: Number.NaN, high: Number.NaN };
        for (const end of [low, high]) {
          if (end <= 1e-9 || end >= 1 - 1e-9) continue;
          expect(Math.abs(k / n - end) / Math.sqrt((end * (1 - end)) / n)).toBeCloseTo(Z, 5);
        }
        const mirror = getWilsonInterval(n - k, n);
        expect(1 - (mirror?.high ?? 0)).toBeCloseTo(low, 12);
        return low >= 0 && low <= k / n && high >= k / n && high <= 1;
      }),
    );
  });

  test("nothing tried gives null; more hits than trials are refused", () => {
    expect(getWilsonInterval(0, 0)).toBeNull();
    expect(() => getWilsonInterval(3, 2)).toThrow(RangeError);
    expect(() => getWilsonInterval(-1, 2)).toThrow(RangeError);
  });
});

describe("Fisher's interval", () => {
  test("gives the published figures", () => {
    expect(getFisherInterval(0.9936064791682592, 10)).toEqual({
      low: expect.closeTo(0.972171, 6),
      high: expect.closeTo(0.998543, 6),
    });
    expect(getFisherInterval(-0.2281090920778486, 10)).toEqual({
      low: expect.closeTo(-0.750016, 6),
      high: expect.closeTo(0.468856, 6),
    });
  });

  test("holds the correlation, mirrors with it, and shrinks with more pairs", () => {
    const r = fc.double({ min: -0.999, max: 0.999, noNaN: true });
    fc.assert(
      fc.property(r, fc.integer({ min: 4, max: 400 }), (value, n) => {
        const one = getFisherInterval(value, n) ?? { low: Number.NaN, high: Number.NaN };
        const more = getFisherInterval(value, 2 * n) ?? { low: Number.NaN, high: Number.NaN };
        const mirror = getFisherInterval(-value, n) ?? { low: Number.NaN, high: Number.NaN };
        expect(mirror.high).toBeCloseTo(-one.low, 12);
        return one.low <= value && value <= one.high && more.high - more.low <= one.high - one.low;
      }),
    );
  });

  test("three pairs say nothing; a perfect correlation has no width", () => {
    expect(getFisherInterval(0.5, 3)).toBeNull();
    expect(getFisherInterval(1, 10)).toEqual({ low: 1, high: 1 });
    expect(() => getFisherInterval(1.01, 10)).toThrow(RangeError);
  });
});

describe("Holm's adjustment", () => {
  test("gives R's p.adjust(c(0.01, 0.04, 0.03, 0.005), 'holm')", () => {
    expect(adjustHolm([0.01, 0.04, 0.03, 0.005])).toEqual([0.03, 0.06, 0.06, 0.02]);
    expect(adjustHolm([0.9, 0.8])).toEqual([1, 1]);
    expect(adjustHolm([])).toEqual([]);
  });

  test("rejects exactly what the step-down procedure rejects", () => {
    const chance = fc.double({ min: 0, max: 0.2, noNaN: true });
    fc.assert(
      fc.property(fc.array(chance, { maxLength: 30 }), (values) => {
        const sorted = [...values].sort((a, b) => a - b);
        const first_kept = sorted.findIndex((p, rank) => p * (values.length - rank) > 0.05);
        const rejected = first_kept === -1 ? values.length : first_kept;
        expect(adjustHolm(values).filter((p) => p <= 0.05)).toHaveLength(rejected);
      }),
    );
  });

  test("does not depend on the order, and never lowers a p value", () => {
    const values = [0.2, 0.001, 0.03, 0.03, 0.5];
    expect(adjustHolm([...values].reverse()).reverse()).toEqual(adjustHolm(values));
    for (const [index, adjusted] of adjustHolm(values).entries()) {
      expect(adjusted).toBeGreaterThanOrEqual(values[index] ?? Number.NaN);
    }
  });
});
