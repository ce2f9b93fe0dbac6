import { test } from "bun:test";
import { appendFileSync, readFileSync } from "node:fs";
import { type CollectedTest, collectTests, createTestRunner, type TestRunner } from "./harness.ts";
import type { Mutant } from "./mutants.ts";
import { clearReached, listReached, turnOn } from "./switch.ts";

/**
 * Loaded by `bun test` within the changed copy of the tree. First every test is run without a change, for what it
 * reaches and how long it takes; then each change is tried with the tests that reach it, the cheapest first, until one
 * fails. What it finds goes to a file line by line, so that a process that hangs or dies costs one change only.
 */
export interface SessionPlan {
  readonly root: string;
  readonly tests: readonly string[];
  readonly mutants: readonly Mutant[];
  /** Whether some changes are made while a module loads: what each test loads is told apart then. */
  readonly has_load: boolean;
  /** What is known of the tests from a session before; null to find it out. */
  readonly known: readonly KnownTest[] | null;
  readonly output: string;
}

/** A test without any change. */
export interface KnownTest {
  readonly file: string;
  readonly index: number;
  readonly title: string;
  readonly ms: number;
  readonly reached: readonly number[];
}

export type SessionLine =
  | { readonly kind: "test"; readonly test: KnownTest }
  | { readonly kind: "broken"; readonly file: string; readonly title: string; readonly reason: string }
  | { readonly kind: "known" }
  | { readonly kind: "begin"; readonly id: number }
  | { readonly kind: "end"; readonly id: number; readonly result: "killed" | "survived"; readonly by: string };

const plan = JSON.parse(readFileSync(process.env.MUTATE_PLAN ?? "", "utf8")) as SessionPlan;
const tell = (line: SessionLine): void => appendFileSync(plan.output, `${JSON.stringify(line)}\n`);

/** So often the process looks whether its test still works, ms. */
const TICK_MS = 100;
/** A test that waits for what never comes: in so many looks, less than this of processor time each. */
const IDLE_TICKS = 600;
const IDLE_US_PER_TICK = 500;
const stray: unknown[] = [];
process.on("unhandledRejection", (error) => stray.push(error));

const usedUs = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** A test that waits for ever fails. A busy machine slows work and looks alike, so that only idleness counts. */
async function withLimit(work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setInterval> | undefined;
  let [ticks, start_us] = [0, usedUs()];
  const limit = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      ticks += 1;
      if (ticks < IDLE_TICKS) return;
      if (usedUs() - start_us < IDLE_TICKS * IDLE_US_PER_TICK) reject(new Error("hangs"));
      [ticks, start_us] = [0, usedUs()];
    }, TICK_MS);
  });
  try {
    await Promise.race([work, limit]);
  } finally {
    clearInterval(timer);
  }
  const [error] = stray.splice(0);
  if (error !== undefined) throw error;
}

/** Whether modules are in memory that were loaded with a change. */
let is_spoiled = false;

/** A file's tests, read anew: what it opens at its top is opened again. `is_whole`: with all that it imports, too. */
async function load(file: string, is_whole: boolean): Promise<readonly CollectedTest[]> {
  const is_load = is_whole || is_spoiled;
  is_spoiled = false;
  for (const path of Object.keys(require.cache)) {
    const is_ours = path.startsWith(plan.root) && !/\/(?:node_modules|bench\/mutate)\//.test(path);
    if (path === file || (is_load && is_ours && !path.endsWith("/test/preload.ts"))) delete require.cache[path];
  }
  return collectTests(() => import(file));
}

/** Runs some of a file's tests until one fails. @returns what failed, or null. */
async function findFailure(
  tests: readonly CollectedTest[],
  note: (test: CollectedTest, error: unknown, ms: number) => boolean,
): Promise<void> {
  const runner: TestRunner = createTestRunner();
  for (const one of tests) {
    const start_ms = performance.now();
    const error = await withLimit(runner.run(one)).then(
      () => null,
      (thrown: unknown) => thrown ?? new Error("nothing"),
    );
    if (note(one, error, performance.now() - start_ms)) break;
  }
  await runner.end().catch(() => undefined);
}

/** Every test of a file, without any change. */
async function learn(file: string): Promise<readonly KnownTest[]> {
  const known: KnownTest[] = [];
  clearReached();
  const tests = await load(file, plan.has_load).catch((error: unknown): readonly CollectedTest[] => {
    tell({ kind: "broken", file, title: "all of it", reason: String(error).slice(0, 200) });
    return [];
  });
  const by_loading = listReached();
  clearReached();
  await findFailure(tests, (one, error, ms) => {
    const reached = [...new Set([...by_loading, ...listReached()])];
    clearReached();
    const title = one.title;
    if (error === null) known.push({ file, index: tests.indexOf(one), title, ms, reached });
    else tell({ kind: "broken", file, title, reason: String(error).slice(0, 200) });
    return false;
  });
  for (const one of known) tell({ kind: "test", test: one });
  return known;
}

/** Tests that were seen to pass on their own, between two changes. */
const sound = new Map<string, boolean>();

/** Whether these tests of a file pass without any change, as they were run. */
async function isSound(file: string, indexes: readonly number[]): Promise<boolean> {
  const key = `${file} ${indexes.join()}`;
  const before = sound.get(key);
  if (before !== undefined) return before;
  turnOn(0);
  let passes = true;
  const tests = await load(file, true);
  await findFailure(
    indexes.flatMap((index) => tests[index] ?? []),
    (_, error) => {
      passes &&= error === null;
      return error !== null;
    },
  );
  sound.set(key, passes);
  return passes;
}

/** @returns the test that fails with the change, or null. */
async function tryFile(mutant: Mutant, file: string, wanted: readonly KnownTest[]): Promise<string | null> {
  turnOn(mutant.id);
  let failed: CollectedTest | null = null;
  let tests: readonly CollectedTest[] = [];
  try {
    tests = await load(file, mutant.is_load);
    await findFailure(
      wanted.flatMap(({ index }) => tests[index] ?? []),
      (one, error) => {
        if (error !== null) failed = one;
        return error !== null;
      },
    );
  } catch (error) {
    if (mutant.is_load) return `${file}: ${String(error).slice(0, 100)}`;
    throw error;
  } finally {
    turnOn(0);
    is_spoiled = mutant.is_load;
  }
  if (failed === null) return null;
  const at = tests.indexOf(failed);
  const run = wanted.map(({ index }) => index).filter((index) => index <= at);
  return (await isSound(file, run)) ? `${file}: ${(failed as CollectedTest).title}` : null;
}

async function tryMutant(mutant: Mutant, known: readonly KnownTest[]): Promise<string | null> {
  const by_file = Map.groupBy(
    known.filter(({ reached }) => reached.includes(mutant.id)),
    ({ file }) => file,
  );
  const costOf = (tests: readonly KnownTest[]): number => tests.reduce((sum, { ms }) => sum + ms, 0);
  const files = [...by_file].toSorted(([, a], [, b]) => costOf(a) - costOf(b));
  for (const [file, tests] of files) {
    const by = await tryFile(mutant, file, tests);
    if (by !== null) return by;
  }
  return null;
}

test("changes", async () => {
  turnOn(0);
  const known: KnownTest[] = [...(plan.known ?? [])];
  if (plan.known === null) {
    for (const file of plan.tests) known.push(...(await learn(file)));
    tell({ kind: "known" });
  }
  for (const mutant of plan.mutants) {
    tell({ kind: "begin", id: mutant.id });
    const by = await tryMutant(mutant, known);
    tell({ kind: "end", id: mutant.id, result: by === null ? "survived" : "killed", by: by ?? "" });
  }
}, 86_400_000);
