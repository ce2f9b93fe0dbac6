import { describe, expect, test } from "bun:test";
import { fc } from "../../../../test/helpers/properties.ts";
import { getGini, measureConcentration } from "./concentration.ts";

const VECTOR = [12.4, 6.1, 5.5, 3.2, 2.8, 2, 1.9, 1.5, 1.2, 1];

describe("concentration", () => {
  test("gives the published vector", () => {
    const found = measureConcentration(VECTOR, []);
    expect(found).toMatchObject({ top1_pct: 12.4, nakamoto_33: 7, band: "high" });
    expect(
      [found.top5_pct, found.top10_pct, found.hhi_lower, found.hhi_upper].map((x) => Number(x?.toFixed(4))),
    ).toEqual([30, 37.6, 251.6, 313.76]);
    expect(Number(found.gini?.toFixed(4))).toBe(0.4298);
    expect([10_000 / found.hhi_upper, 10_000 / found.hhi_lower].map((x) => Number(x.toFixed(2)))).toEqual([
      31.87, 39.75,
    ]);
  });

  test("of eight known holders out of ten, the ten lie between two bounds, and the band is the worse one's", () => {
    // Of a provider's ten a pool and a burn address are taken out.
    const eight = [3.1, 2.6, 2.1, 1.8, 1.6, 1.2, 1.05, 1.0];
    const found = measureConcentration(eight, [30, 5]);
    expect(found).toMatchObject({ top10_pct: null, top1_pct: 3.1, band: "low" });
    expect(found.top10_min_pct).toBeCloseTo(14.45, 9);
    expect(found.top10_max_pct).toBeCloseTo(16.45, 9);
    // 18 and 22: low by one bound, moderate by the other.
    const six = measureConcentration([6, 4, 3, 2, 2, 1], [60, 1.5, 1.4, 1.3]);
    expect([six.top10_min_pct, six.top10_max_pct, six.band]).toEqual([18, 22, "moderate"]);
    // No more than what is left: of 20 % three more cannot have 10 each.
    const rest = measureConcentration([10, 10, 10, 10, 10, 10, 10], [10]);
    expect([rest.top10_min_pct, rest.top10_max_pct, rest.band]).toEqual([70, 90, "critical"]);
    expect(measureConcentration(VECTOR, []).top10_min_pct).toBe(measureConcentration(VECTOR, []).top10_max_pct);
  });

  test("no token whose largest holders are listed has a top 10 outside the bounds", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 10_000 }), fc.boolean()), { minLength: 11, maxLength: 40 }),
        (accounts) => {
          const total = accounts.reduce((sum, [value]) => sum + value, 0);
          const sorted = accounts.toSorted(([a], [b]) => b - a).map(([v, out]) => [(v / total) * 100, out] as const);
          const pick = (rows: typeof sorted, out: boolean) => rows.flatMap(([v, is]) => (is === out ? [v] : []));
          const listed = sorted.slice(0, 10);
          if (pick(listed, false).length === 0) return;
          const found = measureConcentration(pick(listed, false), pick(listed, true));
          const truth = pick(sorted, false)
            .slice(0, 10)
            .reduce((sum, v) => sum + v, 0);
          expect(truth).toBeGreaterThanOrEqual(found.top10_min_pct - 1e-9);
          expect(truth).toBeLessThanOrEqual(found.top10_max_pct + 1e-9);
        },
      ),
    );
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
          const { hhi_lower, hhi_upper } = measureConcentration(seen, []);
          const truth = whole.reduce((sum, share) => sum + share ** 2, 0);
          expect(truth).toBeGreaterThanOrEqual(hhi_lower - 1e-6);
          expect(truth).toBeLessThanOrEqual(hhi_upper + 1e-6);
        },
      ),
    );
  });
});
