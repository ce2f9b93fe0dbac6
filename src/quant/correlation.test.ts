import { describe, expect, test } from "bun:test";
import { linearRegression, sampleCorrelation, sampleRankCorrelation } from "simple-statistics";
import { fc } from "../../test/helpers/properties.ts";
import { getAverageRanks, getCorrelationPValue, getOLSBeta, getPearson, getSpearman } from "./correlation.ts";

const A = [0.01, -0.02, 0.015, 0.03, -0.012, 0.004, -0.025, 0.018, 0.007, -0.009];
const B = [0.012, -0.026, 0.02, 0.041, -0.02, 0.001, -0.03, 0.022, 0.012, -0.015];
const C = [-0.004, 0.011, 0.025, -0.013, 0.009, -0.02, 0.006, 0.014, -0.018, 0.003];

const small = fc.double({ min: -100, max: 100, noNaN: true });
/** Two series of one length, rounded so that ties happen. */
const pairs = fc
  .array(fc.tuple(small, small), { minLength: 3, maxLength: 60 })
  .map((rows) => rows.map(([x, y]) => [Math.round(x) / 4, Math.round(y)] as const))
  .map((rows) => ({ x: rows.map(([x]) => x), y: rows.map(([, y]) => y) }));

describe("the published vector", () => {
  // numpy 2.4.6 corrcoef, scipy 1.17.1 pearsonr and spearmanr.
  test.each([
    ["A with B", A, B, 0.9936064791682592, 7.254416389548303e-9, 0.996965091635306, 3.698093220209441e-10],
    ["A with C", A, C, -0.2281090920778486, 0.5261750471286678, -0.04242424242424241, 0.9073638178128159],
    ["B with C", B, C, -0.23006082248529322, 0.5225431560065872, -0.05471149893120582, 0.8806762012346145],
  ])("%s", (_, x, y, pearson, pearson_p, spearman, spearman_p) => {
    expect(getPearson(x, y)).toBeCloseTo(pearson, 13);
    expect(getCorrelationPValue(pearson, 10)).toBeCloseTo(pearson_p, 12);
    expect(getSpearman(x, y)).toBeCloseTo(spearman, 13);
    expect(getCorrelationPValue(spearman, 10)).toBeCloseTo(spearman_p, 12);
  });

  test("beta agrees with numpy's polyfit", () => {
    expect(getOLSBeta(A, B)).toBeCloseTo(1.32377454, 8);
  });
});

describe("against another implementation", () => {
  test("Pearson, Spearman and beta of any series", () => {
    fc.assert(
      fc.property(pairs, ({ x, y }) => {
        const [pearson, spearman, beta] = [getPearson(x, y), getSpearman(x, y), getOLSBeta(x, y)];
        if (pearson !== null) expect(pearson).toBeCloseTo(sampleCorrelation(x, y), 9);
        if (spearman !== null) expect(spearman).toBeCloseTo(sampleRankCorrelation(x, y), 9);
        const rows = x.map((value, index) => [value, y[index] ?? 0]);
        if (beta !== null) expect(beta).toBeCloseTo(linearRegression(rows).m, 8);
        const moves = (values: readonly number[]) => new Set(values).size > 1;
        expect(pearson !== null).toBe(moves(x) && moves(y));
        expect(spearman !== null).toBe(moves(x) && moves(y));
        expect(beta !== null).toBe(moves(x));
      }),
    );
  });
});

describe("laws", () => {
  test("scale and shift leave correlations alone, a negative scale turns them, beta scales", () => {
    const factor = fc.double({ min: 0.01, max: 50, noNaN: true });
    fc.assert(
      fc.property(pairs, factor, fc.integer({ min: -99, max: 99 }), ({ x, y }, scale, shift) => {
        const moved = y.map((value) => value * scale + shift);
        const [before, after] = [getPearson(x, y), getPearson(x, moved)];
        if (before === null || after === null) return;
        expect(after).toBeCloseTo(before, 8);
        const turned = y.map((value) => -value);
        expect(getPearson(x, turned)).toBeCloseTo(-before, 12);
        expect(getSpearman(x, turned)).toBeCloseTo(-(getSpearman(x, y) ?? Number.NaN), 12);
        expect(getOLSBeta(x, moved)).toBeCloseTo(scale * (getOLSBeta(x, y) ?? Number.NaN), 6);
      }),
    );
  });

  test("the order of the pairs does not matter, nor which series comes first", () => {
    fc.assert(
      fc.property(pairs, ({ x, y }) => {
        const [backwards_x, backwards_y] = [[...x].reverse(), [...y].reverse()];
        expect(getPearson(backwards_x, backwards_y) ?? 9).toBeCloseTo(getPearson(x, y) ?? 9, 12);
        expect(getSpearman(y, x) ?? 9).toBeCloseTo(getSpearman(x, y) ?? 9, 12);
      }),
    );
  });

  test("ranks of equal values share their mean", () => {
    expect(getAverageRanks([3, 1, 3, 2, 3])).toEqual([4, 1, 4, 2, 4]);
    expect(getAverageRanks([])).toEqual([]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5 })), (values) => {
        const sum = getAverageRanks(values).reduce((total, rank) => total + rank, 0);
        expect(sum).toBe((values.length * (values.length + 1)) / 2);
      }),
    );
  });
});

describe("no figure where it is undefined", () => {
  test("a constant series, too few pairs, a value that is not a number", () => {
    expect([getPearson([1, 1, 1], [1, 2, 3]), getSpearman([1, 2, 3], [2, 2, 2])]).toEqual([null, null]);
    // The mean of equal values is off by rounding; that is no movement.
    expect(getPearson(new Array(7).fill(0.1), [1, 2, 3, 4, 5, 6, 7])).toBeNull();
    expect([getPearson([1], [2]), getSpearman([], []), getOLSBeta([1], [1])]).toEqual([null, null, null]);
    expect([getPearson([1, Number.NaN, 3], [1, 2, 3]), getSpearman([1, 2, 3], [1, Number.NaN, 3])]).toEqual([
      null,
      null,
    ]);
    expect([getOLSBeta([1, 2], [Number.NaN, 1]), getOLSBeta([2, 2], [3, 1])]).toEqual([null, null]);
    expect([getCorrelationPValue(0.5, 2), getCorrelationPValue(1, 5)]).toEqual([null, 0]);
  });

  test("series of different length are refused", () => {
    expect(() => getPearson([1, 2], [1])).toThrow(RangeError);
    expect(() => getSpearman([1, 2], [1])).toThrow(RangeError);
    expect(() => getOLSBeta([1, 2], [1])).toThrow(RangeError);
  });
});
