import { describe, expect, test } from "bun:test";
import { fc } from "../../test/helpers/properties.ts";
import {
  getBinomialTail,
  getNormalCDF,
  getNormalDensity,
  getNormalQuantile,
  getStudentTwoSided,
} from "./distributions.ts";

/** Equal in the first ten digits. */
function expectClose(actual: number, expected: number, digits = 10): void {
  const scale = Math.max(Math.abs(expected), Number.MIN_VALUE);
  expect(Math.abs(actual - expected) / scale).toBeLessThan(10 ** -digits);
}

/** Simpson's rule with many steps: another way to the same area. */
function integrate(density: (x: number) => number, from: number, to: number): number {
  const steps = 4_000;
  const width = (to - from) / steps;
  let sum = density(from) + density(to);
  for (let step = 1; step < steps; step += 1) sum += (step % 2 === 1 ? 4 : 2) * density(from + step * width);
  return (sum * width) / 3;
}

describe("Student's t, two-sided", () => {
  // scipy 1.17.1: 2 * scipy.stats.t.sf(abs(t), df)
  test.each([
    [0, 1, 1],
    [1, 1, 0.5],
    [2.5, 3, 0.08770664700806556],
    [-0.7, 8, 0.5037710520185448],
    [4.2, 28, 0.0002452570165493724],
    [12, 88, 3.1981018944730347e-20],
    [40, 363, 4.205681134318109e-135],
    [1e-6, 5, 0.9999992407866204],
    [300, 2, 1.1110925929355216e-5],
  ])("t = %p with %p degrees of freedom agrees with scipy", (t, df, p) => {
    expectClose(getStudentTwoSided(t, df), p);
  });

  test("agrees with the closed form for two degrees of freedom and with an integral for five", () => {
    for (const t of [0.1, 1, 2.92, 9]) expectClose(getStudentTwoSided(t, 2), 1 - t / Math.sqrt(2 + t * t), 9);
    // Density of t with 5 degrees of freedom: 8 / (3 pi sqrt 5) (1 + x^2 / 5)^-3.
    const density = (x: number) => (8 / (3 * Math.PI * Math.sqrt(5))) * (1 + (x * x) / 5) ** -3;
    for (const t of [0.4, 1.3, 2.571]) expectClose(getStudentTwoSided(t, 5), 1 - 2 * integrate(density, 0, t), 9);
  });

  test("falls with the distance and is the same on both sides", () => {
    const t = fc.double({ min: 0, max: 60, noNaN: true });
    fc.assert(
      fc.property(t, fc.double({ min: 0, max: 5, noNaN: true }), fc.integer({ min: 1, max: 400 }), (near, step, df) => {
        const p = getStudentTwoSided(near, df);
        return (
          p >= 0 && p <= 1 && getStudentTwoSided(-near, df) === p && getStudentTwoSided(near + step, df) <= p + 1e-12
        );
      }),
    );
  });

  test("an impossible request is refused, an infinite distance has no chance", () => {
    expect(() => getStudentTwoSided(1, 0)).toThrow(RangeError);
    expect(() => getStudentTwoSided(Number.NaN, 3)).toThrow(RangeError);
    expect(getStudentTwoSided(Number.NEGATIVE_INFINITY, 3)).toBe(0);
  });
});

describe("binomial tail", () => {
  // scipy 1.17.1: scipy.stats.binom.sf(k - 1, n, p)
  test.each([
    [2, 3, 0.5, 0.5],
    [60, 100, 0.5, 0.028443966820490444],
    [530, 1_000, 0.5, 0.031011597549181716],
    [1, 10, 0.01, 0.09561792499119552],
    [9_000, 17_000, 0.5, 9.00094924357128e-15],
    [99, 100, 0.97, 0.19462212006583554],
  ])("%p or more of %p at %p agrees with scipy", (k, n, p, expected) => {
    expectClose(getBinomialTail(k, n, p), expected);
  });

  test("agrees with the exact count for a fair coin", () => {
    for (const n of [1, 2, 7, 20, 41]) {
      let choices = 1n;
      const counts = Array.from({ length: n + 1 }, (_, k) => {
        if (k > 0) choices = (choices * BigInt(n - k + 1)) / BigInt(k);
        return choices;
      });
      for (let k = 0; k <= n; k += 1) {
        const ways = counts.slice(k).reduce((sum, one) => sum + one, 0n);
        expectClose(getBinomialTail(k, n, 0.5), Number(ways) / 2 ** n, 11);
      }
    }
  });

  test("ends: certain, impossible, refused", () => {
    expect([getBinomialTail(0, 5, 0.3), getBinomialTail(6, 5, 0.3), getBinomialTail(0, 0, 0.5)]).toEqual([1, 0, 1]);
    expect([getBinomialTail(1, 5, 0), getBinomialTail(5, 5, 1)]).toEqual([0, 1]);
    expect(() => getBinomialTail(0.5, 5, 0.3)).toThrow(RangeError);
    expect(() => getBinomialTail(1, 5, 1.1)).toThrow(RangeError);
  });
});

describe("normal distribution", () => {
  // scipy 1.17.1: scipy.stats.norm.ppf(p)
  test.each([
    [1e-12, -7.034483825301131],
    [1e-6, -4.753424308822899],
    [0.01, -2.3263478740408408],
    [0.05, -1.6448536269514729],
    [0.3, -0.5244005127080409],
    [0.9, 1.2815515655446004],
    [0.99, 2.3263478740408408],
  ])("the quantile of %p agrees with scipy", (p, z) => {
    expectClose(getNormalQuantile(p), z, 13);
  });

  // scipy 1.17.1: scipy.stats.norm.cdf(z)
  test.each([
    [-12, 1.776482112077653e-33],
    [-6, 9.865876450376946e-10],
    [-3.2, 0.0006871379379158471],
    [-2.9, 0.0018658133003840375],
    [-0.1, 0.460172162722971],
    [0, 0.5],
    [1.96, 0.9750021048517795],
    [3.01, 0.9986937615512306],
  ])("the probability up to %p agrees with scipy", (z, p) => {
    expectClose(getNormalCDF(z), p, 11);
  });

  test("the probability is the integral of the density", () => {
    expectClose(getNormalDensity(0), 1 / Math.sqrt(2 * Math.PI), 15);
    for (const z of [0.3, 1.5, 2.999, 3.001, 4])
      expectClose(getNormalCDF(z), 0.5 + integrate(getNormalDensity, 0, z), 11);
  });

  test("the quantile undoes the probability", () => {
    fc.assert(
      fc.property(fc.double({ min: -8, max: 5, noNaN: true }), (z) => {
        expect(Math.abs(getNormalQuantile(getNormalCDF(z)) - z)).toBeLessThan(1e-8);
      }),
    );
    expect(getNormalQuantile(0.5)).toBe(0);
    expect([getNormalCDF(-50), getNormalCDF(50)]).toEqual([0, 1]);
    for (const p of [0, 1, -1, Number.NaN]) expect(() => getNormalQuantile(p)).toThrow(RangeError);
  });
});
