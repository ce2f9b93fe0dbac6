import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { weightedMedian } from "./robust.ts";

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
