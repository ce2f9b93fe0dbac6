import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { runChecks, runCommand, say } from "./check.ts";
import { installPrograms } from "./helpers/debian-package.ts";
import { findChanged, noteFullRun } from "./helpers/full-run.ts";
import { addCounts, type Counts, NO_COUNTS, readJunit, renderCounts } from "./helpers/junit.ts";
import { findSecrets } from "./helpers/secrets.ts";

/**
 * Everything CI runs once the packages are installed and the binary is built: the checks, then the tests. Closes with
 * "N passed, N failed" over all of it, to which each check and the build count one.
 */
const ROOT = join(import.meta.dir, "..");
const REPORTS = join(ROOT, ".tmp", "reports");
const SECRETS = join(ROOT, ".tmp", "secrets");
/** How long files took, ms: those of some seconds. Order is all it is good for. */
const TIMINGS = join(ROOT, "test", "timings.json");
const PAST = join(ROOT, ".tmp", "past");
const BINARY = join(ROOT, "dist", process.platform === "win32" ? "intel-node.exe" : "intel-node");
const FAILED: Counts = { passed: 0, failed: 1, skipped: 0 };

interface Suite {
  readonly name: string;
  readonly belongs: (file: string) => boolean;
  readonly timeout_s: number;
  /** Files that run at the same time. */
  readonly parallel: number;
  /** Whether files share what they import, which saves a third of the time where a test takes milliseconds. */
  readonly shares_modules?: boolean;
  /** Whether it starts when the programs that tests look for are installed, and a demo's past was lived. */
  readonly is_equipped?: boolean;
}

const SUITES: readonly Suite[] = [
  { name: "unit", belongs: (file) => file.startsWith("src/"), timeout_s: 60, parallel: 2, shares_modules: true },
  // Some wait for a facilitator that does not answer: three keep two cores busy. One suite has one end, at which cores
  // have nothing left to do.
  { name: "whole", belongs: (file) => file.startsWith("test/"), timeout_s: 300, parallel: 3, is_equipped: true },
];

async function runSuite(
  { name, belongs, timeout_s, parallel, shares_modules, is_equipped }: Suite,
  all: readonly string[],
): Promise<Counts> {
  const files = all.filter(belongs);
  if (files.length === 0) return NO_COUNTS;
  const past = is_equipped ? (await Promise.all([living, installing]))[0] : {};
  say(`tests: ${name}, ${files.length} files`);
  const report = join(REPORTS, `${name}.xml`);
  const options = ["--dots", `--timeout=${timeout_s * 1000}`, "--reporter=junit", `--reporter-outfile=${report}`];
  // The slowest files begin first, or one of them ends alone.
  if (parallel > 1) options.push(`--parallel=${parallel}`, `--timings=${TIMINGS}`);
  if (shares_modules) options.push("--no-isolate");
  // "./" makes them paths; a bare word would be a pattern that matches any path holding it.
  const command = [process.execPath, "test", ...files.map((file) => `./${file}`), ...options];
  const ok = await runCommand(command, { TEST_BINARY: BINARY, TEST_SECRETS: SECRETS, ...past });
  if (!existsSync(report)) {
    say(`FAILED: ${name} left no report`);
    return FAILED;
  }
  const counts = readJunit(report, files);
  for (const file of counts.absent) say(`FAILED: ${file} did not run`);
  say(`${name}: ${renderCounts(counts)}`);
  // The runner may fail for a reason no test stands for, such as a crash or an error between tests.
  return ok || counts.failed > 0 ? counts : addCounts(counts, FAILED);
}

/** Nothing that any test used as a secret may stand in anything a node printed during all of them. */
function countSecrets(): Counts {
  const { secrets, hits } = findSecrets(SECRETS);
  say(`secrets: ${secrets} searched for in everything the nodes printed, ${hits.length} outputs hold one`);
  for (const hit of hits) say(`FAILED: a secret in ${hit}`);
  return secrets > 0 && hits.length === 0 ? { passed: 1, failed: 0, skipped: 0 } : FAILED;
}

/** A demo's past costs many seconds: lived once, every test that needs one starts from a copy. */
async function preparePast(): Promise<Record<string, string>> {
  mkdirSync(PAST, { recursive: true });
  const ok = await runCommand([process.execPath, join(ROOT, "test/helpers/prepare-past.ts"), PAST], {
    TEST_BINARY: BINARY,
    TEST_SECRETS: SECRETS,
  });
  say(ok ? "a demo's past was lived" : "no demo's past could be lived: each test lives its own");
  return ok ? { TEST_PAST: PAST } : {};
}

function countBuild(): Counts {
  if (existsSync(BINARY)) return { passed: 1, failed: 0, skipped: 0 };
  say("FAILED: dist/intel-node was not built");
  return FAILED;
}

const changed = findChanged(ROOT);
if (changed && !process.env.TEST_LONG) {
  say(`${changed}: their tests take full counts`);
  process.env.TEST_FULL = "1";
}
rmSync(REPORTS, { recursive: true, force: true });
rmSync(SECRETS, { recursive: true, force: true });
rmSync(PAST, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });
const files = [...new Glob("{src,test}/**/*.test.ts").scanSync(ROOT)].map((file) => file.replaceAll("\\", "/")).sort();
// Checks and unit tests need neither the programs nor the past, and leave cores for them.
const installing = installPrograms();
const living = preparePast();
let total = addCounts(countBuild(), await runChecks());
for (const suite of SUITES) total = addCounts(total, await runSuite(suite, files));
total = addCounts(total, countSecrets());
rmSync(SECRETS, { recursive: true, force: true });
rmSync(PAST, { recursive: true, force: true });
if (total.failed === 0 && (process.env.TEST_FULL || process.env.TEST_LONG)) say(noteFullRun(ROOT));
console.log(renderCounts(total));
process.exit(total.failed === 0 ? 0 : 1);
