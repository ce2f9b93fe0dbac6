import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { runChecks, runCommand, say } from "./check.ts";
import { ALONE, dealFiles, TOGETHER } from "./helpers/deal-files.ts";
import { installPrograms } from "./helpers/debian-package.ts";
import { EFFORT, repeat } from "./helpers/effort.ts";
import { findChanged, noteFullRun } from "./helpers/full-run.ts";
import { addCounts, type Counts, type Failure, type FileResult, NO_COUNTS, renderCounts } from "./helpers/junit.ts";
import { measureSpeed } from "./helpers/machine-speed.ts";
import { type Batch, killBatches, runBatch } from "./helpers/run-files.ts";
import { findSecrets } from "./helpers/secrets.ts";

/**
 * Everything CI runs once the packages are installed and the binary is built: the checks, then the tests, then once
 * more and alone each file that failed beside others. Closes with what failed and "N passed, N failed" over all of it,
 * to which each check and the build count one.
 */
const ROOT = join(import.meta.dir, "..");
const TEMPORARY = join(ROOT, ".tmp");
const REPORTS = join(TEMPORARY, "reports");
const SECRETS = join(TEMPORARY, "secrets");
const PAST = join(TEMPORARY, "past");
const UNSTEADY_LOG = join(TEMPORARY, "unsteady.log");
/** How long files take on a quiet machine, ms: those of some seconds. Kept by hand, from what a run leaves in .tmp. */
const TIMINGS = join(ROOT, "test", "timings.json");
const MEASURED = join(TEMPORARY, "timings.json");
const BINARY = join(ROOT, "dist", process.platform === "win32" ? "intel-node.exe" : "intel-node");

/** What a file takes that is not among the timings, ms. */
const UNTIMED_MS = 1_000;
const NOTED_MS = 3_000;
/** A test hangs after ten times what its whole file takes on a quiet machine, and never before this. */
const HANG_FACTOR = 10;
const HANG_MS_LEAST = repeat({ quick: 300_000, full: 3_600_000, long: 14_400_000 });
/** More files than this fail by no accident: they are not run again. */
const AGAIN_MAX = 40;
/** More unsteady files than this are a fault of the suite. */
const UNSTEADY_MAX = 5;
/** The closing lines a reader of the end still sees. */
const FAILURES_SHOWN = 30;
const TOLD_EVERY_MS = 30_000;

interface Suite {
  readonly name: string;
  readonly belongs: (file: string) => boolean;
  /** Processes at the same time. */
  readonly parallel: number;
  /** Files that share a process, at most, and with it what they import: a third of the time of short ones. */
  readonly files_max: number;
  /** What takes longer has a process of its own, ms. */
  readonly file_ms_max: number;
  /** The longest that files of one process take together, ms. */
  readonly process_ms_max: number;
}

const UNIT: Suite = {
  name: "unit",
  belongs: (file) => file.startsWith("src/"),
  parallel: 2,
  files_max: 30,
  file_ms_max: 30_000,
  process_ms_max: 60_000,
};
const WHOLE: Suite = {
  name: "whole",
  belongs: (file) => file.startsWith("test/"),
  // Some wait for a facilitator that does not answer: three keep two cores busy.
  parallel: 3,
  files_max: 8,
  file_ms_max: 11_000,
  process_ms_max: 30_000,
};

const quiet = (JSON.parse(readFileSync(TIMINGS, "utf8")) as { files: Readonly<Record<string, number>> }).files;
const quietOf = (file: string): number => quiet[file] ?? UNTIMED_MS;
const sumOf = (files: readonly string[]): number => files.reduce((sum, file) => sum + quietOf(file), 0);

/** How slow the machine was when it was slowest: 1 is the reference, 2 takes twice as long. */
let slowness = 1;
function measure(): void {
  const speed = measureSpeed();
  slowness = Math.max(slowness, 1 / speed);
  say(`this machine: ${speed.toFixed(2)} of the reference`);
}

function createBatch(files: readonly string[]): Batch {
  const slowest_ms = Math.max(...files.map(quietOf));
  const hang_ms = Math.max(HANG_MS_LEAST, slowest_ms * HANG_FACTOR) * slowness;
  return { files, hang_ms, watchdog_ms: hang_ms + sumOf(files) * HANG_FACTOR * slowness };
}

interface SuiteResult {
  readonly results: Map<string, FileResult>;
  /** Files that another one kept from running. */
  readonly not_run: string[];
}

/** Shows what files printed that failed, and what others have to say. */
function show(outputs: ReadonlyMap<string, string>, results: ReadonlyMap<string, FileResult>): void {
  for (const [file, text] of outputs) {
    if ((results.get(file)?.failed ?? 1) > 0) console.error(`\n${file}:\n${text}\n`);
    else for (const line of text.split("\n")) if (line.startsWith("NOT CHECKED")) console.error(line);
  }
}

async function runSuite(suite: Suite, files: readonly string[], env: Record<string, string>): Promise<SuiteResult> {
  const queue = [...dealFiles(files, { ...suite, quietOf, alone: ALONE, together: TOGETHER })];
  const results = new Map<string, FileResult>();
  const not_run: string[] = [];
  let told_ms = performance.now();
  const tell = () => {
    const failed = [...results.values()].filter((result) => result.failed > 0).length;
    say(`${suite.name}: ${results.size} of ${files.length} files${failed > 0 ? `, ${failed} failed` : ""}`);
    told_ms = performance.now();
  };
  const runNext = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const ended = await runBatch(createBatch(next), { root: ROOT, folder: REPORTS, env });
      for (const [file, result] of ended.results) results.set(file, result);
      not_run.push(...ended.not_run);
      show(ended.outputs, ended.results);
      if (performance.now() - told_ms > TOLD_EVERY_MS) tell();
    }
  };
  await Promise.all(Array.from({ length: suite.parallel }, runNext));
  tell();
  return { results, not_run };
}

interface Unsteady {
  readonly file: string;
  readonly first: Failure;
}

/** Runs each file once more that failed or did not run, alone, and counts it by that. Returns those that pass now. */
async function runAgain({ results, not_run }: SuiteResult, env: Record<string, string>): Promise<readonly Unsteady[]> {
  const failed = [...results].filter(([, result]) => result.failed > 0);
  if (failed.length > AGAIN_MAX) {
    say(`${failed.length} files failed: too many for an accident, none is run again`);
    for (const file of not_run) results.set(file, failedFile(file, "did not run"));
    return [];
  }
  if (failed.length + not_run.length > 0) measure();
  const unsteady: Unsteady[] = [];
  const before = new Map(failed);
  for (const file of [...before.keys(), ...not_run]) {
    say(`once more, alone: ${file}`);
    const ended = await runBatch(createBatch([file]), { root: ROOT, folder: REPORTS, env });
    show(ended.outputs, ended.results);
    const result = ended.results.get(file) ?? failedFile(file, "did not run");
    results.set(file, result);
    const first = before.get(file)?.failures[0];
    if (first !== undefined && result.failed === 0) unsteady.push({ file, first });
  }
  return unsteady;
}

const failedFile = (file: string, message: string): FileResult => ({
  passed: 0,
  failed: 1,
  skipped: 0,
  took_ms: 0,
  failures: [{ at: file, name: "", message }],
});

function noteUnsteady(unsteady: readonly Unsteady[]): void {
  for (const { first } of unsteady) {
    const line = [new Date().toISOString(), first.at, first.name, first.message].join("\t");
    appendFileSync(UNSTEADY_LOG, `${line}\n`);
  }
}

/** What files of some seconds took, for who brings test/timings.json up to date after a quiet run. */
function noteTimings(results: ReadonlyMap<string, FileResult>): void {
  const slow = [...results].filter(([, { took_ms }]) => took_ms >= NOTED_MS).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const timed = Object.fromEntries(slow.map(([file, { took_ms }]) => [file, took_ms]));
  writeFileSync(MEASURED, `${JSON.stringify({ version: 1, files: timed }, null, 2)}\n`);
}

/** Nothing that any test used as a secret may stand in anything a node printed during all of them. */
function findLeaks(): FileResult {
  const { secrets, hits } = findSecrets(SECRETS);
  say(`secrets: ${secrets} searched for in everything the nodes printed, ${hits.length} outputs hold one`);
  if (secrets === 0) return failedFile("secrets", "no test noted a secret");
  if (hits.length > 0) return failedFile("secrets", `a secret stands in ${hits.join(", ")}`);
  return { ...NO_COUNTS, passed: 1, took_ms: 0, failures: [] };
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

const renderFailure = ({ at, name, message }: Failure): string =>
  `${at}${name === "" ? "" : ` "${name}"`}: ${message}`.slice(0, 300);

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    killBatches();
    process.exit(130);
  });
}
for (const folder of [REPORTS, SECRETS, PAST]) rmSync(folder, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });
measure();
const files = [...new Glob("{src,test}/**/*.test.ts").scanSync(ROOT)].map((file) => file.replaceAll("\\", "/")).sort();
const env = { TEST_BINARY: BINARY, TEST_SECRETS: SECRETS };
// Checks and unit tests need neither the programs nor the past, and leave cores for them.
const installing = installPrograms();
const living = preparePast();
let total: Counts = NO_COUNTS;
const failures: Failure[] = [];
const count = (result: FileResult) => {
  total = addCounts(total, result);
  failures.push(...result.failures);
};
count(
  existsSync(BINARY)
    ? { ...NO_COUNTS, passed: 1, took_ms: 0, failures: [] }
    : failedFile("build", "no dist/intel-node"),
);
const checked = await runChecks();
total = addCounts(total, checked.counts);
for (const name of checked.failed) failures.push({ at: name, name: "", message: "failed; its output stands above" });

const unit = await runSuite(UNIT, files.filter(UNIT.belongs), env);
const equipped = { ...env, ...(await living) };
await installing;
measure();
const whole = await runSuite(WHOLE, files.filter(WHOLE.belongs), equipped);
const all: SuiteResult = {
  results: new Map([...unit.results, ...whole.results]),
  not_run: [...unit.not_run, ...whole.not_run],
};
const unsteady = await runAgain(all, equipped);
noteUnsteady(unsteady);
noteTimings(all.results);
for (const result of all.results.values()) count(result);
if (unsteady.length > UNSTEADY_MAX) count(failedFile("unsteady", `${unsteady.length} files passed only alone`));
count(findLeaks());
rmSync(SECRETS, { recursive: true, force: true });
rmSync(PAST, { recursive: true, force: true });

if (EFFORT !== "quick" && total.failed === 0) say(noteFullRun(ROOT));
const stale = EFFORT === "quick" ? findChanged(ROOT) : null;
for (const failure of failures.slice(0, FAILURES_SHOWN)) console.log(`FAILED ${renderFailure(failure)}`);
if (failures.length > FAILURES_SHOWN) console.log(`and ${failures.length - FAILURES_SHOWN} more`);
for (const { first } of unsteady) console.log(`unsteady, passed alone: ${renderFailure(first)}`);
if (stale !== null) console.log(`${stale}: ./build.sh test:full runs every count`);
console.log(renderCounts(total));
process.exit(total.failed === 0 ? 0 : 1);
