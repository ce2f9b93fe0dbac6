import { readFileSync } from "node:fs";

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Sums the totals of a junit report. Throws when the file is missing or holds no totals. */
export function readJunit(file: string): Counts {
  const root = /<testsuites\b[^>]*>/.exec(readFileSync(file, "utf8"))?.[0];
  if (!root) throw new Error(`${file} is not a junit report`);
  const number = (name: string) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(root)?.[1] ?? Number.NaN);
  const tests = number("tests");
  const failures = number("failures") + (Number.isNaN(number("errors")) ? 0 : number("errors"));
  const skipped = Number.isNaN(number("skipped")) ? 0 : number("skipped");
  if (!(tests >= 0) || !(failures >= 0)) throw new Error(`${file} has no totals`);
  return { passed: tests - failures - skipped, failed: failures, skipped };
}

export const addCounts = (a: Counts, b: Counts): Counts => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
});
