import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LedgerOpenError } from "../../src/ledger/sqlite/migrate.ts";
import { noteSkipped, whyNoTracing } from "../helpers/debian-package.ts";
import { repeat } from "../helpers/effort.ts";
import { TEST_SEED as SEED } from "../helpers/seed.ts";
import { createDisk, FATES } from "../helpers/storage-disk.ts";
import { checkLedger, readSaid } from "../helpers/storage-facts.ts";
import { type Fault, recordWorkload, type StorageEvent } from "../helpers/storage-trace.ts";
import { createRandom } from "../ledger/model.ts";

/**
 * A power cut keeps what was synced and nothing else for sure. A workload's writes and syncs are recorded once, then
 * the power fails anywhere in them: each time the node must find everything it acknowledged, and clean books.
 * TEST_SEED repeats a run, TEST_LONG=1 makes it 100,000 cuts.
 */
const CUTS = repeat({ quick: 300, full: 3_000, long: 100_000 });
const CUTS_PER_RECORDING = 300;
/** Every other recording is of books that a thread of its own writes, as the node has them. */
const engineOf = (round: number) => (round % 2 === 0 ? "thread" : "serving");
const STEPS = 24;
const SHOWN_MAX = 10;
const SELF_CHECK_CUTS = 100;
const FAILED_SYNC_CUTS = 60;
const FAILED_SYNC_ROUNDS = repeat({ quick: 2, full: 6, long: 100 });
// Files that live in memory: what a real disk would do is decided here, and a sync costs nothing.
const BASE = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
const work = mkdtempSync(join(BASE, "power-cut-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));

const no_tracing = whyNoTracing();
if (no_tracing !== null) noteSkipped("power cuts", no_tracing);

interface Tally {
  cuts: number;
  /** Cuts after which something that was acknowledged, or the books, were wrong. */
  faults: string[];
  /** Cuts so early that there was nothing to keep, and a start refused with the way out. */
  refused_early: number;
  acknowledged: number;
}

interface Cuts {
  readonly count: number;
  readonly seed: number;
  /** No cut before this event. */
  readonly from?: number;
}

/** Cuts one recording at `count` places, each time with another fate for what was not synced. */
async function cutRecording(events: readonly StorageEvent[], { count, seed, from = 0 }: Cuts): Promise<Tally> {
  const random = createRandom(seed);
  const anywhere = () => from + random.below(events.length + 1 - from);
  const places = Array.from({ length: count }, anywhere).sort((a, b) => a - b);
  const disk = createDisk();
  const folder = join(work, "state");
  const tally: Tally = { cuts: 0, faults: [], refused_early: 0, acknowledged: 0 };
  let notes = "";
  let at = 0;
  for (const place of places) {
    for (; at < place; at++) {
      const event = events[at];
      if (event?.is === "note") notes += `${event.text}\n`;
      else if (event) disk.apply(event);
    }
    const fate = random.pick(FATES);
    const said = readSaid(notes);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    for (const [name, bytes] of disk.cut(fate, random)) writeFileSync(join(folder, name), bytes);
    tally.cuts += 1;
    tally.acknowledged += said.acknowledged.length;
    const note = (fault: string) => tally.faults.push(`seed ${seed}, event ${place}, ${fate}: ${fault}`);
    try {
      for (const fault of await checkLedger(join(folder, "ledger.db"), said)) note(fault);
    } catch (error) {
      if (!(error instanceof LedgerOpenError)) throw error;
      if (said.acknowledged.length === 0) tally.refused_early += 1;
      else note(error.message);
    }
  }
  return tally;
}

describe.skipIf(no_tracing !== null)("when the power fails", () => {
  test(`${CUTS} cuts lose nothing that was acknowledged (seed ${SEED})`, async () => {
    const faults: string[] = [];
    let [cuts, acknowledged, refused_early] = [0, 0, 0];
    for (let round = 0; cuts < CUTS; round++) {
      const seed = SEED + round;
      const events = recordWorkload({ folder: join(work, "record"), seed, steps: STEPS, engine: engineOf(round) });
      const tally = await cutRecording(events, { count: Math.min(CUTS_PER_RECORDING, CUTS - cuts), seed });
      faults.push(...tally.faults);
      cuts += tally.cuts;
      acknowledged += tally.acknowledged;
      refused_early += tally.refused_early;
    }
    expect(faults.slice(0, SHOWN_MAX)).toEqual([]);
    expect(cuts).toBe(CUTS);
    // Most cuts hit a ledger that had something to lose.
    expect(acknowledged).toBeGreaterThan(CUTS * 20);
    expect(refused_early).toBeLessThan(CUTS / 20);
  });

  test("a cut after a sync that failed finds nothing that was refused", async () => {
    const faults: string[] = [];
    let refused = 0;
    for (let round = 0; round < FAILED_SYNC_ROUNDS; round++) {
      const fault: Fault = { call: "fsync", error: "EIO", when: `${30 + round * 7}..${32 + round * 9}` };
      const options = {
        folder: join(work, "record"),
        seed: SEED + round,
        steps: STEPS,
        engine: engineOf(round),
      } as const;
      const events = recordWorkload(options, [fault]);
      const isRefusal = (event: StorageEvent) => event.is === "note" && /^[-?]/.test(event.text);
      refused += events.filter(isRefusal).length;
      const from = Math.max(0, events.findIndex(isRefusal));
      faults.push(...(await cutRecording(events, { count: FAILED_SYNC_CUTS, seed: SEED + round, from })).faults);
    }
    expect(faults.slice(0, SHOWN_MAX)).toEqual([]);
    expect(refused).toBeGreaterThan(FAILED_SYNC_ROUNDS);
  });

  // What shows that the tests above would notice.
  test("a ledger that syncs less is found to lose what it acknowledged", async () => {
    const options = { folder: join(work, "record"), seed: SEED, steps: STEPS, synchronous: "NORMAL" } as const;
    const { faults } = await cutRecording(recordWorkload(options), { count: SELF_CHECK_CUTS, seed: SEED });
    expect(faults.filter((fault) => fault.includes("lost: ")).length).toBeGreaterThan(SELF_CHECK_CUTS / 10);
  });

  test("a ledger file that is not synced after a checkpoint is found to be damaged", async () => {
    const events = recordWorkload({ folder: join(work, "record"), seed: SEED, steps: STEPS });
    const unsynced = events.filter((event) => event.is !== "sync" || event.name !== "ledger.db");
    const { faults } = await cutRecording(unsynced, { count: SELF_CHECK_CUTS, seed: SEED });
    expect(faults.length).toBeGreaterThan(SELF_CHECK_CUTS / 10);
  });
});
