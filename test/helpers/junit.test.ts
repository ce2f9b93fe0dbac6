import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addCounts, readJunit, renderCounts } from "./junit.ts";

const folder = mkdtempSync(join(tmpdir(), "intel-node-junit-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let written = 0;
function writeReport(text: string): string {
  const path = join(folder, `${written++}.xml`);
  writeFileSync(path, text);
  return path;
}

const SUITES = '<testsuite name="a" file="src/a.test.ts" tests="9" failures="9"></testsuite>';

describe("a report", () => {
  test("is counted by its totals, not by those of its suites", () => {
    const path = writeReport(
      `<?xml?><testsuites tests="6" assertions="50" failures="1" skipped="2">${SUITES}</testsuites>`,
    );
    expect(readJunit(path)).toEqual({ passed: 3, failed: 1, skipped: 2, absent: [] });
  });

  test("that knows errors counts them as failures", () => {
    expect(readJunit(writeReport('<testsuites tests="6" failures="1" errors="2">')).failed).toBe(3);
  });

  test("without a file that should have run has one failure more", () => {
    const path = writeReport(`<testsuites tests="2" failures="0">${SUITES}</testsuites>`);
    const counts = readJunit(path, ["src/a.test.ts", "src/b.test.ts"]);
    expect(counts).toEqual({ passed: 2, failed: 1, skipped: 0, absent: ["src/b.test.ts"] });
  });

  test.each([
    ["that is missing", join(folder, "none.xml")],
    ["that is empty", writeReport("")],
    ["without totals", writeReport("<testsuites>")],
    ["that is something else", writeReport("<html></html>")],
  ])("%s is refused", (_, path) => {
    expect(() => readJunit(path)).toThrow();
  });
});

test("Bun's own report is understood, a file that cannot be loaded included", async () => {
  writeFileSync(
    join(folder, "some.test.ts"),
    'import { test } from "bun:test"; test("a", () => {}); test.skip("b", () => {}); test("c", () => { throw 1; });',
  );
  writeFileSync(join(folder, "broken.test.ts"), 'import "./nowhere.ts";');
  const report = join(folder, "bun.xml");
  const options = ["--reporter=junit", `--reporter-outfile=${report}`];
  const child = Bun.spawn([process.execPath, "test", "./", ...options], {
    cwd: folder,
    stdio: ["ignore", "ignore", "ignore"],
  });
  expect(await child.exited).not.toBe(0);
  const counts = readJunit(report, ["some.test.ts", "broken.test.ts"]);
  expect(counts).toEqual({ passed: 1, failed: 2, skipped: 1, absent: ["broken.test.ts"] });
});

test("counts are added, and rendered as the closing line", () => {
  const sum = addCounts({ passed: 1, failed: 0, skipped: 0 }, { passed: 2, failed: 3, skipped: 0 });
  expect(renderCounts(sum)).toBe("3 passed, 3 failed");
  expect(renderCounts({ ...sum, skipped: 4 })).toBe("3 passed, 3 failed, 4 skipped");
});
