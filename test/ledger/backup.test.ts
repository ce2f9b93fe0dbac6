import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { sha256Hex } from "../../src/core/hash.ts";
import { type Backup, backupLedger } from "../../src/ledger/backup.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { restoreLedger } from "../../src/ledger/restore.ts";
import { auditLedger } from "../../src/ledger/sqlite/audit.ts";
import { MIGRATIONS, migrateLedger } from "../../src/ledger/sqlite/migrate.ts";
import { lockDataDirectory, openLedgerFile, RESTORING } from "../../src/ledger/sqlite/open.ts";
import {
  createSeller,
  makeSampleLedger,
  newLedgerFolder,
  removeLedgerFolders,
  type Sample,
} from "../helpers/sample-ledger.ts";
import { createStillClock } from "../helpers/still-clock.ts";

let sample: Sample;
let backup: Backup;
beforeAll(async () => {
  sample = await makeSampleLedger();
  const made = backupLedger(sample.file, join(newLedgerFolder(), "backup.db"));
  if (made.file === null) throw new Error("the sample is broken");
  backup = made;
});
afterAll(removeLedgerFolders);

const auditOf = (file: string) => {
  const db = openLedgerFile(file, { readonly: true });
  const report = auditLedger(db);
  db.close();
  return report;
};

/** A copy of the sample that no audit passes. */
function brokenLedger(): string {
  const file = join(newLedgerFolder(), "ledger.db");
  copyFileSync(sample.file, file);
  const db = new Database(file);
  db.run("UPDATE accounts SET posted = posted + 1 WHERE id = 'revenue:sales'");
  db.close();
  return file;
}

describe("a backup", () => {
  test("is one file for its owner's eyes, that proves the same books", () => {
    const { file, sha256, bytes, audit } = backup;
    expect(readdirSync(join(file, ".."))).toEqual(["backup.db"]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(file).size).toBe(bytes);
    expect(sha256Hex(readFileSync(file))).toBe(sha256);
    expect(audit).toEqual(auditOf(sample.file));
    expect(auditOf(file)).toEqual(audit);
  });

  test("holds what was acknowledged before it began, while the writer still has the ledger open", async () => {
    const folder = newLedgerFolder();
    const clock = createStillClock();
    const ledger = openLedger({ file: join(folder, "ledger.db"), clock });
    const { sell } = createSeller(ledger, clock.now);
    for (let n = 1; n <= 5; n++) {
      await sell();
      // Nothing was moved from the write-ahead log into the file yet.
      const made = backupLedger(join(folder, "ledger.db"), join(folder, `backup-${n}.db`));
      expect(made.audit.receipts).toBe(n);
    }
    await ledger.close();
  });

  test.each(["backup.db", "backup.db.partial"])("never overwrites, not even a %s", (name) => {
    const folder = newLedgerFolder();
    writeFileSync(join(folder, name), "something");
    expect(() => backupLedger(sample.file, join(folder, "backup.db"))).toThrow("exists");
    expect(readdirSync(folder)).toEqual([name]);
    expect(readFileSync(join(folder, name), "utf8")).toBe("something");
  });

  test("of broken books is not made, and says what is broken", () => {
    const folder = newLedgerFolder();
    const made = backupLedger(brokenLedger(), join(folder, "backup.db"));
    expect(made.file).toBeNull();
    expect(made.audit.findings.map(({ rule }) => rule)).toContain("I2");
    expect(readdirSync(folder)).toEqual([]);
  });

  test("that cannot be written leaves nothing behind", () => {
    const folder = newLedgerFolder();
    expect(() => backupLedger(sample.file, join(folder, "nowhere", "backup.db"))).toThrow();
    expect(() => backupLedger(join(folder, "ledger.db"), join(folder, "backup.db"))).toThrow();
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("a restore", () => {
  test("into a new or an empty folder gives the same books, ready for a node", async () => {
    const empty = newLedgerFolder();
    for (const directory of [empty, join(newLedgerFolder(), "new", "data")]) {
      expect(restoreLedger(backup.file, directory)).toEqual(backup.audit);
      expect(readdirSync(directory).sort()).toEqual(["ledger.db", "lock.db"]);
      expect(statSync(join(directory, "ledger.db")).mode & 0o777).toBe(0o600);
      const unlock = lockDataDirectory(directory);
      const ledger = openLedger({ file: join(directory, "ledger.db"), clock: createStillClock() });
      expect(await ledger.audit()).toEqual(backup.audit);
      await ledger.close();
      unlock();
    }
    expect(sha256Hex(readFileSync(backup.file))).toBe(backup.sha256);
  });

  test("brings a backup of an older schema to this one, and keeps it as it was", () => {
    const old = join(newLedgerFolder(), "old.db");
    const db = new Database(old, { create: true, safeIntegers: true });
    migrateLedger(db, { file: old, readonly: false, migrations: MIGRATIONS.slice(0, 1) });
    db.close();
    const directory = newLedgerFolder();
    expect(restoreLedger(old, directory).findings).toEqual([]);
    const copies = MIGRATIONS.slice(1).map((_, index) => `ledger.db.before-schema-${index + 2}`);
    expect(readdirSync(directory).sort()).toEqual(["ledger.db", ...copies, "lock.db"].sort());
  });

  test("into a folder that holds anything is refused", () => {
    const directory = newLedgerFolder();
    writeFileSync(join(directory, "node-key.pem"), "a key");
    expect(() => restoreLedger(backup.file, directory)).toThrow("is not empty (node-key.pem)");
    expect(readdirSync(directory)).toEqual(["node-key.pem"]);
    expect(() => restoreLedger(backup.file, join(directory, "node-key.pem"))).toThrow("is not a folder");
  });

  test("into a folder that a node is starting on is refused", () => {
    const directory = newLedgerFolder();
    const unlock = lockDataDirectory(directory);
    expect(() => restoreLedger(backup.file, directory)).toThrow("Another intel-node");
    unlock();
    expect(existsSync(join(directory, "ledger.db"))).toBe(false);
  });

  const newerThanUs = (file: string) => {
    const db = new Database(file);
    db.run(`PRAGMA user_version = ${MIGRATIONS.length + 1}`);
    db.close();
  };
  const turnBytes = (file: string) => {
    const bytes = readFileSync(file);
    for (let at = 5_000; at < bytes.length; at += 4_096) bytes[at] = (bytes[at] ?? 0) ^ 0xff;
    writeFileSync(file, bytes);
  };
  test.each([
    ["cut off in the middle", (file: string) => truncateSync(file, Math.floor(statSync(file).size / 2))],
    ["cut off to nothing", (file: string) => truncateSync(file, 0)],
    ["with turned bytes", turnBytes],
    ["of something else", (file: string) => writeFileSync(file, "not a ledger ".repeat(1_000))],
    ["of a newer program", newerThanUs],
  ])("of a file %s is refused, and leaves no folder", (_, damage) => {
    const file = join(newLedgerFolder(), "damaged.db");
    copyFileSync(backup.file, file);
    damage(file);
    const directory = join(newLedgerFolder(), "data");
    let refused = false;
    try {
      refused = !restoreLedger(file, directory).ok;
    } catch (error) {
      refused = true;
      // It is named as the operator knows it, not as the copy in the folder.
      expect(String(error)).not.toContain(RESTORING);
    }
    expect(refused).toBe(true);
    expect(existsSync(directory)).toBe(false);
    const empty = newLedgerFolder();
    expect(() => {
      if (!restoreLedger(file, empty).ok) throw new Error("broken");
    }).toThrow();
    expect(readdirSync(empty)).toEqual([]);
  });

  test("of broken books says what is broken and leaves nothing", () => {
    const directory = join(newLedgerFolder(), "data");
    const report = restoreLedger(brokenLedger(), directory);
    expect(report.ok).toBe(false);
    expect(report.findings.map(({ rule }) => rule)).toContain("I2");
    expect(existsSync(directory)).toBe(false);
  });

  test("of a live ledger file is refused: its newest sales are in the file beside it", async () => {
    const folder = newLedgerFolder();
    const clock = createStillClock();
    const ledger = openLedger({ file: join(folder, "ledger.db"), clock });
    await createSeller(ledger, clock.now).sell();
    expect(() => restoreLedger(join(folder, "ledger.db"), newLedgerFolder())).toThrow("is a live ledger");
    await ledger.close();
  });

  test("that was cut off keeps a node from starting a new ledger there, and can be run again", () => {
    const directory = newLedgerFolder();
    mkdirSync(join(directory, RESTORING));
    copyFileSync(backup.file, join(directory, RESTORING, "ledger.db"));
    truncateSync(join(directory, RESTORING, "ledger.db"), 50_000);
    lockDataDirectory(directory)();
    const start = () => openLedger({ file: join(directory, "ledger.db"), clock: createStillClock() });
    expect(start).toThrow("did not finish");
    expect(existsSync(join(directory, "ledger.db"))).toBe(false);
    expect(restoreLedger(backup.file, directory)).toEqual(backup.audit);
    expect(readdirSync(directory).sort()).toEqual(["ledger.db", "lock.db"]);
  });
});
