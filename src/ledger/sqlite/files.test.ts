import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createStillClock } from "../../../test/helpers/still-clock.ts";
import { openLedger } from "../ledger.ts";
import { assertLogEmptied, emptyLog } from "./files.ts";
import { openLedgerFile } from "./open.ts";

const folder = mkdtempSync(join(tmpdir(), "ledger-files-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A reader of a new ledger, and a writer that has written since. */
function readMeanwhile(name: string) {
  const file = join(folder, name);
  const db = openLedgerFile(file);
  const reader = new Database(file, { readonly: true });
  reader.run("BEGIN");
  reader.query("SELECT count(*) FROM accounts").get();
  db.run("CREATE TABLE extra (id INTEGER) STRICT");
  const read = () => reader.query("SELECT count(*) AS n FROM sqlite_schema WHERE name = 'extra'").get();
  return { file, db, reader, read };
}

test("a log is not emptied while somebody reads what was before it, and that is said", () => {
  const { file, db, reader, read } = readMeanwhile("read.db");
  expect(emptyLog(db)).toBe(false);
  expect(() => assertLogEmptied(db, file)).toThrow("being read by another process");
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);
  expect(read()).toEqual({ n: 0 });
  reader.close();
  expect(emptyLog(db)).toBe(true);
  assertLogEmptied(db, file);
  expect(statSync(`${file}-wal`).size).toBe(0);
  db.close();
});

test("a ledger says whether its log was emptied, and closes with a reader beside it", async () => {
  const { file, db, reader } = readMeanwhile("node.db");
  db.close();
  const ledger = openLedger({ file, clock: createStillClock() });
  expect(await ledger.checkpoint()).toBe(false);
  await ledger.close();
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);
  reader.close();
});
