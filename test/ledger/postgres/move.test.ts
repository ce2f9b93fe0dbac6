import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openLedger, openLedgerInPostgres } from "../../../src/ledger/ledger.ts";
import { readAddress } from "../../../src/ledger/postgres/address.ts";
import { moveToFile, moveToPostgres } from "../../../src/ledger/postgres/move.ts";
import { openPostgresReading } from "../../../src/ledger/postgres/read-only.ts";
import { auditLedger } from "../../../src/ledger/sqlite/audit.ts";
import { createExplainedQueries } from "../../../src/ledger/sqlite/explained.ts";
import { listCorrections, listRefunds, listSales } from "../../../src/ledger/sqlite/list-sales.ts";
import { openLedgerFile } from "../../../src/ledger/sqlite/open.ts";
import { reportLedger } from "../../../src/ledger/sqlite/report.ts";
import { createSqliteMoney } from "../../../src/ledger/sqlite/sqlite-money.ts";
import { createSqliteStories } from "../../../src/ledger/sqlite/sqlite-stories.ts";
import { noteSkipped } from "../../helpers/debian-package.ts";
import { failureOf } from "../../helpers/open-books.ts";
import { type PostgresServer, startPostgres, whyNoPostgres } from "../../helpers/postgres-server.ts";
import { addChannels } from "../../helpers/sample-channels.ts";
import { createSeller, makeSampleLedger, newLedgerFolder, removeLedgerFolders } from "../../helpers/sample-ledger.ts";
import { createStillClock } from "../../helpers/still-clock.ts";
import { holdSnapshot, issueIn } from "../../helpers/upgrade-actor.ts";

const why = whyNoPostgres();
if (why !== null) noteSkipped("a ledger that moves to PostgreSQL and back", why);

let server: PostgresServer;
beforeAll(async () => {
  if (why === null) server = await startPostgres();
});
afterAll(async () => {
  removeLedgerFolders();
  if (why === null) await server.stop();
});

const PERIOD = { from_ms: 0, until_ms: 4_000_000_000_000 };
const addressOf = (schema: string) => readAddress({ url: `${server.url}?schema=${schema}` });

function readFolder(directory: string) {
  const db = openLedgerFile(join(directory, "ledger.db"), { readonly: true });
  const read = { audit: auditLedger(db), report: reportLedger(db, PERIOD), sales: [...listSales(db, PERIOD)] };
  db.close();
  return read;
}

const PAYER = { word: "payer-1", key_hash: null };

const readByHand = (db: Parameters<typeof listCorrections>[0]) => ({
  corrections: listCorrections(db, PERIOD),
  explained: createExplainedQueries(db).list(9),
});

/** What the operator's commands tell of single sales and of sums. */
async function readStories(directory: string) {
  const db = openLedgerFile(join(directory, "ledger.db"), { readonly: true });
  const [found, sums] = [createSqliteStories(db).find(PAYER), createSqliteMoney(db).sums({ ...PERIOD, by: "product" })];
  const read = { found: await found, sums: await sums, refunds: listRefunds(db, PERIOD), ...readByHand(db) };
  db.close();
  return read;
}

describe.skipIf(why !== null)("a ledger", () => {
  test("says the same in a database as in its file, sells on there, and comes back", async () => {
    const { folder: directory, file } = await makeSampleLedger();
    const filled = openLedger({ file, clock: createStillClock() });
    await addChannels(filled);
    const [sold] = (await filled.receipts.page({ limit: 1, product: "gas" })).rows;
    await filled.refunds.giveBack({ receipt_id: sold?.id ?? "", amount: 500n, reference: "0xback", reason: "wrong" });
    const found = { received: 600n, reference: "page 1", reason: "wrong" };
    await filled.corrections.correct({ receipt_id: sold?.id ?? "", ...found });
    const own = { network: "eip155:8453", transaction: "0xown", reference: "page 2", reason: "my own" };
    await filled.explained.explain(own);
    await filled.close();
    const before = readFolder(directory);
    expect(before.audit.receipts).toBeGreaterThan(3);
    const stories = await readStories(directory);
    expect(stories.found.payments.length).toBeGreaterThan(1);
    const address = addressOf("there_and_back");
    const moved = await moveToPostgres({ directory, address, owner: "node" });
    expect(moved.audit).toEqual(before.audit);
    expect(existsSync(join(directory, "ledger.db"))).toBe(false);
    const reading = await openPostgresReading(address);
    expect(await reading.audit()).toEqual(before.audit);
    expect(await reading.report(PERIOD)).toEqual(before.report);
    expect(await reading.sales(PERIOD)).toEqual(before.sales);
    expect(await reading.find(PAYER)).toEqual(stories.found);
    expect(await reading.sums({ ...PERIOD, by: "product" })).toEqual([...stories.sums]);
    expect(await reading.refunds(PERIOD)).toEqual([...stories.refunds]);
    expect(await reading.corrections(PERIOD)).toEqual([...stories.corrections]);
    expect(await reading.explained()).toEqual([...stories.explained]);
    expect([stories.corrections.length, stories.explained.length]).toEqual([1, 1]);

    const clock = createStillClock();
    const ledger = await openLedgerInPostgres({ address, clock, owner: "node", seat: { name: null } });
    // Whoever has the books keeps everybody else out.
    const other = failureOf(openLedgerInPostgres({ address, clock, owner: "other", seat: { name: null } }));
    expect((await other).message).toContain("One node at a time");
    expect((await failureOf(moveToFile({ directory, address }))).message).toContain("One node at a time");
    await ledger.payments.recover();
    await ledger.charges.recover();
    const key = (await ledger.keys.page(0, 1))[0];
    expect(key?.created_at_ms).toBeGreaterThan(0);
    const given = { plan: "p", credit: 50_000n, duration_ms: null, pass: false, priority: 1, badge: null };
    const fresh = { public_id: "key_fresh", hash: "ab".repeat(32), salt: null, label: null, purchaser: null };
    const issued = await ledger.keys.issue(fresh, given, { by: "operator" });
    expect(issued.id).toBeGreaterThan(key?.id ?? 0);
    const charge = { key: issued, root: issued, product: "one", amount: 10n, now_ms: clock.now() };
    expect(await ledger.charges.debit(charge, { body: "{}", name: null })).toMatchObject({ ok: true });
    expect((await ledger.audit()).findings).toEqual([]);
    await ledger.close();

    const later = { audit: await reading.audit(), report: await reading.report(PERIOD) };
    await moveToFile({ directory, address });
    const back = readFolder(directory);
    expect(back.audit).toEqual(later.audit);
    expect(back.report).toEqual(later.report);
    const again = openLedger({ file: join(directory, "ledger.db"), clock });
    expect(await again.keys.byPublicId("key_fresh")).toMatchObject({ public_id: "key_fresh" });
    expect((await again.audit()).findings).toEqual([]);
    await again.close();
    // What was left behind is nobody's any more.
    const stale = failureOf(openLedgerInPostgres({ address, clock, owner: "node", seat: { name: null } }));
    expect((await stale).message).toContain("moved to");
    await reading.close();
  });

  test("whose move was cut off before its file was renamed is moved by the next one", async () => {
    const { folder: directory } = await makeSampleLedger();
    const address = addressOf("cut_off");
    await moveToPostgres({ directory, address, owner: "node" });
    renameSync(join(directory, "ledger.db.moved"), join(directory, "ledger.db"));
    expect((await moveToPostgres({ directory, address, owner: "node" })).audit.ok).toBe(true);
    expect(existsSync(join(directory, "ledger.db"))).toBe(false);
  });

  test("is moved with its log while somebody reads it, and nothing that lies in the way is lost", async () => {
    const { folder: directory, file } = await makeSampleLedger();
    writeFileSync(join(directory, "ledger.db.moved"), "of an earlier move");
    const endReading = holdSnapshot(directory);
    const ledger = openLedger({ file, clock: createStillClock() });
    await issueIn(ledger, "key_moved");
    await ledger.close();
    const before = readFolder(directory);
    const address = addressOf("read_meanwhile");
    await moveToPostgres({ directory, address, owner: "node" });
    endReading();
    expect(readdirSync(directory).filter((name) => name.startsWith("ledger.db-"))).toEqual([]);
    renameSync(join(directory, "ledger.db.moved"), join(directory, "other.db"));
    renameSync(join(directory, "ledger.db.moved-wal"), join(directory, "other.db-wal"));
    const db = openLedgerFile(join(directory, "other.db"), { readonly: true });
    expect(auditLedger(db)).toEqual(before.audit);
    db.close();
    // The log of some other file would be read as part of the one that comes back.
    writeFileSync(`${file}-wal`, "left");
    await moveToFile({ directory, address });
    expect(readFolder(directory).audit).toEqual(before.audit);
    const kept = readdirSync(directory).filter(
      (name) => /^ledger\.db\.(?:moved-|left-)/.test(name) && !name.endsWith("-shm"),
    );
    expect(kept.map((name) => readFileSync(join(directory, name), "utf8")).sort()).toEqual([
      "left",
      "of an earlier move",
    ]);
  });

  test("is not moved onto another one, nor when its books are broken", async () => {
    const { folder: directory } = await makeSampleLedger();
    const address = addressOf("taken");
    await moveToPostgres({ directory, address, owner: "node" });
    const other = newLedgerFolder();
    const file = join(other, "ledger.db");
    const ledger = openLedger({ file, clock: createStillClock() });
    await createSeller(ledger, () => 0).sell();
    await ledger.close();
    const refusal = await failureOf(moveToPostgres({ directory: other, address, owner: "node" }));
    expect(refusal.message).toContain("is not the same in both");
    const db = openLedgerFile(file);
    db.run("UPDATE accounts SET posted = posted + 1 WHERE id = 'revenue:sales'");
    db.close();
    const empty = addressOf("empty");
    expect((await failureOf(moveToPostgres({ directory: other, address: empty, owner: "node" }))).message).toContain(
      "I2",
    );
    expect(existsSync(file)).toBe(true);
  });
});
