import { describe, expect, test } from "bun:test";
import { sampleCorrelation, sampleRankCorrelation } from "simple-statistics";
import { parkMiller } from "../../test/helpers/test-series.ts";
import { analyseCorrelations, type NullableMatrix } from "./correlation-analysis.ts";

const A = [0.01, -0.02, 0.015, 0.03, -0.012, 0.004, -0.025, 0.018, 0.007, -0.009];
const B = [0.012, -0.026, 0.02, 0.041, -0.02, 0.001, -0.03, 0.022, 0.012, -0.015];
const C = [-0.004, 0.011, 0.025, -0.013, 0.009, -0.02, 0.006, 0.014, -0.018, 0.003];

const cell = (matrix: NullableMatrix, i: number, j: number): number => matrix[i]?.[j] ?? Number.NaN;

function createSeries(count: number, length: number): number[][] {
  const next = parkMiller(count + length);
  const common = Array.from({ length }, () => next() - 0.5);
  return Array.from({ length: count }, () => common.map((one) => next() - 0.5 + one));
}

describe("the published vector", () => {
  const analysis = analyseCorrelations([A, B, C]);

  test("correlations, p values and intervals", () => {
    const { pearson, pearson_p, ci_lo, ci_hi, spearman, spearman_p } = analysis;
    expect(cell(pearson, 0, 1)).toBeCloseTo(0.993606, 6);
    expect([cell(ci_lo, 0, 1), cell(ci_hi, 0, 1)]).toEqual([expect.closeTo(0.972171, 6), expect.closeTo(0.998543, 6)]);
    expect(cell(spearman, 0, 1)).toBeCloseTo(0.996965, 6);
    expect(cell(pearson, 0, 2)).toBeCloseTo(-0.228109, 6);
    expect(cell(pearson_p, 0, 2)).toBeCloseTo(0.526175, 6);
    expect([cell(ci_lo, 0, 2), cell(ci_hi, 0, 2)]).toEqual([expect.closeTo(-0.750016, 6), expect.closeTo(0.468856, 6)]);
    expect([cell(spearman, 0, 2), cell(spearman_p, 0, 2)]).toEqual([
      expect.closeTo(-0.042424, 6),
      expect.closeTo(0.907364, 6),
    ]);
    expect([cell(pearson, 1, 2), cell(pearson_p, 1, 2)]).toEqual([
      expect.closeTo(-0.230061, 6),
      expect.closeTo(0.522543, 6),
    ]);
    expect([cell(spearman, 1, 2), cell(spearman_p, 1, 2)]).toEqual([
      expect.closeTo(-0.054711, 6),
      expect.closeTo(0.880676, 6),
    ]);
  });

  test("shrinkage and summaries", () => {
    const { shrunk, shrinkage, pc1_share, mean_corr, pairs } = analysis;
    expect(shrinkage).toBeCloseTo(0.322182, 6);
    expect(cell(shrunk, 0, 1)).toBeCloseTo(0.673484, 6);
    expect(cell(shrunk, 0, 2)).toBeCloseTo(-0.154616, 6);
    expect(cell(shrunk, 1, 2)).toBeCloseTo(-0.155939, 6);
    expect(pc1_share).toBeCloseTo(0.696636, 6);
    expect(mean_corr).toBeCloseTo(0.178479, 6);
    // Three tests: the smallest p value counts three times, and only it is significant.
    expect(pairs.filter(({ p_holm }) => p_holm <= 0.05).map(({ i, j }) => [i, j])).toEqual([[0, 1]]);
    expect(pairs[0]?.p_holm).toBeCloseTo(3 * 7.254416389548303e-9, 15);
  });
});

describe("of many series", () => {
  const series = createSeries(12, 80);
  const analysis = analyseCorrelations(series);

  test("every cell agrees with another package", () => {
    for (const [i, x] of series.entries()) {
      for (const [j, y] of series.entries()) {
        expect(cell(analysis.pearson, i, j)).toBeCloseTo(sampleCorrelation(x, y), 12);
        expect(cell(analysis.spearman, i, j)).toBeCloseTo(sampleRankCorrelation(x, y), 12);
      }
    }
  });

  test("matrices are symmetric with ones on the diagonal; shrinking moves towards 0", () => {
    const { pearson, shrunk, spearman } = analysis;
    for (const matrix of [pearson, shrunk, spearman]) {
      for (let i = 0; i < 12; i += 1) {
        expect(cell(matrix, i, i)).toBe(1);
        for (let j = 0; j < i; j += 1) expect(cell(matrix, i, j)).toBe(cell(matrix, j, i));
      }
    }
    for (let i = 1; i < 12; i += 1) {
      expect(Math.abs(cell(shrunk, i, 0))).toBeLessThanOrEqual(Math.abs(cell(pearson, i, 0)) + 1e-12);
    }
  });

  test("the order of the series moves the cells along and changes no summary", () => {
    const turned = analyseCorrelations([...series].reverse());
    expect(cell(turned.pearson, 0, 3)).toBe(cell(analysis.pearson, 11, 8));
    expect(turned.shrinkage).toBeCloseTo(analysis.shrinkage ?? Number.NaN, 12);
    expect(turned.pc1_share).toBeCloseTo(analysis.pc1_share ?? Number.NaN, 12);
    expect(turned.mean_corr).toBeCloseTo(analysis.mean_corr ?? Number.NaN, 12);
  });

  test("scale and shift of one series change nothing", () => {
    const moved = analyseCorrelations(series.map((one, index) => (index === 4 ? one.map((v) => 7 * v + 3) : one)));
    expect(cell(moved.pearson, 4, 9)).toBeCloseTo(cell(analysis.pearson, 4, 9), 10);
    expect(cell(moved.spearman, 4, 9)).toBe(cell(analysis.spearman, 4, 9));
    expect(cell(moved.shrunk, 4, 9)).toBeCloseTo(cell(analysis.shrunk, 4, 9), 10);
  });
});

describe("no figure where it is undefined", () => {
  test("a series that stands still has null in its row and leaves the others alone", () => {
    const still = analyseCorrelations([A, A.map(() => 0.01), B, C]);
    const without = analyseCorrelations([A, B, C]);
    expect(still.pearson[1]).toEqual([null, null, null, null]);
    expect([still.shrunk[1], still.spearman_p[1], still.ci_lo[1]].flat()).toEqual(new Array(12).fill(null));
    expect(cell(still.shrunk, 0, 2)).toBe(cell(without.shrunk, 0, 1));
    expect([still.mean_corr, still.pc1_share, still.pairs.length]).toEqual([without.mean_corr, without.pc1_share, 3]);
  });

  test("a value that is not a number is treated as unchanged", () => {
    const broken = analyseCorrelations([A, B.map((value, index) => (index === 3 ? Number.NaN : value)), C]);
    expect(broken.pearson[1]).toEqual([null, null, null]);
    expect(cell(broken.pearson, 0, 2)).toBeCloseTo(-0.228109, 6);
  });

  test("nothing, one value, two values, three values", () => {
    expect(analyseCorrelations([])).toMatchObject({
      n: 0,
      pearson: [],
      mean_corr: null,
      pc1_share: null,
      shrinkage: null,
    });
    expect(analyseCorrelations([[1], [2]]).pearson).toEqual([
      [null, null],
      [null, null],
    ]);
    expect(
      analyseCorrelations([
        [1, 2],
        [2, 1],
      ]),
    ).toMatchObject({
      pearson_p: [
        [null, null],
        [null, null],
      ],
      pairs: [],
    });
    expect(
      analyseCorrelations([
        [1, 2, 4],
        [2, 1, 5],
      ]).ci_lo,
    ).toEqual([
      [null, null],
      [null, null],
    ]);
    expect(() => analyseCorrelations([A, B.slice(1)])).toThrow(RangeError);
  });
});
