import { addDays, daysBetween, toLocal } from "intel-node";
import { mean, sampleStandardDeviation } from "simple-statistics";
import type { Filing } from "../providers/sec/submissions.ts";

export type Hour = "bmo" | "amc" | "during";

/** What is expected of a quarter, in the unit of the values. */
export interface EarningsExpectation {
  readonly expected: number;
  readonly drift: number;
  readonly sd: number;
  readonly n: number;
}

const [SEASONS, DIFFERENCES, DIFFERENCES_MIN] = [4, 8, 4];

/**
 * A seasonal random walk with drift: the value of four quarters before + the mean of the last 8 seasonal differences,
 * and their sample standard deviation (Foster, Olsen and Shevlin, Accounting Review 59, 1984). Null below 4 of them.
 * @param values quarters in a row, oldest first; the expectation is of the one after the last.
 */
export function expectNext(values: readonly number[]): EarningsExpectation | null {
  const differences = values.slice(SEASONS).map((value, index) => value - (values[index] ?? Number.NaN));
  const used = differences.slice(-DIFFERENCES);
  const base = values.at(-SEASONS);
  if (used.length < DIFFERENCES_MIN || base === undefined) return null;
  const drift = mean(used);
  return { expected: base + drift, drift, sd: sampleStandardDeviation(used), n: used.length };
}

/** Standardised unexpected earnings of the last value: how far off what was expected before it, in its deviations. */
export function getSUE(values: readonly number[]): { readonly expected: number; readonly sue: number | null } | null {
  const actual = values.at(-1);
  const before = expectNext(values.slice(0, -1));
  if (actual === undefined || !before) return null;
  return { expected: before.expected, sue: before.sd > 0 ? (actual - before.expected) / before.sd : null };
}

/** Before the market opens, after it closes, or while it trades, by New York's clocks. */
export function hourOf(accepted_ms: number): Hour {
  const { time } = toLocal("America/New_York", accepted_ms);
  return time < "09:30" ? "bmo" : time >= "16:00" ? "amc" : "during";
}

/** 8-Ks with results, newest first. */
export const listResults = (filings: readonly Filing[]): readonly Filing[] =>
  filings.filter(({ form, items }) => form === "8-K" && items.includes("2.02"));

export interface NextReport {
  readonly date: string;
  readonly earliest: string;
  readonly latest: string;
  readonly hour: Hour;
}

/** 52 weeks: the same weekday a year later. */
const YEAR_DAYS = 364;
const [SAME_QUARTER_DAYS, YEARS_BACK, HOURS_USED, APART_DAYS] = [25, 3, 8, 45];

/**
 * When results come next: those of the same quarter last year + 364 days, with the range of the same rule over three
 * years, and the usual hour of the last 8. Null without results of a year ago.
 */
export function estimateNextReport(filings: readonly Filing[], today: string): NextReport | null {
  const results = listResults(filings);
  const days = results.map(({ accepted_ms }) => toLocal("America/New_York", accepted_ms).date);
  const last = days[0];
  if (last === undefined) return null;
  const candidates = days.map((day) => addDays(day, YEAR_DAYS)).filter((day) => daysBetween(last, day) > APART_DAYS);
  const date = candidates.toSorted().find((day) => day >= today) ?? null;
  if (date === null) return null;
  const range = Array.from({ length: YEARS_BACK }, (_, index) => (index + 1) * YEAR_DAYS).flatMap((back) => {
    const wanted = addDays(date, -back);
    const near = days.find((day) => Math.abs(daysBetween(wanted, day)) <= SAME_QUARTER_DAYS);
    return near ? [addDays(near, back)] : [];
  });
  const hours = Map.groupBy(results.slice(0, HOURS_USED), ({ accepted_ms }) => hourOf(accepted_ms));
  const [usual] = [...hours].toSorted(([, a], [, b]) => b.length - a.length);
  const sorted = range.toSorted();
  return { date, earliest: sorted[0] ?? date, latest: sorted.at(-1) ?? date, hour: usual?.[0] ?? "amc" };
}
