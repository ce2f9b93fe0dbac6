import type { ISODate } from "intel-node";

/** An observation: its day, or the first day of its month; and the value. */
export type MacroRow = readonly [date: ISODate, value: number];

/** Months or days in ascending order; the newest is the last. */
export type MacroRows = readonly MacroRow[];

const percent = (growth: number): number => (growth - 1) * 100;
const growthOf = (rows: MacroRows): number => rows.reduce((product, [, change]) => product * (1 + change / 100), 1);

const monthNumber = (date: ISODate): number => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;

/** The newest so many months without a gap; null when one is missing. */
function lastMonths(rows: MacroRows, count: number): MacroRows | null {
  const last = rows.slice(-count);
  const [first, newest] = [last[0], last.at(-1)];
  if (last.length < count || !first || !newest) return null;
  return monthNumber(newest[0]) - monthNumber(first[0]) === count - 1 ? last : null;
}

/** What monthly changes of 12 months come to, percent: the product of 1 + x/100, minus 1. */
export function accumulate12(rows: MacroRows): number | null {
  const year = lastMonths(rows, 12);
  return year && percent(growthOf(year));
}

/** Changes of 3 months at an annual rate, percent: their product to the fourth power, minus 1. */
export function annualise3(rows: MacroRows): number | null {
  const quarter = lastMonths(rows, 3);
  return quarter && percent(growthOf(quarter) ** 4);
}

/** What the months of the newest one's year come to, percent, and how many months of it are left. */
export function accumulateYear(rows: MacroRows): { readonly ytd: number; readonly months_left: number } | null {
  const newest = rows.at(-1);
  if (!newest) return null;
  const month = Number(newest[0].slice(5, 7));
  const year = lastMonths(rows, month);
  return year && { ytd: percent(growthOf(year)), months_left: 12 - month };
}

/**
 * The monthly change that brings a year from `ytd` to `goal` in so many months, percent; null when no month is left.
 */
export const requiredMonthly = (goal: number, ytd: number, months_left: number): number | null =>
  months_left === 0 ? null : percent(((1 + goal / 100) / (1 + ytd / 100)) ** (1 / months_left));

/** 12-month rates for every month that has 12 before it, oldest first. */
export const path12 = (rows: MacroRows): MacroRows =>
  rows.flatMap(([date], index): MacroRow[] => {
    const rate = accumulate12(rows.slice(0, index + 1));
    return rate === null ? [] : [[date, rate]];
  });

/** Months outside a band: in the run that ends at the newest, and in the longest run. */
export function countOutside(
  path: MacroRows,
  { low, high }: { readonly low: number; readonly high: number },
): { readonly now: number; readonly longest: number } {
  let [now, longest] = [0, 0];
  for (const [, rate] of path) {
    now = rate < low || rate > high ? now + 1 : 0;
    longest = Math.max(longest, now);
  }
  return { now, longest };
}

/** Change of a level against so many observations before, percent. */
export function changeOver(rows: MacroRows, count: number): number | null {
  const [newest, before] = [rows.at(-1), rows.at(-1 - count)];
  return newest && before && before[1] !== 0 ? percent(newest[1] / before[1]) : null;
}

/** Change of a level against the same month a year before, percent. */
export function changeOverYear(rows: MacroRows): number | null {
  const year = lastMonths(rows, 13);
  return year && changeOver(year, 12);
}

/** Mean of the last three months against that of the three before, percent. */
export function changeOfQuarters(rows: MacroRows): number | null {
  const months = lastMonths(rows, 6);
  if (!months) return null;
  const sum = (part: MacroRows): number => part.reduce((total, [, value]) => total + value, 0);
  return percent(sum(months.slice(3)) / sum(months.slice(0, 3)));
}

/** Sum of 12 months. */
export function sumYear(rows: MacroRows): number | null {
  const year = lastMonths(rows, 12);
  return year === null ? null : year.reduce((total, [, value]) => total + value, 0);
}

/** A rate per business day as one of a year of 252, both percent. */
export const annualiseDaily = (daily: number): number => percent((1 + daily / 100) ** 252);

/** Fisher: what a nominal rate is worth after inflation, percent. */
export const realRate = (nominal: number, inflation: number): number =>
  percent((1 + nominal / 100) / (1 + inflation / 100));

export interface MonthlyFactor {
  readonly name: string;
  readonly value: number;
  readonly weight: number;
  readonly contribution: number;
}

const clamp = (value: number): number => Math.max(-1, Math.min(1, value));

/** The inputs of the score; null where unknown. */
export interface PressureInputs {
  readonly ipca_12m: number | null;
  readonly ipca_3m_saar: number | null;
  readonly focus_12m: number | null;
  readonly ibc_3m3m: number | null;
  readonly usd_63d_pct: number | null;
}
const FACTORS_MIN = 4;

/**
 * Which way inflation and activity press on the policy rate, -100 (down) to 100 (up): this node's own heuristic, with
 * weights and scales as printed. Weights of unknown factors are shared out among the others; null below 4.
 */
export function getPressure(
  inputs: PressureInputs,
  target: number,
): { readonly pressure: number; readonly factors: readonly MonthlyFactor[] } | null {
  const known = (
    [
      ["inflation_gap", inputs.ipca_12m, (x: number) => (x - target) / 1.5, 0.3],
      ["momentum", inputs.ipca_3m_saar, (x: number) => (x - target) / 3, 0.2],
      ["expectations", inputs.focus_12m, (x: number) => (x - target) / 1.5, 0.2],
      ["activity", inputs.ibc_3m3m, (x: number) => x, 0.15],
      ["fx", inputs.usd_63d_pct, (x: number) => x / 10, 0.15],
    ] as const
  ).flatMap(([name, x, scale, weight]) => (x === null ? [] : [{ name, value: clamp(scale(x)), weight }]));
  if (known.length < FACTORS_MIN) return null;
  const total = known.reduce((sum, { weight }) => sum + weight, 0);
  const factors = known.map((factor) => {
    const weight = factor.weight / total;
    return { ...factor, weight, contribution: 100 * factor.value * weight };
  });
  return { pressure: factors.reduce((sum, { contribution }) => sum + contribution, 0), factors };
}
