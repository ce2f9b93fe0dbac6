import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addCounts, readJunit, renderCounts } from "./junit.ts";

const folder = mkdtempSync(join(tmpdir(), "intel-node-junit-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SOME = `import { describe, expect, test } from "bun:test";
test("a <&>", () => {});
test.skip("b", () => {});
describe("of c", () => {
  test("c", () => { throw new Error("first\\nsecond"); });
});
`;

test("Bun's own report is understood; a file that cannot be loaded is absent from it", async () => {
  writeFileSync(join(folder, "some.test.ts"), SOME);
  writeFileSync(
    join(folder, "hook.test.ts"),
    'import { beforeAll, test } from "bun:test"; beforeAll(() => { throw 1; }); test("a", () => {});',
  );
  writeFileSync(join(folder, "broken.test.ts"), 'import "./nowhere.ts";');
  const report = join(folder, "bun.xml");
  const options = ["--reporter=junit", `--reporter-outfile=${report}`];
  const child = Bun.spawn([process.execPath, "test", "./", ...options], {
    cwd: folder,
    stdio: ["ignore", "ignore", "ignore"],
  });
  expect(await child.exited).not.toBe(0);
  const results = readJunit(report);
  expect([...results.keys()].sort()).toEqual(["hook.test.ts", "some.test.ts"]);
  expect(results.get("some.test.ts")).toMatchObject({
    passed: 1,
    failed: 1,
    skipped: 1,
    failures: [{ at: "some.test.ts:5", name: "of c > c", message: "first" }],
  });
  expect(results.get("hook.test.ts")).toMatchObject({ passed: 0, failed: 1 });
});

test("no report, no results", () => {
  expect(readJunit(join(folder, "none.xml")).size).toBe(0);
});

test("counts are added, and rendered as the closing line", () => {
  const sum = addCounts({ passed: 1, failed: 0, skipped: 0 }, { passed: 2, failed: 3, skipped: 0 });
  expect(renderCounts(sum)).toBe("3 passed, 3 failed");
  expect(renderCounts({ ...sum, skipped: 4 })).toBe("3 passed, 3 failed, 4 skipped");
});
