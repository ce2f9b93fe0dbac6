import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { addCounts, type Counts, readJunit } from "./helpers/junit.ts";

/**
 * Everything CI runs, after the binary was built: style, types, unused code, staleness, then the tests. Closes with one
 * line "N passed, N failed, N skipped" over all of it.
 */
const ROOT = join(import.meta.dir, "..");
const REPORTS = join(ROOT, ".tmp", "reports");
const BUN = process.execPath;
const bin = (name: string) => join(ROOT, "node_modules", ".bin", name);
const started = performance.now();
const say = (text: string) =>
  console.error(`[${((performance.now() - started) / 1000).toFixed(0).padStart(3)}s] ${text}`);

let total: Counts = { passed: 0, failed: 0, skipped: 0 };
const one = (ok: boolean): Counts => ({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 });

async function run(command: readonly string[], env: Record<string, string> = {}): Promise<boolean> {
  const child = Bun.spawn([...command], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ["ignore", "inherit", "inherit"],
  });
  return (await child.exited) === 0;
}

async function check(name: string, command: readonly string[]): Promise<void> {
  say(name);
  const ok = await run(command);
  if (!ok) say(`FAILED: ${name}`);
  total = addCounts(total, one(ok));
}

async function suite(name: string, paths: readonly string[], options: readonly string[]): Promise<void> {
  say(`tests: ${name}`);
  const report = join(REPORTS, `${name}.xml`);
  const command = [BUN, "test", ...paths, "--reporter=junit", `--reporter-outfile=${report}`, "--dots", ...options];
  const ok = await run(command);
  if (!existsSync(report)) {
    say(`FAILED: ${name} left no report`);
    total = addCounts(total, one(false));
    return;
  }
  const counts = readJunit(report);
  say(`${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  total = addCounts(total, counts);
  // A crash of the runner itself may leave a report without a failure.
  if (!ok && counts.failed === 0) total = addCounts(total, one(false));
}

rmSync(REPORTS, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });
await check("style and lint", [bin("biome"), "ci", "--diagnostic-level=warn"]);
await check("types", [bin("tsc"), "-p", "src"]);
await check("unused files, exports and packages", [BUN, bin("knip"), "--no-progress"]);
await check("generated files are fresh", [BUN, "src/cli/gen.ts", "--check"]);
await suite("unit", ["src"], ["--timeout=60000", "--parallel=2"]);
await suite("whole", ["test"], ["--timeout=240000"]);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);
