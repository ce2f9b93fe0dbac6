import { existsSync, readFileSync } from "node:fs";
import { XMLParser } from "fast-xml-parser";

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

/** A test that failed, or a file that could not be run. */
export interface Failure {
  /** The file, and the line of the test where it is known, as in "src/a.test.ts:12". */
  readonly at: string;
  /** The test with the names of those around it; "" for a whole file. */
  readonly name: string;
  /** The first line of the error. */
  readonly message: string;
}

/** What became of one file. */
export interface FileResult extends Counts {
  readonly took_ms: number;
  readonly failures: readonly Failure[];
}

type Node = Readonly<Record<string, unknown>>;

const LISTS: ReadonlySet<string> = new Set(["testsuite", "testcase"]);
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "",
  parseAttributeValue: false,
  // Lines end as "&#10;".
  htmlEntities: true,
  isArray: (name) => LISTS.has(name),
});
const childrenOf = (node: Node, name: string): readonly Node[] => (node[name] as readonly Node[] | undefined) ?? [];
const textOf = (node: Node, name: string): string => String(node[name] ?? "");

/** The first line of a text that says something. */
export const firstLine = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trim())
    .find((line) => line !== "") ?? "";

function readCases(suite: Node, names: readonly string[], add: (test: Node, names: readonly string[]) => void): void {
  for (const test of childrenOf(suite, "testcase")) add(test, names);
  for (const inner of childrenOf(suite, "testsuite")) readCases(inner, [...names, textOf(inner, "name")], add);
}

/**
 * Reads a report of `bun test --reporter=junit`.
 * @returns what became of each file, as Bun names it: relative to where it ran. A file that could not be loaded is
 *   absent: Bun leaves it out. Nothing where there is no report, as after a crash.
 */
export function readJunit(path: string): ReadonlyMap<string, FileResult> {
  const results = new Map<string, FileResult>();
  if (!existsSync(path)) return results;
  const report = parser.parse(readFileSync(path, "utf8")) as Node;
  for (const suite of childrenOf((report.testsuites ?? {}) as Node, "testsuite")) {
    const file = textOf(suite, "file");
    const failures: Failure[] = [];
    let tests = 0;
    let skipped = 0;
    readCases(suite, [], (test, names) => {
      tests += 1;
      if ("skipped" in test) skipped += 1;
      const failure = (test.failure ?? test.error) as Node | string | undefined;
      if (failure === undefined) return;
      const line = textOf(test, "line");
      failures.push({
        at: line === "" ? file : `${file}:${line}`,
        name: [...names, textOf(test, "name")].join(" > "),
        message: firstLine(typeof failure === "string" ? failure : textOf(failure, "message")),
      });
    });
    const failed = failures.length;
    const took_ms = Math.round(Number(textOf(suite, "time")) * 1000);
    results.set(file, { passed: tests - failed - skipped, failed, skipped, took_ms, failures });
  }
  return results;
}
