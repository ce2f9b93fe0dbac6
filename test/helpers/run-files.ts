import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type FileResult, firstLine, readJunit } from "./junit.ts";

/** Test files that one process runs, one after another, sharing what they import. */
export interface Batch {
  readonly files: readonly string[];
  /** The longest that one test may take, ms. */
  readonly hang_ms: number;
  /** The longest that the process may take, ms: for what no limit of a test ends, such as an endless loop. */
  readonly watchdog_ms: number;
}

export interface BatchOptions {
  /** Where it runs: files are named relative to it. */
  readonly root: string;
  /** Where its report and its output are written. */
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface BatchResult {
  /** What became of each file that ran to its end or is to blame for the end of the process. */
  readonly results: ReadonlyMap<string, FileResult>;
  /** Files that did not run because another one ended the process: nothing is known of them. */
  readonly not_run: readonly string[];
  /** What each file printed, without the names of tests that passed. */
  readonly outputs: ReadonlyMap<string, string>;
}

/** Bun's line before what a file printed. */
const HEADING = /^((?:\S+\/)?\S+\.test\.tsx?):$/;
/** What is of no interest where all is well: tests that passed, and Bun's own sums. */
const OMITTED =
  /^\((?:pass|skip|todo)\) |^bun test v|^ *\d+ (?:pass|fail|skip|errors?|expect\(\) calls)$|^Ran \d+ tests? across /;
const BETWEEN_TESTS = "# Unhandled error between tests";
/** Lines that tell where a file hung. */
const LAST_LINES = 5;

const running = new Set<ChildProcess>();

/** Ends a process with all that it started. */
function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    // It ended by itself meanwhile.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Ends whatever still runs, for who is told to stop. */
export function killBatches(): void {
  for (const child of running) killGroup(child);
}

let started = 0;

interface Ended {
  readonly exit: "ok" | "failed" | "hung";
  readonly text: string;
  readonly report: string;
}

async function runProcess({ files, hang_ms, watchdog_ms }: Batch, options: BatchOptions): Promise<Ended> {
  started += 1;
  const report = join(options.folder, `${started}.xml`);
  const log = join(options.folder, `${started}.log`);
  const output = openSync(log, "w");
  const limit_ms = Math.round(hang_ms);
  // "./" makes them paths; a bare word would be a pattern that matches any path holding it.
  const paths = files.map((file) => `./${file}`);
  // The preload sets the limit of the first file alone.
  const options_of_bun = [`--timeout=${limit_ms}`, "--reporter=junit", `--reporter-outfile=${report}`];
  const child = spawn(process.execPath, ["test", ...paths, ...options_of_bun], {
    cwd: options.root,
    env: { ...process.env, ...options.env, TEST_HANG_MS: String(limit_ms) },
    stdio: ["ignore", output, output],
    // A group of its own, to be ended with all that it started.
    detached: true,
  });
  running.add(child);
  let hung = false;
  const watchdog = setTimeout(() => {
    hung = true;
    killGroup(child);
  }, watchdog_ms);
  const code = await new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(null));
    child.once("exit", resolve);
  });
  clearTimeout(watchdog);
  // Nothing that a test started outlives it.
  killGroup(child);
  running.delete(child);
  closeSync(output);
  return { exit: hung ? "hung" : code === 0 ? "ok" : "failed", text: readFileSync(log, "utf8"), report };
}

/** What was printed, by file; and the file in which something failed that no test stands for. */
function readOutput(text: string, files: readonly string[]) {
  const known = new Set(files);
  const lines = new Map<string, string[]>(files.map((file) => [file, []]));
  const unattributed = new Set<string>();
  let file = files[0] ?? "";
  for (const line of text.split("\n")) {
    const heading = HEADING.exec(line)?.[1];
    if (heading !== undefined && known.has(heading)) file = heading;
    else if (!OMITTED.test(line)) lines.get(file)?.push(line);
    if (line === BETWEEN_TESTS) unattributed.add(file);
  }
  return { lines, unattributed, last: file };
}

/** What the process took, by what its tests took: Bun's own report leaves out hooks and what is imported. */
function shareTime(results: Map<string, FileResult>, took_ms: number): void {
  const reported_ms = results.values().reduce((sum, result) => sum + result.took_ms, 0);
  for (const [file, result] of results) {
    const part = reported_ms > 0 ? result.took_ms / reported_ms : 1 / results.size;
    results.set(file, { ...result, took_ms: Math.round(took_ms * part) });
  }
}

/** Runs test files in a process of their own, and ends it when it hangs. */
export async function runBatch(batch: Batch, options: BatchOptions): Promise<BatchResult> {
  const began_ms = performance.now();
  const { exit, text, report } = await runProcess(batch, options);
  const results = new Map(readJunit(report));
  shareTime(results, performance.now() - began_ms);
  const { lines, unattributed, last } = readOutput(text, batch.files);
  const blame = (file: string, message: string) => {
    const known = results.get(file) ?? { passed: 0, failed: 0, skipped: 0, took_ms: 0, failures: [] };
    const failures = [...known.failures, { at: file, name: "", message }];
    results.set(file, { ...known, failed: known.failed + 1, failures });
  };
  const said = (file: string) => (lines.get(file) ?? []).filter((line) => line.trim() !== "");
  for (const file of unattributed) {
    const at = said(file).indexOf(BETWEEN_TESTS);
    blame(
      file,
      firstLine(
        said(file)
          .slice(at + 2)
          .join("\n"),
      ) || "an error between tests",
    );
  }
  if (exit === "hung" && !results.has(last)) {
    const where = text.trimEnd().split("\n").slice(-LAST_LINES).join(" | ");
    blame(last, `did not end within ${Math.round(batch.watchdog_ms / 1000)} s; it said last: ${where}`);
  }
  const has_failed = [...results.values()].some(({ failed }) => failed > 0);
  if (exit === "failed" && !has_failed) blame(last, "the process failed, and no test did");
  const not_run = batch.files.filter((file) => !results.has(file));
  // A process that ended as it should has left something out: a file without a test, or one that cannot be loaded.
  if (exit === "ok") for (const file of not_run.splice(0)) blame(file, "no test of it ran");
  const outputs = new Map([...lines].map(([file, list]) => [file, list.join("\n").trim()]));
  return { results, not_run, outputs };
}
