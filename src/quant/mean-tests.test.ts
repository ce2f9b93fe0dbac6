import { expect, test } from "bun:test";
import { adjustBenjaminiHochberg, testMean, testWelch } from "./mean-tests.ts";

test("Student's t of a mean: Student's own data on sleep, 1908", () => {
  const extra = [1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4];
  const result = testMean(extra);
  expect(result?.t).toBeCloseTo(4.0621, 4);
  expect(result?.p).toBeCloseTo(0.00283, 5);
});

test("Welch's t: the sleep data as two groups, as R prints it", () => {
  const a = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2];
  const b = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
  const result = testWelch(a, b);
  expect(result?.t).toBeCloseTo(-1.8608, 4);
  expect(result?.p).toBeCloseTo(0.07939, 5);
});

test("Benjamini-Hochberg: the published vector, in any order", () => {
  for (const [index, value] of adjustBenjaminiHochberg([0.01, 0.04, 0.03, 0.5]).entries()) {
    expect(value).toBeCloseTo([0.04, 0.05333333, 0.05333333, 0.5][index] ?? 0, 8);
  }
  expect(adjustBenjaminiHochberg([0.9, 0.95])).toEqual([0.95, 0.95]);
  expect(adjustBenjaminiHochberg([])).toEqual([]);
});

test("values that do not move have no t", () => {
  expect([testMean([1, 1, 1]), testMean([1]), testMean([1, Number.NaN]), testWelch([1, 1], [2, 2])]).toEqual(
    Array(4).fill(null),
  );
  expect(testWelch([1, 1, 1], [2, 3])?.t).toBeLessThan(0);
});
