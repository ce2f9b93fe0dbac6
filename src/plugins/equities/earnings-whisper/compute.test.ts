import { describe, expect, test } from "bun:test";
import { estimateNextReport, expectNext, getSUE, hourOf } from "../companies/earnings.ts";
import type { Filing } from "../providers/sec/submissions.ts";

const EPS = [1.2, 0.9, 1.05, 1.5, 1.3, 1, 1.1, 1.62, 1.41, 1.06, 1.22, 1.7];
const resultAt = (time: string): Filing => ({
  accession: time,
  form: "8-K",
  filed: time.slice(0, 10),
  period_end: "",
  accepted_ms: Date.parse(time),
  items: ["2.02", "9.01"],
  url: "https://www.sec.gov/Archives/x",
});
const APPLE = [
  "2026-04-30T20:30:41Z",
  "2026-01-29T21:30:33Z",
  "2025-10-30T20:30:35Z",
  "2025-07-31T20:30:25Z",
  "2025-05-01T20:30:21Z",
];

describe("what a company's own past lets one expect", () => {
  test("the published vector: drift, deviation, expectation, and the surprise of the last quarter", () => {
    const next = expectNext(EPS);
    expect(next?.drift).toBeCloseTo(0.0925, 10);
    expect(next?.sd).toBeCloseTo(0.0265921578, 9);
    expect(next?.expected).toBeCloseTo(1.5025, 10);
    const last = getSUE(EPS);
    expect(last?.expected).toBeCloseTo(1.7142857143, 9);
    expect(last?.sue).toBeCloseTo(-0.5065862197, 8);
    expect(expectNext(EPS.slice(0, 7))).toBeNull();
    expect(getSUE([1, 1, 1, 1, 1, 1, 1, 1, 1])?.sue).toBeNull();
  });

  test("16:30 in New York all year; the next report is the same weekday a year later", () => {
    expect(APPLE.map((time) => hourOf(Date.parse(time)))).toEqual(Array(5).fill("amc"));
    expect(estimateNextReport(APPLE.map(resultAt), "2026-05-15")).toMatchObject({ date: "2026-07-30", hour: "amc" });
    expect(estimateNextReport([], "2026-05-15")).toBeNull();
  });

  test("the canary: a quarter's surprise does not change with what came after it", () => {
    const before = getSUE(EPS.slice(0, 10));
    expect(getSUE([...EPS.slice(0, 10), 99].slice(0, 10))).toEqual(before);
  });
});
