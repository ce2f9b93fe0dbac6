import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noteSkipped, whyNoTracing } from "../helpers/debian-package.ts";
import { repeat } from "../helpers/effort.ts";
import { TEST_SEED as SEED } from "../helpers/seed.ts";
import { checkLedger } from "../helpers/storage-facts.ts";
import { type Call, ledgerFile, listCalls, type Outcome, runFaulty } from "../helpers/storage-faults.ts";
import type { Fault } from "../helpers/storage-trace.ts";
import type { WorkloadOptions } from "./workload.ts";

/**
 * Writes, cuts and syncs of the ledger's files fail, each in a run of its own: nothing may be acknowledged that is not
 * there afterwards, what was refused may not be there, and the node goes on or refuses. TEST_LONG=1 tries every call.
 */
const LONG = process.env.TEST_LONG === "1";
const CALLS = repeat({ quick: 10, full: 200, long: 200 });
const PLACES = repeat({ quick: 2, full: 12, long: 12 });
const PARALLEL = 2;
const SHOWN_MAX = 10;
const BASE = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
const work = mkdtempSync(join(BASE, "io-errors-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));

const no_tracing = whyNoTracing();
if (no_tracing !== null) noteSkipped("I/O errors", no_tracing);

type Run = Omit<WorkloadOptions, "folder" | "seed">;
interface Checked {
  readonly outcome: Outcome;
  readonly found: readonly string[];
}

/** Runs a workload on a disk that fails, then starts on what is left and says what is wrong with it. */
async function runAndCheck(fault: Fault, run: Run): Promise<Checked> {
  const folder = mkdtempSync(join(work, "run-"));
  const where = `${fault.error} at ${fault.call} ${fault.when}${run.dies ? ", killed" : ""}: `;
  const outcome = await runFaulty({ folder, seed: SEED, ...run }, [fault]);
  // A node that could not open its ledger must have said so; one that could must have gone on to the end.
  const has_refused_start = outcome.code !== 0 && outcome.stderr.includes("LedgerOpenError");
  const found = outcome.done || has_refused_start ? [] : [`ended with ${outcome.code}: ${outcome.stderr.slice(-500)}`];
  try {
    found.push(...(await checkLedger(ledgerFile(folder), outcome)));
  } catch (error) {
    found.push(`the next start: ${error}`);
  }
  rmSync(folder, { recursive: true, force: true });
  return { outcome, found: found.map((text) => where + text) };
}

async function runAll(faults: readonly Fault[], run: Run): Promise<readonly Checked[]> {
  const waiting = [...faults];
  const checked: Checked[] = [];
  const worker = async () => {
    for (let fault = waiting.shift(); fault; fault = waiting.shift()) checked.push(await runAndCheck(fault, run));
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return checked;
}

const callsOf = (run: Run): readonly Call[] => listCalls({ folder: join(work, "plain"), seed: SEED, ...run });
const faultsOf = (checked: readonly Checked[]): readonly string[] =>
  checked.flatMap(({ found }) => found).slice(0, SHOWN_MAX);

/** Calls of one kind, spread over a run of an open ledger; all of them in a long run. */
function spread(calls: readonly Call[], call: Fault["call"]): readonly number[] {
  const all = calls.filter((one) => one.call === call && !one.is_opening).map(({ nth }) => nth);
  const every = LONG ? 1 : Math.max(1, Math.floor(all.length / PLACES));
  return all.filter((_, index) => index % every === 0);
}

describe.skipIf(no_tracing !== null)("when the disk fails", () => {
  test("once, in any call, nothing is acknowledged falsely and an open ledger goes on", async () => {
    const run = { steps: 6 };
    const calls = callsOf(run);
    // Opening the ledger alone takes as many calls: the first of all, and the first of an open one.
    const open = calls.filter(({ is_opening }) => !is_opening);
    const chosen = LONG ? calls : [...new Set([...calls.slice(0, CALLS), ...open.slice(0, CALLS)])];
    const faults = chosen.map(({ call, nth }): Fault => ({ call, error: "EIO", when: String(nth) }));
    const checked = await runAll(faults, run);
    expect(faultsOf(checked)).toEqual([]);
    expect(open.length).toBeGreaterThan(CALLS);
    // The disk was well again at once, so nobody was refused.
    expect(checked.flatMap(({ outcome }) => outcome.refused)).toEqual([]);
  });

  test.each([
    ["syncs fail", "fsync", "EIO"],
    ["writes fail", "pwrite64", "EIO"],
    ["the disk is full", "pwrite64", "ENOSPC"],
  ] as const)(
    "for good, because %s, everything new is refused, and the next start finds what was said",
    async (_, call, error) => {
      const run = { steps: 8 };
      const faults = spread(callsOf(run), call).map((nth): Fault => ({ call, error, when: `${nth}+` }));
      const checked = [...(await runAll(faults, run)), ...(await runAll(faults, { ...run, dies: true }))];
      expect(faultsOf(checked)).toEqual([]);
      for (const { outcome } of checked) expect(outcome.done).toBeTrue();
      // The later ones hit only the end, where nothing new is said.
      const refused = checked.filter(({ outcome }) => outcome.refused.length > 0);
      expect(refused.length).toBeGreaterThan(checked.length / 2);
    },
  );

  test("for a while, because it is full, new charges are refused until there is room, without a restart", async () => {
    const run = { steps: 40, pause_ms: 100 };
    const calls = callsOf({ steps: 40 });
    const first = calls.find(({ call, is_opening }) => call === "pwrite64" && !is_opening)?.nth ?? 0;
    const fault: Fault = { call: "pwrite64", error: "ENOSPC", when: `${first + 100}..${first + 101}` };
    const { outcome, found } = await runAndCheck(fault, run);
    expect(found).toEqual([]);
    const signs = outcome.notes.map((line) => line.charAt(0)).join("");
    expect(signs).toMatch(/^\+.*-+.*\+/);
  });
});
