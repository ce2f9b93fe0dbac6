import { readFileSync } from "node:fs";

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export const NO_COUNTS: Counts = { passed: 0, failed: 0, skipped: 0 };

export const addCounts = (a: Counts, b: Counts): Counts => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
});

/** "N passed, N failed", with the skipped ones when there are any. */
export const renderCounts = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;

function readTotals(report: string, name: string): Counts {
  const root = /<testsuites\b[^>]*>/.exec(report)?.[0];
  if (!root) throw new Error(`${name} is not a junit report`);
  const numberOf = (attribute: string): number | undefined => {
    const text = new RegExp(`\\s${attribute}="(\\d+)"`).exec(root)?.[1];
    return text === undefined ? undefined : Number(text);
  };
  const tests = numberOf("tests");
  const failures = numberOf("failures");
  if (tests === undefined || failures === undefined) throw new Error(`${name} has no totals`);
  const failed = failures + (numberOf("errors") ?? 0);
  const skipped = numberOf("skipped") ?? 0;
  return { passed: Math.max(0, tests - failed - skipped), failed, skipped };
}

const readEntities = (text: string): string =>
  text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

/** Files that should have run but left no trace: Bun drops a file that cannot be loaded from its report. */
function findAbsent(report: string, files: readonly string[]): readonly string[] {
  const present = new Set(
    [...report.matchAll(/<testsuite\b[^>]*\sfile="([^"]*)"/g)].map(([, file = ""]) => readEntities(file)),
  );
  return files.filter((file) => !present.has(file));
}

/**
 * Sums one report of `bun test --reporter=junit`. Each file of `files` (as Bun names them: relative to where it ran)
 * that the report does not know counts as one failure.
 * @throws Error when the file is missing or holds no totals.
 */
export function readJunit(
  path: string,
  files: readonly string[] = [],
): Counts & { readonly absent: readonly string[] } {
  const report = readFileSync(path, "utf8");
  const totals = readTotals(report, path);
  const absent = findAbsent(report, files);
  return { ...totals, failed: totals.failed + absent.length, absent };
}
