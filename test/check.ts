import { join } from "node:path";
import { addCounts, type Counts, NO_COUNTS, renderCounts } from "./helpers/junit.ts";

/**
 * `bun run check`: style, types, unused code and generated files. Each check is one script of package.json and counts
 * as one test. The house rules are tests of their own (test/tidy.test.ts and its neighbours).
 */
const ROOT = join(import.meta.dir, "..");
const TYPES = "check:types";
const CHECKS = ["check:style", "check:unused", "check:generated"] as const;

const started_ms = performance.now();

/** One line on standard error with the seconds since this process started. */
export function say(text: string): void {
  const elapsed_s = Math.floor((performance.now() - started_ms) / 1000);
  console.error(`[${String(elapsed_s).padStart(3)}s] ${text}`);
}

/** Runs a command in the project folder, output passed through. False when it failed. */
export async function runCommand(command: readonly string[], env: Record<string, string> = {}): Promise<boolean> {
  const child = Bun.spawn([...command], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ["ignore", "inherit", "inherit"],
  });
  return (await child.exited) === 0;
}

/** Runs every check, also after one has failed. */
export async function runChecks(): Promise<{ readonly counts: Counts; readonly failed: readonly string[] }> {
  const failed: string[] = [];
  // The tools' programs ask for Node; Bun stands in where there is none.
  const runtime = Bun.which("node") === null ? ["--bun"] : [];
  const run = async (name: string): Promise<Counts> => {
    say(name);
    const ok = await runCommand([process.execPath, "run", ...runtime, "--silent", name]);
    if (!ok) {
      say(`FAILED: ${name}`);
      failed.push(name);
    }
    return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 };
  };
  // The types take one core as long as all the others take the other one.
  const types = run(TYPES);
  let total = NO_COUNTS;
  for (const name of CHECKS) total = addCounts(total, await run(name));
  return { counts: addCounts(total, await types), failed };
}

if (import.meta.main) {
  const { counts } = await runChecks();
  console.log(renderCounts(counts));
  process.exit(counts.failed === 0 ? 0 : 1);
}
