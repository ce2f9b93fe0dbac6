import { describe, expect, test } from "bun:test";
import { fc } from "../../../../test/helpers/properties.ts";
import { getGini, measureConcentration } from "./concentration.ts";

const _NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const VECTOR = [12.4, 6.1, 5.5, 3.2, 2.8, 2, 1.9, 1.5, 1.2, 1];

describe("concentration", () => {
  test("gives the published vector", () => {
    const found = measureConcentration(VECTOR, 0);
    expect(found).toMatchObject({ top1_pct: 12.4, nakamoto_33: 7, band: "high" });
    expect(
      [found.top5_pct, found.top10_pct, found.hhi_lower, found.hhi_upper].map((x) => Number(x?.toFixed(4))),
    ).toEqual([30, 37.6, 251.6, 313.76]);
    expect(Number(found.gini?.toFixed(4))).toBe(0.4298);
    expect([10_000 / found.hhi_upper, 10_000 / found.hhi_lower].map((x) => Number(x.toFixed(2)))).toEqual([
      31.87, 39.75,
    ]);
  });

  test("the Gini coefficient is half the mean difference over the mean", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.01, max: 50, noNaN: true }), { minLength: 2, maxLength: 30 }),
        (values) => {
          const mean = values.reduce((a, b) => a + b, 0) / values.length;
          const differences = values.flatMap((a) => values.map((b) => Math.abs(a - b)));
          const other = differences.reduce((a, b) => a + b, 0) / values.length ** 2 / 2 / mean;
          expect(getGini(values)).toBeCloseTo(other, 9);
        },
      ),
    );
  });

  test("no way to spread the unseen rest leads outside the bounds", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.1, max: 9, noNaN: true }), { minLength: 1, maxLength: 10 }),
        fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 1, maxLength: 40 }),
        (shares, rest) => {
          const known = shares.toSorted((a, b) => b - a);
          const smallest = known.at(-1) ?? 0;
          const unseen = rest.map((part) => part * smallest);
          const total = known.reduce((a, b) => a + b, 0) + unseen.reduce((a, b) => a + b, 0);
          const whole = [...known, ...unseen].map((share) => (share / total) * 100);
          const seen = whole.slice(0, known.length);
          const { hhi_lower, hhi_upper } = measureConcentration(seen, 0);
          const truth = whole.reduce((sum, share) => sum + share ** 2, 0);
          expect(truth).toBeGreaterThanOrEqual(hhi_lower - 1e-6);
          expect(truth).toBeLessThanOrEqual(hhi_upper + 1e-6);
        },
      ),
    );
  });
});
