import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBackupJob } from "./backup-job.ts";
import { createScheduler } from "./scheduler.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const HOUR_MS = 3_600_000;
const START_MS = Date.parse("2026-11-21T10:00:00Z");

function open({ keep = 3, dir: given }: { keep?: number; dir?: string } = {}) {
  const dir = given ?? mkdtempSync(join(tmpdir(), "backups-"));
  folders.push(dir);
  const times = { now_ms: START_MS };
  const script = { fails: false, cancelled: 0 };
  const logged: Readonly<Record<string, unknown>>[] = [];
  const job = createBackupJob({
    dir,
    every_ms: 24 * HOUR_MS,
    keep,
    clock: { now: () => times.now_ms },
    taker: {
      take: async (file) => {
        if (script.fails) throw new Error("the books are broken");
        writeFileSync(file, "a backup", { flag: "wx" });
        return { file, bytes: 8, sha256: "ab", receipts: 1 };
      },
      cancel: () => {
        script.cancelled += 1;
      },
    },
    log: (event) => logged.push(event),
  });
  /** Runs the job every ten minutes, as the scheduler does. */
  const live = async (hours: number) => {
    for (let looks = 0; looks < hours * 6; looks++) {
      times.now_ms += HOUR_MS / 6;
      await job.run().catch(() => undefined);
    }
  };
  return { dir, times, script, logged, job, live, names: () => readdirSync(dir).sort() };
}

describe("scheduled backups", () => {
  test("are made when the newest one is old enough, also when the node was down meanwhile", async () => {
    const { job, times, names } = open();
    await job.run();
    await job.run();
    expect(names()).toEqual(["ledger-20261121T100000Z.db"]);
    times.now_ms += 24 * HOUR_MS - 1;
    await job.run();
    expect(names()).toHaveLength(1);
    times.now_ms += 9 * HOUR_MS;
    await job.run();
    expect(names()).toEqual(["ledger-20261121T100000Z.db", "ledger-20261122T185959Z.db"]);
  });

  test("keep the newest, and touch no file of anybody else", async () => {
    const { dir, live, names } = open({ keep: 3 });
    const others = ["ledger-20260101T000000Z.db.gz", "ledger.db", "my-ledger-20260101T000000Z.db", "notes.txt"];
    for (const name of others) writeFileSync(join(dir, name), "");
    await live(24 * 6);
    const ours = [24, 25, 26].map((day) => `ledger-202611${day}T101000Z.db`);
    expect(names().filter((name) => !others.includes(name))).toEqual(ours);
    expect(names()).toEqual(expect.arrayContaining(others));
  });

  test("that fail leave the old ones in place, are tried again and are reported", async () => {
    const { live, script, names, job, logged } = open({ keep: 2 });
    await live(24 * 3);
    const before = names();
    script.fails = true;
    await live(24 * 5);
    expect(names()).toEqual(before);
    expect(job.detail?.()).toMatchObject({ last_failure: { why: "the books are broken" } });
    await expect(job.run()).rejects.toThrow("the books are broken");
    script.fails = false;
    await live(1);
    expect(names()).toHaveLength(2);
    expect(names()).not.toEqual(before);
    const at = expect.stringMatching(/^2026-11-\d\dT/);
    expect(job.detail?.()).toMatchObject({ last_failure: null, last_backup: { at, sha256: "ab", bytes: 8 } });
    expect(logged.at(-1)).toMatchObject({ event: "backup_taken", receipts: 1, removed: 1 });
  });

  test("of a clock that ran ahead neither hold up new ones nor push them out", async () => {
    const { dir, live, names } = open({ keep: 2 });
    for (const year of [2031, 2032, 2033]) writeFileSync(join(dir, `ledger-${year}0101T000000Z.db`), "");
    await live(24 * 3);
    expect(names().filter((name) => name.startsWith("ledger-2026"))).toHaveLength(2);
    expect(names()).toHaveLength(2);
  });

  test("that were cut off long ago are removed, one that may be under way is not", async () => {
    const { dir, job, names } = open();
    for (const [day, age_ms] of [
      ["01", 48 * HOUR_MS],
      ["20", HOUR_MS],
    ] as const) {
      for (const ending of ["partial", "partial-journal"]) {
        const partial = join(dir, `ledger-202611${day}T000000Z.db.${ending}`);
        writeFileSync(partial, "");
        utimesSync(partial, (START_MS - age_ms) / 1000, (START_MS - age_ms) / 1000);
      }
    }
    await job.run();
    const left = ["", "-journal"].map((ending) => `ledger-20261120T000000Z.db.partial${ending}`);
    expect(names().filter((name) => name.includes(".partial"))).toEqual(left);
  });

  test("into a folder that is not there fail: a disk may not be mounted", async () => {
    const { job } = open({ dir: join(tmpdir(), "no-such-folder-of-backups") });
    await expect(job.run()).rejects.toThrow("ENOENT");
    expect(job.detail?.()).toMatchObject({ last_backup: null });
  });

  test("appear in the scheduler's status and ended when it stops", async () => {
    const { job, script } = open();
    const scheduler = createScheduler({ now_ms: () => 0, jobs: [job], seed: "seed", log: () => undefined });
    expect(scheduler.status()[0]?.detail).toMatchObject({ last_backup: null, last_failure: null });
    await scheduler.stop();
    expect(script.cancelled).toBe(1);
  });
});
