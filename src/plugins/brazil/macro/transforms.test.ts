import { expect, test } from "bun:test";
import {
  accumulate12,
  accumulateYear,
  annualise3,
  annualiseDaily,
  changeOfQuarters,
  changeOver,
  countOutside,
  getPressure,
  type MacroRow,
  realRate,
  requiredMonthly,
} from "./transforms.ts";

/** Values of consecutive months, the last of them December 2025. */
const months = (values: readonly number[]): MacroRow[] =>
  values.map((value, index) => {
    const at = 2025 * 12 + 12 - values.length + index;
    return [`${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, "0")}-01`, value];
  });
const IPCA = [0.16, 1.31, 0.56, 0.43, 0.26, 0.24, 0.26, -0.11, 0.48, 0.09, 0.18, 0.33];

test("inflation of 2025 from its months", () => {
  expect(accumulate12(months(IPCA))).toBeCloseTo(4.2644, 4);
  expect(annualise3(months(IPCA))).toBeCloseTo(2.426, 4);
  const nine = months(IPCA).slice(0, 9);
  expect(accumulateYear(nine)?.ytd).toBeCloseTo(3.6414, 4);
  expect(requiredMonthly(4.55, accumulateYear(nine)?.ytd ?? 0, accumulateYear(nine)?.months_left ?? 0)).toBeCloseTo(
    0.2914,
    4,
  );
  expect(requiredMonthly(4.55, 4.2, 0)).toBeNull();
});

test("a missing month does not count as zero", () => {
  const gap = months(IPCA).filter((_, index) => index !== 5);
  expect([accumulate12(gap), accumulateYear(gap), annualise3(gap)?.toFixed(3)]).toEqual([null, null, "2.426"]);
});

test("rates of a day as rates of a year, and real rates", () => {
  expect(annualiseDaily(0.055131)).toBeCloseTo(14.9, 2);
  expect(realRate(13.6935, 4.06)).toBeCloseTo(9.2576, 4);
  expect(realRate(15, 4.2644)).toBeCloseTo(10.2965, 4);
});

test("changes of levels", () => {
  expect(changeOver(months([107.2, 109.5]), 1)).toBeCloseTo(2.1455, 4);
  expect(changeOfQuarters(months([107, 107.4, 107.1, 107.9, 108.2, 108]))).toBeCloseTo(0.8087, 4);
  expect(
    changeOver(
      [
        ["2026-09-01", 5.157],
        ["2026-09-02", 5.1273],
      ],
      1,
    ),
  ).toBeCloseTo(-0.5759, 4);
});

test("months outside the band: none now, eleven in the longest run", () => {
  const path = months([4.4, 4.56, 4.83, 5.06, 5.48, 5.53, 5.32, 5.35, 5.23, 5.13, 5.17, 4.68, 4.46, 4.26]);
  expect(countOutside(path, { low: 1.5, high: 4.5 })).toEqual({ now: 0, longest: 11 });
});

test("the score of the published example; without two of its factors there is no score", () => {
  const inputs = { ipca_12m: 4.2644, ipca_3m_saar: 2.426, focus_12m: 4.06, ibc_3m3m: 0.8087, usd_63d_pct: -2 };
  const score = getPressure(inputs, 3);
  expect(score?.pressure).toBeCloseTo(44.73, 2);
  expect(score?.factors.map(({ value }) => Number(value.toFixed(6)))).toEqual([
    0.842933, -0.191333, 0.706667, 0.8087, -0.2,
  ]);
  expect(getPressure({ ...inputs, ibc_3m3m: null }, 3)?.factors).toHaveLength(4);
  expect(getPressure({ ...inputs, ibc_3m3m: null, focus_12m: null }, 3)).toBeNull();
});
