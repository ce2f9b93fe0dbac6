import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "./hang-limit.ts";
import { runBatch } from "./run-files.ts";

const root = mkdtempSync(join(tmpdir(), "intel-node-run-"));
const folder = join(root, "reports");
mkdirSync(folder);
afterAll(() => rmSync(root, { recursive: true, force: true }));

const TEST = 'import { test } from "bun:test"; test';
function write(name: string, text: string): string {
  writeFileSync(join(root, name), text);
  return name;
}
const good = write("good.test.ts", `${TEST}("a", () => console.log("said"));`);
const run = (files: readonly string[], watchdog_ms = 300_000) =>
  runBatch({ files, hang_ms: 60_000, watchdog_ms }, { root, folder });

test("each file has its result, its failures and what it printed", async () => {
  const bad = write("bad.test.ts", `${TEST}("b", () => { throw new Error("no"); });`);
  const { results, not_run, outputs } = await run([bad, good]);
  expect(results.get(good)).toMatchObject({ passed: 1, failed: 0 });
  expect(results.get(bad)).toMatchObject({ failed: 1, failures: [{ at: `${bad}:1`, name: "b", message: "no" }] });
  expect(not_run).toEqual([]);
  expect(outputs.get(good)).toBe("said");
  expect(outputs.get(bad)).toContain("(fail) b");
});

test("a file that cannot be loaded has failed, and its neighbours have not", async () => {
  const broken = write("broken.test.ts", 'import "./nowhere.ts";');
  const { results } = await run([broken, good]);
  expect(results.get(broken)).toMatchObject({ failed: 1 });
  expect(results.get(good)).toMatchObject({ passed: 1, failed: 0 });
});

test("a file without a test has failed", async () => {
  const empty = write("empty.test.ts", "export {};");
  expect((await run([empty])).results.get(empty)).toMatchObject({ failed: 1 });
});

test("a file that ends the process is to blame for it; what came after it is not", async () => {
  const crash = write("crash.test.ts", `${TEST}("c", () => process.kill(process.pid, "SIGKILL"));`);
  const { results, not_run } = await run([crash, good]);
  expect(results.get(crash)).toMatchObject({ failed: 1 });
  expect(not_run).toEqual([good]);
});

test("an endless loop is ended with all that it started, and told with the last that was said", async () => {
  const child = 'Bun.spawn(["sleep", "3600"], { stdio: ["ignore", "ignore", "ignore"] }).pid';
  const hang = write("hang.test.ts", `${TEST}("d", () => { console.log("pid", ${child}); for (;;); });`);
  const { results, not_run, outputs } = await run([hang, good], 5_000);
  expect(results.get(hang)?.failures[0]?.message).toContain("did not end within 5 s; it said last: ");
  expect(not_run).toEqual([good]);
  const pid = Number(/pid (\d+)/.exec(outputs.get(hang) ?? "")?.[1]);
  expect(pid).toBeGreaterThan(0);
  await until(() => !isAlive(pid), "the end of what it started");
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
