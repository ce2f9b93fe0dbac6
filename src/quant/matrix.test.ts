import { describe, expect, test } from "bun:test";
import { fc } from "../../test/helpers/properties.ts";
import { parkMiller } from "../../test/helpers/test-series.ts";
import { getPearson } from "./correlation.ts";
import {
  dot,
  getEigenvalues,
  getEWMACovariance,
  getLargestEigenvalue,
  getLedoitWolf,
  type Matrix,
  multiply,
  toCorrelation,
} from "./matrix.ts";
import { getPopulationSigma } from "./moments.ts";

const A = [0.01, -0.02, 0.015, 0.03, -0.012, 0.004, -0.025, 0.018, 0.007, -0.009];
const B = [0.012, -0.026, 0.02, 0.041, -0.02, 0.001, -0.03, 0.022, 0.012, -0.015];
const C = [-0.004, 0.011, 0.025, -0.013, 0.009, -0.02, 0.006, 0.014, -0.018, 0.003];

function standardise(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const sigma = getPopulationSigma(values) ?? Number.NaN;
  return values.map((value) => (value - mean) / sigma);
}

/** Lists of uniform noise with a part in common. */
function createSeries(count: number, length: number): number[][] {
  const next = parkMiller(count * 1_000 + length);
  const common = Array.from({ length }, () => next() - 0.5);
  return Array.from({ length: count }, (_, asset) => common.map((one) => next() - 0.5 + (asset % 3) * one));
}

const cell = (matrix: Matrix, i: number, j: number): number => matrix[i]?.[j] ?? Number.NaN;

/** Largest eigenvalue of a matrix without negative ones, by powers: another way to the same figure. */
function iterate(matrix: Matrix): number {
  let vector = matrix.map((_, index) => 1 + index / 7);
  for (let step = 0; step < 5_000; step += 1) {
    const next = multiply(matrix, vector);
    const length = Math.sqrt(dot(next, next));
    vector = next.map((value) => value / length);
  }
  return dot(vector, multiply(matrix, vector));
}

describe("Ledoit and Wolf", () => {
  test("gives the published shrinkage and correlations (scikit-learn, assume_centered)", () => {
    const { covariance, shrinkage } = getLedoitWolf([A, B, C].map(standardise));
    expect(shrinkage).toBeCloseTo(0.322182, 6);
    const shrunk = toCorrelation(covariance);
    expect(shrunk[0]?.[1]).toBeCloseTo(0.673484, 6);
    expect(shrunk[0]?.[2]).toBeCloseTo(-0.154616, 6);
    expect(shrunk[1]?.[2]).toBeCloseTo(-0.155939, 6);
  });

  test("agrees with the paper's formulas written out over every day's matrix", () => {
    const series = createSeries(5, 60).map(standardise);
    const days = series[0]?.map((_, t) => series.map((one) => one[t] ?? 0)) ?? [];
    const outer = days.map((x) => x.map((a) => x.map((b) => a * b)));
    const sample = series.map((_, i) => series.map((__, j) => outer.reduce((s, m) => s + cell(m, i, j), 0) / 60));
    const norm = (matrix: Matrix) => matrix.flat().reduce((s, v) => s + v * v, 0) / 5;
    const level = sample.reduce((s, _, i) => s + cell(sample, i, i), 0) / 5;
    const d2 = norm(sample.map((row, i) => row.map((v, j) => v - (i === j ? level : 0))));
    const b2 =
      outer.reduce((s, m) => s + norm(m.map((row, i) => row.map((v, j) => v - cell(sample, i, j)))), 0) / 3_600;
    expect(getLedoitWolf(series).shrinkage).toBeCloseTo(Math.min(b2, d2) / d2, 12);
  });

  test("keeps the trace, lies within 0 and 1, and falls with more days", () => {
    const [few, many] = [20, 2_000].map((length) => getLedoitWolf(createSeries(8, length).map(standardise)));
    for (const one of [few, many]) {
      expect(one?.shrinkage).toBeGreaterThanOrEqual(0);
      expect(one?.shrinkage).toBeLessThanOrEqual(1);
      const trace = one?.covariance.reduce((sum, row, index) => sum + (row[index] ?? 0), 0);
      expect(trace).toBeCloseTo(8, 9);
    }
    expect(few?.shrinkage ?? 0).toBeGreaterThan(many?.shrinkage ?? 1);
  });

  test("one asset has nothing to shrink; broken series are refused", () => {
    expect(getLedoitWolf([standardise(A)]).shrinkage).toBe(0);
    expect(() => getLedoitWolf([A, B.slice(1)])).toThrow(RangeError);
    expect(() => getLedoitWolf([[1, Number.NaN]])).toThrow(RangeError);
    expect(() => getLedoitWolf([])).toThrow(RangeError);
  });
});

describe("exponentially weighted covariance", () => {
  test("gives the published volatility of a portfolio", () => {
    const covariance = getEWMACovariance([A, B]);
    const weights = [0.8, 0.2];
    expect(Math.sqrt(dot(weights, multiply(covariance, weights)))).toBeCloseTo(0.0176663778, 10);
  });

  test("agrees with the recursion, whose start fades", () => {
    const series = createSeries(3, 600);
    const covariance = getEWMACovariance(series);
    let recursion = series.map((one) => series.map((other) => (one[0] ?? 0) * (other[0] ?? 0)));
    for (let t = 1; t < 600; t += 1) {
      recursion = recursion.map((row, i) =>
        row.map((value, j) => 0.94 * value + 0.06 * (series[i]?.[t] ?? 0) * (series[j]?.[t] ?? 0)),
      );
    }
    for (const [i, row] of recursion.entries()) {
      for (const [j, value] of row.entries()) expect(cell(covariance, i, j)).toBeCloseTo(value, 12);
    }
  });

  test("the newest return weighs most, scale is squared, order of the assets moves along", () => {
    const calm = getEWMACovariance([[0.1, 0, 0, 0]]);
    expect(getEWMACovariance([[0, 0, 0, 0.1]])[0]?.[0]).toBeGreaterThan(calm[0]?.[0] ?? 1);
    const doubled = getEWMACovariance([A.map((value) => 2 * value), B]);
    const plain = getEWMACovariance([A, B]);
    expect(cell(doubled, 0, 0)).toBeCloseTo(4 * cell(plain, 0, 0), 15);
    expect(cell(doubled, 0, 1)).toBeCloseTo(2 * cell(plain, 0, 1), 15);
    expect(cell(getEWMACovariance([B, A]), 0, 0)).toBe(cell(plain, 1, 1));
    expect(getEWMACovariance([[0, 0, 0]])).toEqual([[0]]);
  });

  test("gaps and values that are no numbers are refused", () => {
    expect(() => getEWMACovariance([A, B.slice(1)])).toThrow(RangeError);
    expect(() => getEWMACovariance([[1, Number.NaN]])).toThrow(RangeError);
    expect(() => getEWMACovariance([])).toThrow(RangeError);
    expect(() => getEWMACovariance([A], 1)).toThrow(RangeError);
  });
});

describe("eigenvalues", () => {
  test("agree with numpy's eigvalsh and give the published share", () => {
    const correlation = [A, B, C].map((x) => [A, B, C].map((y) => getPearson(x, y) ?? Number.NaN));
    const values = getEigenvalues(correlation);
    for (const [index, value] of [2.08990811, 0.9037004, 0.0063915].entries())
      expect(values[index]).toBeCloseTo(value, 7);
    expect((getLargestEigenvalue(correlation) ?? 0) / 3).toBeCloseTo(0.696636, 6);
  });

  test("the largest agrees with powers of the matrix; the sum is the trace", () => {
    for (const count of [2, 5, 12, 40]) {
      const covariance = getEWMACovariance(createSeries(count, 120));
      const values = getEigenvalues(covariance);
      const trace = covariance.reduce((sum, row, index) => sum + (row[index] ?? 0), 0);
      expect(values.reduce((sum, value) => sum + value, 0)).toBeCloseTo(trace, 10);
      expect(values[0]).toBeCloseTo(iterate(covariance), 10);
    }
  });

  test("any symmetric matrix: sums of squares are kept, the order of the rows does not matter", () => {
    const entries = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 10, maxLength: 10 });
    fc.assert(
      fc.property(entries, (flat) => {
        const place = (i: number, j: number) => flat[(Math.max(i, j) * (Math.max(i, j) + 1)) / 2 + Math.min(i, j)] ?? 0;
        const matrix = [0, 1, 2, 3].map((i) => [0, 1, 2, 3].map((j) => place(i, j)));
        const turned = [3, 2, 1, 0].map((i) => [3, 2, 1, 0].map((j) => place(i, j)));
        const values = getEigenvalues(matrix);
        const squares = values.reduce((sum, value) => sum + value * value, 0);
        expect(squares).toBeCloseTo(
          matrix.flat().reduce((sum, value) => sum + value * value, 0),
          6,
        );
        for (const [index, value] of getEigenvalues(turned).entries()) expect(value).toBeCloseTo(values[index] ?? 0, 8);
      }),
    );
  });

  test("a matrix of one value, of none, and one that is not symmetric", () => {
    expect([
      getLargestEigenvalue([[3]]),
      getLargestEigenvalue([]),
      getLargestEigenvalue([
        [0, 0],
        [0, 0],
      ]),
    ]).toEqual([3, null, 0]);
    expect(() =>
      getEigenvalues([
        [1, 2],
        [3, 1],
      ]),
    ).toThrow(RangeError);
    expect(() => getEigenvalues([[1, 2]])).toThrow(RangeError);
    expect(() => getEigenvalues([[Number.NaN]])).toThrow(RangeError);
  });
});

test("an asset without movement has no correlation", () => {
  expect(
    toCorrelation([
      [4, 0, 1],
      [0, 0, 0],
      [1, 0, 1],
    ]),
  ).toEqual([
    [1, null, 0.5],
    [null, null, null],
    [0.5, null, 1],
  ]);
});
