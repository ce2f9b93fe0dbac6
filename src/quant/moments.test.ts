import { describe, expect, test } from "bun:test";
import { sampleKurtosis, sampleSkewness, standardDeviation } from "simple-statistics";
import { fc } from "../../test/helpers/properties.ts";
import { getExcessKurtosis, getPopulationSigma, getQuantile7, getSkewness, isConstant } from "./moments.ts";

const B = [0.012, -0.026, 0.02, 0.041, -0.02, 0.001, -0.03, 0.022, 0.012, -0.015];
const series = fc.array(fc.integer({ min: -1_000, max: 1_000 }), { minLength: 4, maxLength: 80 });

describe("moments", () => {
  test("agree with scipy 1.17.1 (skew, kurtosis)", () => {
    expect(getSkewness(B)).toBeCloseTo(0.08335785638636535, 13);
    expect(getExcessKurtosis(B)).toBeCloseTo(-1.1838167860404254, 13);
  });

  test("agree with the sample figures of another package once its correction is undone", () => {
    fc.assert(
      fc.property(series, (values) => {
        const n = values.length;
        expect(getPopulationSigma(values)).toBeCloseTo(standardDeviation(values), 9);
        if (new Set(values).size < 2) return;
        const skewness = (sampleSkewness(values) * (n - 2)) / Math.sqrt(n * (n - 1));
        expect(getSkewness(values)).toBeCloseTo(skewness, 8);
        const kurtosis = ((sampleKurtosis(values) * (n - 2) * (n - 3)) / (n - 1) - 6) / (n + 1);
        expect(getExcessKurtosis(values)).toBeCloseTo(kurtosis, 7);
      }),
    );
  });

  test("shift changes neither, scale neither, a turn of sign only the skewness", () => {
    const moved = B.map((value) => 3 * value + 1);
    expect(getSkewness(moved)).toBeCloseTo(getSkewness(B) ?? Number.NaN, 9);
    expect(getExcessKurtosis(moved)).toBeCloseTo(getExcessKurtosis(B) ?? Number.NaN, 9);
    const turned = B.map((value) => -value);
    expect(getSkewness(turned)).toBeCloseTo(-(getSkewness(B) ?? Number.NaN), 12);
  });

  test("a constant series or an invalid number has none", () => {
    expect([getSkewness([2, 2, 2]), getExcessKurtosis([]), getSkewness([1, Number.NaN])]).toEqual([null, null, null]);
    expect([getPopulationSigma([]), getPopulationSigma([5, 5]), getPopulationSigma([1, Number.NaN])]).toEqual([
      null,
      0,
      null,
    ]);
    expect([isConstant([]), isConstant([1]), isConstant([1e9, 1e9]), isConstant([1, 1.000001])]).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});

describe("quantile of type 7", () => {
  test("agrees with numpy 2.4.6", () => {
    expect(getQuantile7(B, 0.05)).toBeCloseTo(-0.0282, 13);
    expect(getQuantile7(B, 0.01)).toBeCloseTo(-0.02964, 13);
    expect(getQuantile7(B, 0.5)).toBeCloseTo(0.0065, 13);
    expect(getQuantile7(B, 0.937)).toBeCloseTo(0.030227, 13);
  });

  test("agrees with the definition, whatever the order", () => {
    fc.assert(
      fc.property(series, fc.double({ min: 0, max: 1, noNaN: true }), (values, p) => {
        const sorted = [...values].sort((a, b) => a - b);
        const place = (sorted.length - 1) * p;
        const [low, high] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0];
        expect(getQuantile7(values, p)).toBeCloseTo(low + (place - Math.floor(place)) * (high - low), 9);
      }),
    );
  });

  test("the caller's values keep their order; nothing has no quantile", () => {
    const values = Object.freeze([3, 1, 2]);
    expect([getQuantile7(values, 0), getQuantile7(values, 1)]).toEqual([1, 3]);
    expect([getQuantile7([], 0.5), getQuantile7([1, Number.NaN], 0.5), getQuantile7([1], 1.5)]).toEqual([
      null,
      null,
      null,
    ]);
  });
});
