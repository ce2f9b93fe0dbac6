import { describe, expect, test } from "bun:test";
import { mean, median, medianAbsoluteDeviation } from "simple-statistics";
import { fc } from "../../test/helpers/properties.ts";
import { fitRobust, getRobustZ, weightedMedian } from "./robust.ts";

const of = (...pairs: (readonly [number, number])[]) =>
  weightedMedian(pairs.map(([value, weight]) => ({ value, weight })));

describe("weighted median", () => {
  test("is the first value whose cumulative weight exceeds half", () => {
    expect(of([3, 1], [1, 1], [2, 1])).toBe(2);
    expect(of([1, 1], [2, 1], [100, 3])).toBe(100);
  });

  test("is the mean of two neighbours when exactly half lies below", () => {
    expect(of([1, 1], [5, 1])).toBe(3);
    expect(of([1, 1.5], [2, 0.7], [3, 1.5], [4, 0.7])).toBe(2.5);
    // 0.1 + 0.2 is not 0.3 in binary, yet half of 0.6.
    expect(of([1, 0.1], [2, 0.2], [9, 0.3])).toBe(5.5);
  });

  test("of one value is that value, of none null", () => {
    expect(of([7, 0.7])).toBe(7);
    expect(of()).toBeNull();
  });

  test("does not depend on the order and lies between the extremes", () => {
    const items = fc.array(
      fc.record({ value: fc.integer({ min: -1000, max: 1000 }), weight: fc.constantFrom(0.7, 1, 1.5) }),
      { minLength: 1, maxLength: 20 },
    );
    fc.assert(
      fc.property(items, (list) => {
        const values = list.map(({ value }) => value);
        const found = weightedMedian(list) ?? Number.NaN;
        return (
          found === weightedMedian([...list].reverse()) && found >= Math.min(...values) && found <= Math.max(...values)
        );
      }),
    );
  });

  test("with equal weights is the plain median", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 20 }), (values) => {
        const sorted = values.toSorted((a, b) => a - b);
        const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
        const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
        return weightedMedian(values.map((value) => ({ value, weight: 1 }))) === (lower + upper) / 2;
      }),
    );
  });
});

const finite = fc.double({ min: -1e6, max: 1e6, noNaN: true });
const many = fc.array(finite, { minLength: 3, maxLength: 60 });

describe("robust z", () => {
  test("gives the published vector", () => {
    const history = Array.from({ length: 40 }, (_, k) => 0.001 * (((7 * k) % 11) - 5));
    expect(fitRobust(history)?.median).toBeCloseTo(0, 12);
    expect((fitRobust(history)?.scale ?? 0) / 1.4826).toBeCloseTo(0.003, 12);
    expect(getRobustZ(history, 0.03)).toBeCloseTo(6.744908, 6);
  });

  test("agrees with an independent package", () => {
    fc.assert(
      fc.property(many, (values) => {
        const mad = medianAbsoluteDeviation(values);
        const middle = median(values);
        const scale = mad > 0 ? 1.4826 * mad : 1.2533 * mean(values.map((value) => Math.abs(value - middle)));
        if (!(scale > 0)) return expect(fitRobust(values)).toBeNull();
        expect(fitRobust(values)?.median).toBeCloseTo(middle, 6);
        expect((fitRobust(values)?.scale ?? 0) / scale).toBeCloseTo(1, 9);
      }),
    );
  });

  test("with more than half of the values the same, the mean deviation is the scale", () => {
    expect(fitRobust([0, 0, 0, 4])).toEqual({ median: 0, scale: 1.2533 });
    expect(getRobustZ([0, 0, 0, 4], 2.5066)).toBeCloseTo(2, 12);
  });

  test("constant, missing and infinite values have none", () => {
    expect(getRobustZ([5, 5, 5], 6)).toBeNull();
    expect(getRobustZ([], 1)).toBeNull();
    expect(getRobustZ([1, 2, Number.NaN], 1)).toBeNull();
    expect(getRobustZ([1, 2, 4], Number.POSITIVE_INFINITY)).toBeNull();
  });

  test("order, another origin and another unit change nothing, a mirror turns the sign", () => {
    const whole = fc.array(fc.integer({ min: -1_000, max: 1_000 }), { minLength: 3, maxLength: 40 });
    fc.assert(
      fc.property(whole, fc.integer({ min: -1_000, max: 1_000 }), (values, x) => {
        const z = getRobustZ(values, x);
        if (z === null) return;
        expect(getRobustZ(values.toReversed(), x)).toBeCloseTo(z, 9);
        const moved = values.map((value) => value + 512);
        expect(getRobustZ(moved, x + 512)).toBeCloseTo(z, 9);
        const scaled = values.map((value) => value * 4);
        expect(getRobustZ(scaled, x * 4)).toBeCloseTo(z, 9);
        const mirrored = values.map((value) => -value);
        expect(getRobustZ(mirrored, -x)).toBeCloseTo(-z, 9);
      }),
    );
  });
});
