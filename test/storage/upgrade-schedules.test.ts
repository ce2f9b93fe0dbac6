import { afterAll, describe, expect, test } from "bun:test";
import { appendFileSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listPutBackSteps } from "../../src/ledger/put-back.ts";
import { MIGRATIONS } from "../../src/ledger/sqlite/migrate.ts";
import { openLedgerFile } from "../../src/ledger/sqlite/open.ts";
import { copyForUpgrade, dropUpgradeCopy, undoUpgrade } from "../../src/ledger/sqlite/upgrade-copy.ts";
import { repeat } from "../helpers/effort.ts";
import { TEST_SEED } from "../helpers/seed.ts";
import { act, holdSnapshot, issueKey, ledgerIn, openNewest, readFolder } from "../helpers/upgrade-actor.ts";
import { createRandom, type Random } from "../ledger/model.ts";

/** The copy of an upgrade and its way back, with processes that are killed anywhere and readers at any time. */
const SCHEDULES = repeat({ quick: 4, full: 200, long: 1_000 });
const STEPS = listPutBackSteps("", "").length;
/** Upgrades in each; one that sold ends it. */
const ROUNDS = 2;
const NOW_MS = Date.parse("2026-11-28T09:30:00Z");

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

async function newLedger(...keys: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "upgrade-copy-"));
  folders.push(folder);
  const db = openNewest(folder, MIGRATIONS);
  for (const key of keys) await issueKey(db, key);
  db.close();
  return folder;
}

describe("the copy of an upgrade", () => {
  test("includes the log, which a reader prevents from being written into the file", async () => {
    const folder = await newLedger("key_1");
    const endReading = holdSnapshot(folder);
    expect(act("issue", folder, "key_2", "dies").out).toBe("acknowledged");
    const copy = copyForUpgrade(ledgerIn(folder), NOW_MS);
    expect(readdirSync(folder).filter((name) => name.includes(".before-handover-"))).toHaveLength(1);
    const db = openLedgerFile(copy?.file ?? "", { readonly: true });
    expect(db.query("SELECT public_id FROM keys ORDER BY id").values()).toEqual([["key_1"], ["key_2"]]);
    db.close();
    endReading();
  });

  test("lets a node start when it was put back, also after a reader who came first", async () => {
    const folder = await newLedger("key_1");
    const copy = copyForUpgrade(ledgerIn(folder), NOW_MS);
    act("take", folder, "migrated");
    if (copy !== null) undoUpgrade(copy);
    const endReading = holdSnapshot(folder);
    expect(await readFolder(folder)).toEqual({ keys: ["key_1"], findings: [], newer: false });
    endReading();
  });

  test("does not exist for books in a database", () => {
    expect(copyForUpgrade(join(tmpdir(), "no-such-folder", "ledger.db"), NOW_MS)).toBeNull();
  });

  test("that was changed, or lacks a row, is not put back, and nothing is changed", async () => {
    const folder = await newLedger("key_1");
    const copy = copyForUpgrade(ledgerIn(folder), NOW_MS);
    if (copy === null) throw new Error("no copy");
    // Nothing to undo: the old program reads this schema.
    expect(undoUpgrade(copy)).toBeNull();
    const db = openNewest(folder);
    await issueKey(db, "key_2");
    expect(() => undoUpgrade(copy)).toThrow("has rows that");
    db.close();
    appendFileSync(copy.file, "more");
    expect(() => undoUpgrade(copy)).toThrow("was changed since it was made");
    expect(readdirSync(folder).some((name) => name.includes(".undone-"))).toBe(false);
    dropUpgradeCopy(copy);
    expect(existsSync(copy.file)).toBe(false);
  });
});

describe("a put-back that is killed", () => {
  const cuts = Array.from({ length: STEPS + 1 }, (_, steps) => steps);
  test.each(cuts)("after %p steps is finished at the next start, or done anew", async (steps) => {
    const folder = await newLedger("key_1");
    const endReading = holdSnapshot(folder);
    act("issue", folder, "key_2", "dies");
    expect(act("copy", folder, String(NOW_MS))).toMatchObject({ code: 0 });
    act("take", folder, "migrated");
    act("undo", folder, String(steps));
    if (steps === 0) act("undo", folder);
    endReading();
    expect(await readFolder(folder)).toEqual({ keys: ["key_1", "key_2"], findings: [], newer: false });
  });
});

test("a log whose file is gone is not erased by a new ledger", async () => {
  const folder = await newLedger();
  writeFileSync(join(folder, "other.db-wal"), "a part of some books");
  expect(() => openLedgerFile(join(folder, "other.db"))).toThrow("a new ledger would erase that log");
  expect(readdirSync(folder).filter((name) => name.startsWith("other"))).toEqual(["other.db-wal"]);
});

/** Readers that come and go, each with the books of the moment it came. */
function createReaders(folder: string, random: Random) {
  const open: (() => void)[] = [];
  return {
    pass() {
      // In the middle of a put-back there is no ledger to read.
      if (random.below(2) === 0 && existsSync(ledgerIn(folder))) open.push(holdSnapshot(folder));
      if (open.length > 0 && random.below(3) === 0) open.splice(random.below(open.length), 1)[0]?.();
    },
    end() {
      for (const close of open.splice(0)) close();
    },
  };
}

async function runSchedule(seed: number): Promise<void> {
  const random = createRandom(seed);
  const folder = await newLedger();
  const readers = createReaders(folder, random);
  const acknowledged: string[] = [];
  const issue = () => {
    const key = `key_${acknowledged.length}`;
    if (act("issue", folder, key, random.pick(["dies", ""])).out === "acknowledged") acknowledged.push(key);
  };
  let newer = false;
  for (let round = 0; round < ROUNDS && !newer; round++) {
    for (let n = random.below(3); n >= 0; n--) {
      readers.pass();
      issue();
    }
    readers.pass();
    expect(act("copy", folder, String(NOW_MS + round))).toMatchObject({ code: 0 });
    readers.pass();
    const death = random.pick(["prepared", "opened", "migrating", "migrated", "migrated", "sold"] as const);
    newer = death === "sold";
    if (newer) acknowledged.push("key_sold");
    act("take", folder, death);
    readers.pass();
    // The old side is killed on the way, too, and begins again.
    if (death === "migrated") act("undo", folder, String(random.below(STEPS + 1)));
    readers.pass();
    if (existsSync(ledgerIn(folder))) act("undo", folder);
    readers.pass();
    const found = await readFolder(folder);
    expect({ seed, ...found }).toEqual({ seed, keys: acknowledged, findings: [], newer });
  }
  readers.end();
  expect(await readFolder(folder)).toEqual({ keys: acknowledged, findings: [], newer });
}

test(`no acknowledged key is missing after ${SCHEDULES} random schedules`, async () => {
  for (let n = 0; n < SCHEDULES; n++) await runSchedule(TEST_SEED + n);
});
