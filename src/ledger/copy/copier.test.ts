import { Database } from "bun:sqlite";
import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStore } from "../../../test/helpers/copy-store.ts";
import { createManualTimers } from "../../../test/helpers/manual-timers.ts";
import { failureOf } from "../../../test/helpers/open-books.ts";
import { createStillClock } from "../../../test/helpers/still-clock.ts";
import { createRandom } from "../../../test/ledger/model.ts";
import { buildLedger } from "./build-ledger.ts";
import { startCopier } from "./copier.ts";
import { readNames } from "./copy-names.ts";
import type { CopierOptions, CopyLimits } from "./copy-run.ts";
import type { CopyState } from "./copy-state.ts";

const START_MS = Date.parse("2026-11-29T10:00:00Z");
const EVERY_MS = 1_000;
const DAY_MS = 86_400_000;
const LOOKS_MAX = 200_000;

const open: { folder: string; db: Database }[] = [];
afterEach(() => {
  for (const { folder, db } of open.splice(0)) {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

/** A file of rows, its copier, and a store that both the test and the copier see. */
function openRows(limits: Partial<CopyLimits> = {}, store = createMemoryStore()) {
  const folder = mkdtempSync(join(tmpdir(), "copier-"));
  const file = join(folder, "rows.db");
  const db = new Database(file, { create: true, safeIntegers: true });
  db.run("PRAGMA page_size = 1024");
  db.run("PRAGMA journal_mode = WAL");
  db.run("CREATE TABLE rows (id INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT");
  open.push({ folder, db });
  const clock = createStillClock(START_MS);
  const timers = createManualTimers();
  const told: CopyState[] = [];
  let trouble: string | null = null;
  const options: CopierOptions = {
    db,
    clock,
    timers,
    store,
    limits,
    order: { owner: "in1A", place: { kind: "folder", folder: "/copy" }, every_ms: EVERY_MS, keep_ms: 7 * DAY_MS },
    trouble: () => trouble,
    tell: (state) => void told.push(state),
  };
  const last = () => told.at(-1);
  /** Lets the copier look again, at one and the same time of the clock, until it has said something of the kind. */
  const until = async (is: (state: CopyState) => boolean): Promise<void> => {
    for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
      const state = last();
      if (state !== undefined && is(state)) return;
      await timers.advance(EVERY_MS);
    }
    throw new Error(`it never said so: ${JSON.stringify(last())}`);
  };
  const tick = (ms = EVERY_MS) => {
    clock.advance(ms);
    return timers.advance(EVERY_MS);
  };
  const insert = db.query("INSERT INTO rows (body) VALUES (randomblob(?))");
  return {
    file,
    db,
    clock,
    timers,
    store,
    until,
    tick,
    options,
    last,
    add: (bytes = 100) => void insert.run(bytes),
    fail: (why: string | null) => {
      trouble = why;
    },
    whole: () => until(({ waiting_since_ms, snapshot_ms }) => waiting_since_ms === null && snapshot_ms !== null),
    digest: () => digestOf(db),
    async restore(at_ms: number): Promise<string> {
      const to = join(folder, `restored-${crypto.randomUUID()}.db`);
      await buildLedger(store, { at_ms, file: to });
      const restored = new Database(to, { safeIntegers: true });
      try {
        expect(restored.query("PRAGMA integrity_check").values()).toEqual([["ok"]]);
        return digestOf(restored);
      } finally {
        restored.close();
      }
    },
  };
}

const digestOf = (db: Database): string => {
  const hasher = new Bun.CryptoHasher("sha256");
  for (const [id, body] of db.query("SELECT id, hex(body) FROM rows ORDER BY id").values())
    hasher.update(`${id} ${body}\n`);
  return hasher.digest("hex");
};

describe("the copy of a ledger", () => {
  test("holds every state that was looked at, across checkpoints and images of the whole file", async () => {
    const rows = openRows();
    const copier = startCopier(rows.options);
    const random = createRandom(7);
    const seen: { at_ms: number; digest: string }[] = [];
    await rows.tick();
    await rows.whole();
    for (let step = 0; step < 60; step += 1) {
      rows.clock.advance(EVERY_MS);
      for (let count = random.below(4); count > 0; count -= 1) rows.add(1 + random.below(3_000));
      if (random.below(5) === 0) rows.db.run("DELETE FROM rows WHERE id % 3 = 1");
      if (random.below(20) === 0) rows.db.run("VACUUM");
      if (random.below(4) === 0) copier.checkpoint();
      await rows.tick(random.below(6) === 0 ? DAY_MS : EVERY_MS);
      seen.push({ at_ms: rows.clock.now(), digest: rows.digest() });
      await rows.whole();
    }
    await copier.close();
    const { snapshots } = readNames([...rows.store.objects.keys()]);
    expect(snapshots.length).toBeGreaterThan(3);
    const first_ms = snapshots[0]?.at_ms ?? 0;
    const kept = seen.filter(({ at_ms }) => at_ms >= first_ms);
    expect(kept.length).toBeGreaterThan(20);
    for (const { at_ms, digest } of kept) expect(await rows.restore(at_ms + 500)).toBe(digest);
  });

  test("lacks nothing after a store that failed for a while, and says since when it does", async () => {
    const rows = openRows();
    const copier = startCopier(rows.options);
    await rows.tick();
    await rows.whole();
    rows.store.fault = () => "503 SlowDown";
    const seen: [number, string][] = [];
    for (let step = 0; step < 10; step += 1) {
      rows.clock.advance(EVERY_MS);
      rows.add(2_000);
      if (step % 3 === 0) copier.checkpoint();
      await rows.tick();
      seen.push([rows.clock.now(), rows.digest()]);
    }
    await rows.until(({ failing }) => failing === "503 SlowDown");
    expect(rows.last()?.waiting_since_ms).toBe((seen[0]?.[0] ?? 0) - EVERY_MS);
    rows.store.fault = null;
    await rows.timers.advance(60_000);
    await rows.until(({ failing, waiting_since_ms }) => failing === null && waiting_since_ms === null);
    for (const [at_ms, digest] of seen) expect(await rows.restore(at_ms)).toBe(digest);
    await copier.close();
  });

  test("is given up when the log has grown too long, begun anew later, and says what it lacks", async () => {
    const rows = openRows({ checkpoint_bytes: 20_000, log_bytes_max: 100_000, memory_bytes_max: 30_000 });
    const copier = startCopier(rows.options);
    await rows.tick();
    await rows.whole();
    rows.add();
    await rows.tick();
    await rows.until(({ waiting_since_ms }) => waiting_since_ms === null);
    const [before_ms, before] = [rows.clock.now(), rows.digest()];
    rows.store.fault = () => "refused";
    // More than is kept in memory: the rest is in the log alone.
    for (let step = 0; step < 30; step += 1) {
      rows.add(20_000);
      await rows.tick();
    }
    const lost_ms = rows.clock.now();
    rows.store.fault = null;
    for (let step = 0; step < 60 && rows.last()?.waiting_since_ms !== null; step += 1) await rows.tick();
    await rows.whole();
    expect(await rows.restore(before_ms)).toBe(before);
    expect(await rows.restore(rows.clock.now())).toBe(rows.digest());
    expect((await failureOf(rows.restore(lost_ms - 5_000))).message).toContain("never reached the copy: say --at");
    await copier.close();
  });

  test("takes no image of a file that another program changes, and begins anew", async () => {
    const rows = openRows();
    const copier = startCopier(rows.options);
    await rows.tick();
    await rows.whole();
    const first = readNames([...rows.store.objects.keys()]).snapshots[0]?.generation;
    rows.add();
    const other = new Database(rows.file);
    other.run("PRAGMA wal_checkpoint(TRUNCATE)");
    other.close();
    rows.add();
    await rows.tick();
    await rows.until(({ waiting_since_ms }) => waiting_since_ms !== null);
    await rows.timers.advance(5_000);
    await rows.whole();
    expect(readNames([...rows.store.objects.keys()]).snapshots.at(-1)?.generation).not.toBe(first);
    expect(await rows.restore(rows.clock.now())).toBe(rows.digest());
    await copier.close();
  });

  test("sends segments while an image is under way, and leaves the log out of the file until it is whole", async () => {
    const rows = openRows();
    const copier = startCopier(rows.options);
    await rows.tick();
    await rows.whole();
    for (let count = 0; count < 10; count += 1) rows.add(100_000);
    await rows.tick();
    const release = rows.store.hold();
    await rows.tick(DAY_MS);
    rows.add(50_000);
    expect(copier.checkpoint()).toBe(true);
    rows.add(50_000);
    await rows.tick();
    release();
    await rows.until(({ snapshot_ms }) => (snapshot_ms ?? 0) > START_MS + DAY_MS);
    await rows.whole();
    expect(await rows.restore(rows.clock.now())).toBe(rows.digest());
    await copier.close();
  });

  test("leaves the log alone while the disk fails: what is in it may not stay", async () => {
    const rows = openRows();
    const copier = startCopier(rows.options);
    await rows.tick();
    await rows.whole();
    const objects = rows.store.objects.size;
    rows.fail("the disk is full");
    rows.add();
    await rows.tick();
    expect(rows.store.objects.size).toBe(objects);
    rows.fail(null);
    await rows.tick();
    await rows.until(({ copied_ms }) => copied_ms === rows.clock.now());
    expect(await rows.restore(rows.clock.now())).toBe(rows.digest());
    await copier.close();
  });

  test("is refused where other books are copied to", async () => {
    const rows = openRows();
    const copier = startCopier(rows.options);
    await rows.tick();
    await rows.whole();
    await copier.close();
    const others = openRows({}, rows.store);
    const own = startCopier({ ...others.options, order: { ...others.options.order, owner: "in1B" } });
    await others.tick();
    await others.until(({ failing }) => failing?.includes("the copy of in1A is there") === true);
    await own.close();
  });

  test("loses what is older than it is kept, and nothing that a minute since is restored from", async () => {
    const rows = openRows();
    const copier = startCopier(rows.options);
    await rows.tick();
    await rows.whole();
    const seen: [number, string][] = [];
    for (let day = 0; day < 20; day += 1) {
      rows.add(1_000);
      await rows.tick(DAY_MS / 2);
      seen.push([rows.clock.now(), rows.digest()]);
      await rows.whole();
    }
    await copier.close();
    const { snapshots } = readNames([...rows.store.objects.keys()]);
    const keep_from_ms = (snapshots.at(-1)?.at_ms ?? 0) - 7 * DAY_MS;
    expect(snapshots.filter(({ at_ms }) => at_ms <= keep_from_ms)).toHaveLength(1);
    for (const [at_ms, digest] of seen.filter(([ms]) => ms >= keep_from_ms))
      expect(await rows.restore(at_ms)).toBe(digest);
    expect((await failureOf(rows.restore(START_MS + EVERY_MS))).message).toContain(
      "no state of 2026-11-29T10:00:01Z or before",
    );
  });

  test("a store that hangs holds up a stop for a moment only", async () => {
    const rows = openRows();
    const copier = startCopier(rows.options);
    await rows.tick();
    await rows.whole();
    rows.store.hold();
    rows.add();
    const closing = copier.close();
    await rows.timers.expire(1_000);
    await closing;
    expect(rows.last()?.waiting_since_ms).not.toBeUndefined();
  });
});
