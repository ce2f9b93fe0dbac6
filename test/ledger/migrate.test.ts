import { Database } from "bun:sqlite";
import { afterEach, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLedger } from "../../src/ledger/ledger.ts";
import { auditLedger } from "../../src/ledger/sqlite/audit.ts";
import { LedgerOpenError, MIGRATIONS, migrateLedger } from "../../src/ledger/sqlite/migrate.ts";
import { openLedgerFile } from "../../src/ledger/sqlite/open.ts";
import { createStillClock } from "../helpers/still-clock.ts";

const SCHEMA_1 = readFileSync(join(import.meta.dir, "schema-1.sql"), "utf8");
/** What schema 1's own audit said of it. */
const BALANCES = [
  { id: "chain:eip155:8453", posted: -95_000n, pending: 0n },
  { id: "chain:eip155:84532", posted: -15_000n, pending: 0n },
  { id: "revenue:sales", posted: 110_000n, pending: 0n },
];
const DIGEST = "f03e418c04dde0e3503ae38b73dda044491757858dbdef087d7d8b1e48fc1bc9";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function oldLedger(): { folder: string; file: string } {
  const folder = mkdtempSync(join(tmpdir(), "migrate-"));
  folders.push(folder);
  const file = join(folder, "ledger.db");
  const db = new Database(file, { create: true });
  db.run("PRAGMA journal_mode = WAL");
  db.run(SCHEMA_1);
  db.close();
  return { folder, file };
}

/** Every row of every table, to compare whole files by content. */
function contentOf(file: string): unknown {
  const db = new Database(file, { readonly: true, safeIntegers: true });
  const tables = db.query("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all() as {
    name: string;
  }[];
  const version = db.query("PRAGMA user_version").get();
  const rows = tables.map(({ name }) => [name, db.query(`SELECT * FROM ${name}`).values()]);
  db.close();
  return { version, rows };
}

describe("a ledger of schema 1", () => {
  test("is migrated with equal balances, payments, receipts and digest, and audits clean", () => {
    const { file } = oldLedger();
    const before = new Database(file, { readonly: true, safeIntegers: true });
    const shared =
      "id, payment_id, network, chain_transaction, product, asset, amount, payer, pay_to, label, settled_at";
    const receipts = before.query(`SELECT ${shared} FROM receipts ORDER BY seq`).all();
    const moves = before.query("SELECT account_id, amount FROM postings ORDER BY transfer_id, amount").values();
    const payments = before.query("SELECT id, state, answer, updated_at FROM payments ORDER BY id").all();
    before.close();

    const db = openLedgerFile(file);
    const report = auditLedger(db);
    expect(report.findings).toEqual([]);
    expect(report.accounts).toEqual(BALANCES);
    expect(report.receipts_digest).toBe(DIGEST);
    expect(db.query(`SELECT ${shared} FROM receipts ORDER BY seq`).all()).toEqual(receipts);
    expect(db.query("SELECT account_id, amount FROM postings ORDER BY transfer_id, amount").values()).toEqual(moves);
    expect(db.query("SELECT id, state, answer, updated_at FROM payments ORDER BY id").all()).toEqual(payments);
    expect(db.query("PRAGMA foreign_keys").get()).toEqual({ foreign_keys: 1n });
    db.close();
  });

  test("is copied first, for its owner's eyes, and the copy is the file as it was", () => {
    const { file } = oldLedger();
    const before = contentOf(file);
    openLedgerFile(file).close();
    const copy = `${file}.before-schema-2`;
    expect(contentOf(copy)).toEqual(before);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    const db = new Database(copy, { readonly: true });
    expect(db.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    expect(db.query("PRAGMA application_id").get()).toEqual({ application_id: 0x696e6b4c });
    db.close();
  });

  test("sells on after its migration, with ledger times that go on rising", async () => {
    const { file } = oldLedger();
    const clock = createStillClock();
    // Before the newest transfer of the file.
    clock.set(Date.parse("2026-11-01T00:00:00Z"));
    const ledger = openLedger({ file, clock });
    expect(await ledger.payments.recover()).toEqual({ abandoned: 1, unknown: 1 });
    for (const { id } of await ledger.payments.listUnknown(10)) {
      await ledger.payments.settle(id, { chain_transaction: `0x${id}`, label: "organic", delivered: false });
    }
    const report = await ledger.audit();
    expect(report.findings).toEqual([]);
    expect(report.receipts).toBe(12);
    await ledger.close();
  });

  test("is not migrated by a reader, and the reader says what to do", () => {
    const { file, folder } = oldLedger();
    expect(() => openLedgerFile(file, { readonly: true })).toThrow("start the node");
    expect(readdirSync(folder).filter((name) => name.includes("before"))).toEqual([]);
  });
});

describe("a migration that fails", () => {
  const faulty = [
    ["with a wrong statement", "CREATE TABLE extra (id INTEGER); INSERT INTO nowhere VALUES (1);"],
    ["with a rule of the books", "UPDATE receipts SET amount = 0;"],
    ["by a dangling reference", "DROP TRIGGER receipts_stay; UPDATE payments SET id = 'x' || id;"],
  ] as const;
  test.each(faulty)("%s leaves the old file as it was", (_, sql) => {
    const { file } = oldLedger();
    const before = contentOf(file);
    const db = new Database(file, { safeIntegers: true });
    const migrations = [MIGRATIONS[0] ?? "", sql];
    expect(() => migrateLedger(db, { file, readonly: false, migrations })).toThrow(LedgerOpenError);
    db.close();
    expect(contentOf(file)).toEqual(before);
    // The program of that schema, and the one with a sound migration, can both go on.
    const again = new Database(file, { safeIntegers: true });
    migrateLedger(again, { file, readonly: true, migrations: [MIGRATIONS[0] ?? ""] });
    migrateLedger(again, { file, readonly: false });
    expect(auditLedger(again).findings).toEqual([]);
    again.close();
  });

  test("after one that worked leaves the file at the schema that worked", () => {
    const { file } = oldLedger();
    const db = new Database(file, { safeIntegers: true });
    const migrations = [...MIGRATIONS, "DROP TABLE nothing;"];
    expect(() => migrateLedger(db, { file, readonly: false, migrations })).toThrow(
      `schema ${migrations.length} failed`,
    );
    expect(db.query("PRAGMA user_version").get()).toEqual({ user_version: BigInt(MIGRATIONS.length) });
    expect(auditLedger(db).findings).toEqual([]);
    db.close();
    expect(existsSync(`${file}.before-schema-${migrations.length}`)).toBe(true);
  });

  test("because the copy cannot be written is not begun", () => {
    const { file } = oldLedger();
    const before = contentOf(file);
    // A folder where the copy has to go.
    const blocked = `${file}.before-schema-2`;
    mkdirSync(join(blocked, "full"), { recursive: true });
    const db = new Database(file, { safeIntegers: true });
    expect(() => migrateLedger(db, { file, readonly: false })).toThrow("could not be copied first");
    db.close();
    expect(contentOf(file)).toEqual(before);
  });
});

describe("copies before migrations", () => {
  test("the newest three are kept", () => {
    const { file, folder } = oldLedger();
    for (let n = 2; n <= 6; n++) {
      const copy = `${file}.before-schema-${90 + n}`;
      writeFileSync(copy, "old");
      utimesSync(copy, n * 1_000, n * 1_000);
    }
    writeFileSync(`${file}.before-schema-x`, "not ours");
    const db = new Database(file, { safeIntegers: true });
    migrateLedger(db, { file, readonly: false, migrations: MIGRATIONS.slice(0, 2) });
    db.close();
    const kept = readdirSync(folder).filter((name) => name.includes("before"));
    const wanted = ["2", "95", "96", "x"].map((n) => `ledger.db.before-schema-${n}`);
    expect(kept.sort()).toEqual(wanted.sort());
  });

  test("all of one upgrade are kept, however many steps it took: the first is the file before it", () => {
    const { file, folder } = oldLedger();
    const more = ["a", "b", "c"].map((name) => `CREATE TABLE step_${name} (id INTEGER) STRICT;`);
    const db = new Database(file, { safeIntegers: true });
    migrateLedger(db, { file, readonly: false, migrations: [...MIGRATIONS, ...more] });
    db.close();
    const kept = readdirSync(folder).filter((name) => name.includes("before"));
    const steps = [...MIGRATIONS, ...more].slice(1).map((_, index) => `ledger.db.before-schema-${index + 2}`);
    expect(kept.sort()).toEqual(steps.sort());
  });

  test("a new ledger has none", () => {
    const folder = mkdtempSync(join(tmpdir(), "migrate-"));
    folders.push(folder);
    openLedgerFile(join(folder, "ledger.db")).close();
    expect(readdirSync(folder)).toEqual(["ledger.db"]);
  });
});

describe("a file that is not for this program", () => {
  test("a newer one is refused with both versions, and left as it is", () => {
    const { file } = oldLedger();
    const db = new Database(file, { safeIntegers: true });
    const migrations = [...MIGRATIONS, "CREATE TABLE future (id INTEGER) STRICT;"];
    migrateLedger(db, { file, readonly: false, migrations, program: "9.8.7" });
    db.close();
    const before = contentOf(file);
    for (const readonly of [true, false]) {
      const refusal = () => openLedgerFile(file, { readonly });
      expect(refusal).toThrow(`schema ${migrations.length}, written by intel-node 9.8.7`);
      const ours = `which knows schema ${MIGRATIONS.length}`;
      expect(refusal).toThrow(new RegExp(`this is intel-node \\d+\\.\\d+\\.\\d+, ${ours}`));
    }
    expect(contentOf(file)).toEqual(before);
  });

  test("a foreign database is refused before a byte of it is changed", () => {
    const { folder } = oldLedger();
    const file = join(folder, "foreign.db");
    const db = new Database(file, { create: true });
    db.run("CREATE TABLE other (id INTEGER)");
    db.close();
    const before = readFileSync(file);
    expect(() => openLedgerFile(file)).toThrow("is not an intel-node ledger");
    expect(readFileSync(file)).toEqual(before);
  });

  test("a file without a ledger is refused by a reader", () => {
    const { folder } = oldLedger();
    const file = join(folder, "new.db");
    const db = new Database(file, { create: true });
    db.run("PRAGMA journal_mode = WAL");
    db.close();
    expect(() => openLedgerFile(file, { readonly: true })).toThrow("holds no ledger");
  });

  test("a ledger cut off to nothing is refused: it is no first start", () => {
    const { file } = oldLedger();
    writeFileSync(file, "");
    expect(() => openLedgerFile(file)).toThrow("is empty: it was cut off");
    expect(statSync(file).size).toBe(0);
  });
});
