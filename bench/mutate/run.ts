import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { Glob } from "bun";
import { instrument } from "./instrument.ts";
import { listMutants, type Mutant } from "./mutants.ts";
import { describeScore } from "./score.ts";
import type { SessionLine, SessionPlan } from "./session.ts";
import { listTests } from "./test-files.ts";

/**
 * `bun run mutate -- FOLDER [--count 200] [--seed 1] [--only 3,17] [--tests PART] [--work DIR]`: changes a random
 * sample of the places of a folder's code, one at a time, runs the tests that reach each, and lists the changes that no
 * test noticed. The tree stays as it is: all happens in a copy in `--work`, which keeps what is known of the tests.
 */
const ROOT = join(import.meta.dir, "../..");
/** Processor seconds after which a change hangs: its tests take a small part of that. */
const CPU_S_MAX = 90;
const LOOK_MS = 500;
const TICKS_PER_S = 100;
const PARTS = ["src", "test", "bench", "docs/examples", "package.json", "bunfig.toml"];

const { values, positionals } = parseArgs({
  options: {
    count: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    tests: { type: "string", default: "" },
    work: { type: "string" },
  },
  allowPositionals: true,
});
const [folder = "src/payments/gate"] = positionals;
const work = values.work ?? join(tmpdir(), `mutate-${process.pid}`);
const copy = join(work, "tree");

/** The sample, in the order it was drawn: the same for a seed as long as the files are. */
function draw(): { readonly all: number; readonly drawn: readonly Mutant[] } {
  const files = [...new Glob(`${folder}/**/*.ts`).scanSync(ROOT)].filter((file) => !file.endsWith(".test.ts")).sort();
  const all = files.flatMap((file) => listMutants(file, readFileSync(join(ROOT, file), "utf8")));
  const keyed = all.map((mutant, index) => ({ mutant, key: Bun.hash.xxHash32(`${values.seed} ${index}`) }));
  const drawn = keyed.toSorted((a, b) => a.key - b.key).slice(0, Number(values.count));
  return { all: all.length, drawn: drawn.map(({ mutant }, index) => ({ ...mutant, id: index + 1 })) };
}

/** A copy of the tree with every drawn change behind its switch, and our own runner for "bun:test". */
async function copyTree(drawn: readonly Mutant[]): Promise<void> {
  rmSync(copy, { recursive: true, force: true });
  for (const part of PARTS) {
    mkdirSync(dirname(join(copy, part)), { recursive: true });
    await Bun.$`cp -r ${join(ROOT, part)} ${join(copy, part)}`;
  }
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  const harness = JSON.stringify(join(copy, "bench/mutate/harness.ts"));
  for (const file of new Glob("{src,test}/**/*.ts").scanSync(copy)) {
    if (file === "test/preload.ts") continue;
    const path = join(copy, file);
    const text = readFileSync(path, "utf8");
    if (text.includes('from "bun:test"')) writeFileSync(path, text.replace('from "bun:test"', `from ${harness}`));
  }
  for (const [file, mutants] of Map.groupBy(drawn, (mutant) => mutant.file)) {
    const text = readFileSync(join(ROOT, file), "utf8");
    writeFileSync(join(copy, file), instrument(text, mutants, join(copy, "bench/mutate/switch.ts")));
  }
}

/** Runs sessions until every change has its result: each that hangs or ends a process costs one session. */
async function runSessions(drawn: readonly Mutant[], wanted: readonly Mutant[]): Promise<readonly SessionLine[]> {
  const known_file = join(work, "known.jsonl");
  const has_load = drawn.some(({ is_load }) => is_load);
  const output = join(work, "results.jsonl");
  if (!existsSync(known_file)) {
    const tests = listTests(ROOT, folder).filter((file) => file.includes(values.tests));
    const plan = { tests, mutants: [], has_load, known: null, output: `${known_file}.part` };
    rmSync(plan.output, { force: true });
    if (!(await runSession(plan, drawn.length))) throw new Error(`the tests do not run: see ${work}/session.log`);
    renameSync(plan.output, known_file);
  }
  const lines = readLines(known_file);
  for (const line of lines)
    if (line.kind === "broken") console.log(`left out: ${line.file} ${line.title}: ${line.reason}`);
  const known = lines.flatMap((line) => (line.kind === "test" ? [line.test] : []));
  for (;;) {
    const ended = new Set(readLines(output).flatMap((line) => (line.kind === "end" ? [line.id] : [])));
    const mutants = wanted.filter(({ id }) => !ended.has(id));
    if (mutants.length === 0) return readLines(output);
    if (await runSession({ tests: [], mutants, has_load, known, output }, drawn.length)) continue;
    const begun = readLines(output).findLast((line) => line.kind === "begin");
    if (begun === undefined) throw new Error("no session begins");
    const by = "the process ended, or took too long";
    appendFileSync(output, `${JSON.stringify({ kind: "end", id: begun.id, result: "killed", by })}\n`);
  }
}

const readLines = (file: string): readonly SessionLine[] =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as SessionLine)
    : [];

/** @returns whether it came to its end. */
async function runSession(part: Omit<SessionPlan, "root">, count: number): Promise<boolean> {
  const plan_file = join(work, "plan.json");
  const switch_file = join(work, "switch");
  const tests = part.tests.map((file) => join(copy, file));
  writeFileSync(plan_file, JSON.stringify({ ...part, tests, root: copy } satisfies SessionPlan));
  writeFileSync(switch_file, new Uint8Array(count + 5));
  const env = { ...process.env, MUTATE_PLAN: plan_file, MUTATE_SWITCH: switch_file };
  const child = Bun.spawn([process.execPath, "test", "./bench/mutate/session.ts"], {
    cwd: copy,
    env,
    stdio: ["ignore", Bun.file(join(work, "session.out")), Bun.file(join(work, "session.log"))],
  });
  const watch = setInterval(() => watchOver(child.pid, part, () => child.kill("SIGKILL")), LOOK_MS);
  const code = await child.exited;
  clearInterval(watch);
  return code === 0;
}

let last = { lines: 0, cpu_s: 0 };
/** Ends a session whose change takes too long, in processor seconds: a busy machine is no hang. */
function watchOver(pid: number, { known, output }: Omit<SessionPlan, "root">, kill: () => void): void {
  if (known === null || !existsSync(`/proc/${pid}/stat`)) return;
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  const cpu_s = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_S;
  const lines = readLines(output).length;
  if (lines !== last.lines || cpu_s < last.cpu_s) last = { lines, cpu_s };
  if (cpu_s - last.cpu_s > CPU_S_MAX) kill();
}

mkdirSync(work, { recursive: true });
const { all, drawn } = draw();
const only = values.only?.split(",").map(Number);
const wanted = only ? drawn.filter(({ id }) => only.includes(id)) : drawn;
console.log(`${drawn.length} of ${all} changes of ${folder}, seed ${values.seed}, in ${work}`);
await copyTree(drawn);
const lines = await runSessions(drawn, wanted);
const report = describeScore(wanted, lines);
console.log(report.text);
if (values.work === undefined) rmSync(work, { recursive: true, force: true });
process.exit(report.survivors === 0 ? 0 : 1);
