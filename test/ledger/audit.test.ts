import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { AUDIT_RULES } from "../../src/ledger/audit-rules.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { auditLedger } from "../../src/ledger/sqlite/audit.ts";
import { openLedgerFile } from "../../src/ledger/sqlite/open.ts";
import { addChannels, addPlansByVoucher } from "../helpers/sample-channels.ts";
import { makeSampleLedger, newLedgerFolder, removeLedgerFolders, type Sample } from "../helpers/sample-ledger.ts";
import { createStillClock } from "../helpers/still-clock.ts";

let sample: Sample;
beforeAll(async () => {
  sample = await makeSampleLedger();
  const ledger = openLedger({ file: sample.file, clock: createStillClock() });
  await addChannels(ledger);
  await addPlansByVoucher(ledger);
  await ledger.close();
});
afterAll(removeLedgerFolders);

/** Copies the sample, changes it as no part of the node could, and audits it. */
function auditBroken(sql: string) {
  const file = join(newLedgerFolder(), "ledger.db");
  copyFileSync(sample.file, file);
  const db = new Database(file);
  const triggers = db.query("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all() as { name: string }[];
  for (const { name } of triggers) db.run(`DROP TRIGGER ${name}`);
  db.run("PRAGMA foreign_keys = OFF");
  db.run("PRAGMA ignore_check_constraints = ON");
  const before = db.query("SELECT total_changes() AS n").get() as { n: number };
  db.run(sql);
  const after = db.query("SELECT total_changes() AS n").get() as { n: number };
  db.close();
  // A test that changes no row would prove nothing.
  expect(after.n).toBeGreaterThan(before.n);
  const audited = openLedgerFile(file, { readonly: true });
  const report = auditLedger(audited);
  audited.close();
  return report;
}

const FIRST_CALL = "(SELECT min(id) FROM calls WHERE access = 'debit')";
const FIRST_SALE = "(SELECT min(id) FROM transfers WHERE kind = 'sale')";
const PURCHASE = "(SELECT payment_id FROM grants WHERE payment_id IS NOT NULL ORDER BY id LIMIT 1)";
const BY_VOUCHER = "payment_id IS NULL AND paid > 0";
const AFTER_ALL = "(SELECT max(id) + 1000 FROM transfers)";
const move = (kind: string, reference: string, accounts: string, amount = 1) =>
  `INSERT INTO transfers (id, kind, reference, source, target, amount)
   VALUES (${AFTER_ALL}, '${kind}', '${reference}', ${accounts}, ${amount})`;

/** Money sent back by hand, by a transfer that is another's. */
const giveBack = (amount: string) =>
  `INSERT INTO given_back (id, receipt_id, amount, reference, reason)
   SELECT transfer_id, id, ${amount}, 'r', 'x' FROM receipts WHERE seq = 1`;

/** What came in for a sale, found to be another sum, by a transfer that is another's. */
const correct = (amount: string, received: string) =>
  `INSERT INTO corrections (id, receipt_id, amount, received, reference, reason)
   SELECT transfer_id, id, ${amount}, ${received}, 'r', 'x' FROM receipts WHERE seq = 1`;

/** The start of a rule's text, and what breaks it. */
const BREAKS: readonly (readonly [string, string])[] = [
  ["transfer without two", `UPDATE transfers SET target = 'nobody' WHERE id = ${FIRST_SALE}`],
  ["transfer without two", `UPDATE transfers SET amount = 0 WHERE id = ${FIRST_SALE}`],
  ["transfer without two", `UPDATE transfers SET target = source WHERE id = ${FIRST_SALE}`],
  ["account whose name", "UPDATE accounts SET kind = 'revenue' WHERE id = 'promotion:bonus'"],
  ["transfer between", `UPDATE transfers SET target = 'revenue:expired' WHERE id = ${FIRST_SALE}`],
  ["transfer between", `UPDATE transfers SET kind = 'bonus' WHERE id = ${FIRST_SALE}`],
  ["transfer between", "UPDATE transfers SET source = 'revenue:sales' WHERE kind = 'debit'"],
  ["account whose posted", "UPDATE accounts SET posted = posted + 1 WHERE id = 'revenue:calls'"],
  ["account whose posted", `DELETE FROM transfers WHERE id = ${FIRST_CALL}`],
  ["account whose pending", "UPDATE accounts SET pending = 0 WHERE id = 'credit:key_credits'"],
  ["account whose pending", "UPDATE holds SET state = 'expired' WHERE state = 'pending'"],
  ["count of landings", "UPDATE landing_counts SET count = count + 1 WHERE hour = -1 AND state = 'missing'"],
  ["total of an hour", "UPDATE receipt_hours SET amount = amount + 1"],
  ["total of an hour", "DELETE FROM receipt_hours WHERE label = 'operator-test'"],
  ["count of landings", "UPDATE landings SET state = 'missing' WHERE state = 'pending'"],
  ["key whose usage", "UPDATE key_usage SET spent = spent + 1 WHERE spent > 0"],
  ["key whose usage", "UPDATE key_usage SET calls = calls - 1 WHERE calls > 0"],
  ["key whose usage", "DELETE FROM key_usage WHERE spent > 0"],
  ["key whose usage", `DELETE FROM calls WHERE id = ${FIRST_CALL}`],
  ["key whose usage", "UPDATE key_usage SET last_call = last_call - 1 WHERE last_call > 0"],
  ["credit account below", "UPDATE accounts SET posted = -1 WHERE id = 'credit:key_half'"],
  ["credit account below", "UPDATE accounts SET pending = posted + 1 WHERE id = 'credit:key_credits'"],
  ["key that draws", "UPDATE keys SET account = 'credit:key_test' WHERE public_id = 'key_credits'"],
  ["key that draws", "UPDATE keys SET account = 'credit:key_credits' WHERE public_id = 'key_child'"],
  ["key that draws", "UPDATE keys SET parent = id WHERE public_id = 'key_child'"],
  ["call above the cap", "UPDATE keys SET call_cap = 2000 WHERE public_id = 'key_child'"],
  ["holds that were posted", "UPDATE holds SET state = 'posted' WHERE state <> 'posted'"],
  ["hold that was charged", "UPDATE holds SET charged = 1 WHERE state <> 'posted'"],
  ["hold on an account", "UPDATE holds SET account = 'credit:key_test'"],
  ["coupon that is used", "UPDATE coupons SET state = 'used' WHERE id = 'three'"],
  ["coupon that is used", "UPDATE coupons SET state = 'held' WHERE id = 'one'"],
  ["coupon that is used", "DELETE FROM coupons WHERE id = 'one'"],
  ["coupon that is used", move("coupon", "coupon:one", "'promotion:welcome', 'revenue:calls'", 2_500)],
  ["payment that is charged", "UPDATE payments SET authorized = amount - 1 WHERE state = 'settled'"],
  ["chain transaction", "UPDATE receipts SET chain_transaction = 'same', network = 'one'"],
  ["money that came in", move("sale", "pay_x", "'chain:eip155:84532', 'revenue:sales'")],
  ["money that came in", `UPDATE transfers SET reference = 'pay_other' WHERE id = ${FIRST_SALE}`],
  ["refund that is not", "UPDATE transfers SET amount = amount - 1 WHERE kind = 'refund'"],
  ["refund that is not", "UPDATE transfers SET reference = 'call:1' WHERE kind = 'refund'"],
  ["refund that is not", "UPDATE transfers SET target = 'credit:key_test' WHERE kind = 'refund'"],
  [
    "refund that is not",
    `DROP INDEX transfers_refunds; INSERT INTO transfers (id, kind, reference, source, target, amount)
     SELECT ${AFTER_ALL}, kind, reference, source, target, amount FROM transfers WHERE kind = 'refund'`,
  ],
  ["refund by hand that", giveBack("amount")],
  ["sale of which more", giveBack("amount + 1")],
  ["transfer out of the refunds", move("correction", "refund:x", "'revenue:refunds', 'chain:eip155:84532'")],
  ["correction that is not", correct("amount", "0")],
  ["correction after which", correct("0", "amount + 1")],
  ["transfer from or to the corr", move("correction", "correct:x", "'revenue:corrections', 'chain:eip155:84532'")],
  ["name of a call", "UPDATE call_names SET key_id = 2"],
  ["name of a call", "UPDATE call_names SET call_id = 1"],
  ["settled payment without", "DELETE FROM receipts WHERE seq = 1"],
  ["settled payment without", "UPDATE payments SET state = 'abandoned' WHERE id = (SELECT payment_id FROM receipts)"],
  ["receipt whose amount", "UPDATE receipts SET amount = amount + 1 WHERE seq = 1"],
  ["receipt whose amount", "UPDATE receipts SET chain_transaction = 'another' WHERE seq = 1"],
  ["receipt whose amount", "UPDATE receipts SET payment_id = 'pay_nobody' WHERE seq = 1"],
  ["receipt whose transfer does", "UPDATE receipts SET transfer_id = 1 WHERE seq = 1"],
  ["receipt whose transfer does", "UPDATE receipts SET network = 'eip155:8453' WHERE seq = 1"],
  ["total that is not", "UPDATE receipt_totals SET amount = amount + 1 WHERE product = 'gas'"],
  ["total that is not", "DELETE FROM receipt_totals WHERE product = 'gas'"],
  ["total that is not", "INSERT INTO receipt_totals VALUES ('nothing', 'organic', 1, 1, 1)"],
  ["call whose debit", `UPDATE transfers SET amount = amount + 1 WHERE id = ${FIRST_CALL}`],
  ["call whose debit", `UPDATE calls SET product = 'another' WHERE id = ${FIRST_CALL}`],
  ["call whose debit", `UPDATE calls SET key_id = NULL WHERE id = ${FIRST_CALL}`],
  ["call whose debit", "UPDATE calls SET access = 'debit' WHERE access = 'pass'"],
  ["call of a pass", "UPDATE calls SET amount = 1 WHERE access = 'pass'"],
  ["call of a pass", `UPDATE calls SET access = 'pass' WHERE id = ${FIRST_CALL}`],
  ["call of a pass", "UPDATE keys SET pass_until = NULL"],
  ["call of a coupon", "UPDATE calls SET key_id = 1 WHERE access = 'coupon'"],
  ["call of a coupon", "UPDATE calls SET amount = amount + 1 WHERE access = 'coupon'"],
  ["call of a coupon", `UPDATE calls SET access = 'coupon' WHERE id = ${FIRST_CALL}`],
  ["transfer that paid", `DELETE FROM calls WHERE id = ${FIRST_CALL}`],
  ["transfer that paid", "DELETE FROM calls WHERE access = 'coupon'"],
  ["payment that was or may", "UPDATE payments SET answer = NULL WHERE state = 'unknown'"],
  ["call that was charged", "UPDATE calls SET answer_id = NULL WHERE access = 'debit'"],
  ["receipt that is not later", "UPDATE receipts SET settled_at = settled_at - 200000000000 WHERE seq = 5"],
  ["receipt whose transfer is not", `UPDATE receipts SET transfer_id = ${AFTER_ALL} WHERE seq = 1`],
  ["call that does not name", `UPDATE calls SET previous = 0 WHERE previous > 0`],
  ["call that does not name", `UPDATE calls SET previous = id - 1 WHERE id = ${FIRST_CALL}`],
  ["grant whose credit", "UPDATE grants SET credit = credit + 1 WHERE id = 1"],
  ["grant whose credit", "UPDATE grants SET paid = paid - 1 WHERE id = 1"],
  ["grant whose credit", "UPDATE transfers SET amount = amount + 1 WHERE kind = 'bonus' AND reference LIKE 'grant:%'"],
  ["grant whose credit", `DELETE FROM transfers WHERE kind = 'bonus' AND reference = ${PURCHASE}`],
  ["credit that was issued", move("bonus", "grant:1", "'promotion:goodwill', 'credit:key_test'")],
  ["credit that was issued", `UPDATE transfers SET target = 'credit:key_test' WHERE kind = 'bonus'`],
  ["credit that was issued", "DELETE FROM grants WHERE id = 1"],
  [
    "grant that is not what",
    "UPDATE payments SET purchase = json_set(purchase, '$.grant.credit', '9') WHERE purchase > ''",
  ],
  [
    "grant that is not what",
    "UPDATE payments SET purchase = json_set(purchase, '$.receipt_id', 'x') WHERE purchase > ''",
  ],
  ["grant that is not what", "UPDATE grants SET plan = 'enterprise' WHERE id = 1"],
  ["grant that is not what", "UPDATE grants SET duration_ms = 9 WHERE duration_ms IS NOT NULL"],
  ["settled purchase without", "DELETE FROM grants WHERE id = 1"],
  ["balance that is not the sum", "UPDATE lots SET credit = credit + 1 WHERE ended_at IS NULL"],
  ["balance that is not the sum", "DELETE FROM lots WHERE ended_at IS NULL"],
  ["balance that is not the sum", "UPDATE lots SET expired = 0, transfer_id = NULL WHERE expired > 0"],
  ["key whose lots are not", "UPDATE lots SET credit = credit - 1 WHERE ended_at IS NULL"],
  ["key whose lots are not", move("expiry", "key_credits", "'credit:key_credits', 'revenue:expired'")],
  ["expiry that is not", "UPDATE lots SET expired = expired + 1 WHERE expired > 0"],
  ["expiry that is not", `UPDATE lots SET transfer_id = ${FIRST_CALL} WHERE expired > 0`],
  [
    "expiry that is not",
    "UPDATE lots SET key_id = (SELECT id FROM keys WHERE public_id = 'key_test') WHERE expired > 0",
  ],
  ["channel that is charged", "UPDATE channels SET claimed = charged + 1 WHERE charged > 0"],
  ["channel that is charged", "UPDATE channels SET charged = signed + 1 WHERE charged > 0"],
  ["channel that is charged", "UPDATE channels SET refunded = deposited WHERE charged > 0"],
  ["channel whose account", "UPDATE channels SET deposited = deposited + 1 WHERE charged > 0"],
  ["account of a channel", "DELETE FROM channels WHERE charged > 0"],
  ["channel that earned", "UPDATE channel_steps SET amount = amount + 1"],
  ["channel that earned", "DELETE FROM channel_steps WHERE signed = 20"],
  ["step that does not go on", "UPDATE channel_steps SET signed = 15 WHERE signed = 20"],
  ["step without its transfer", "UPDATE channel_steps SET product = 'other'"],
  ["step without its transfer", "UPDATE transfers SET reference = 'other' WHERE kind = 'voucher'"],
  ["grant that was paid for by no payment", `UPDATE grants SET at = at + 500 WHERE ${BY_VOUCHER}`],
  ["grant that was paid for by no payment", `UPDATE grants SET paid = paid + 1 WHERE ${BY_VOUCHER}`],
  [
    "grant that was paid for by no payment",
    "UPDATE channel_steps SET amount = amount + 1 WHERE product = 'buy-credits'",
  ],
  [
    "voucher that bought more",
    `UPDATE grants SET at = (SELECT min(at) FROM grants WHERE ${BY_VOUCHER}) WHERE ${BY_VOUCHER}`,
  ],
  ["plan sold by a deposit's", `DELETE FROM grants WHERE ${BY_VOUCHER}`],
  ["plan sold by a deposit's", `UPDATE grants SET paid = paid + 1 WHERE ${BY_VOUCHER}`],
  ["escrow that is not", "UPDATE accounts SET posted = posted + 1 WHERE kind = 'escrow'"],
  ["claimed money that", "UPDATE accounts SET posted = posted + 1 WHERE kind = 'claimed'"],
  ["claimed money that", "UPDATE channels SET claimed = 20 WHERE charged > 0"],
  ["sweep that is not", "DELETE FROM channel_moves WHERE kind = 'sweep'"],
  ["open move of a channel", "UPDATE channels SET open_move = NULL"],
  ["open move of a channel", "UPDATE channel_moves SET state = 'failed' WHERE state = 'sending'"],
  ["key that does not say", "UPDATE keys SET lot_until = 1 WHERE account IS NOT NULL"],
];

describe("the audit", () => {
  test("passes a ledger with everything in it", () => {
    const db = openLedgerFile(sample.file, { readonly: true });
    const report = auditLedger(db);
    const rows = (table: string) => Number((db.query(`SELECT count(*) AS n FROM ${table}`).get() as { n: bigint }).n);
    for (const table of ["grants", "holds", "calls", "coupons", "call_names", "landings"]) {
      expect(rows(table)).toBeGreaterThan(0);
    }
    db.close();
    expect(report.findings).toEqual([]);
    expect(report.ok).toBe(true);
  });

  test.each(BREAKS)("finds a %s…: %s", (what, sql) => {
    const rule = AUDIT_RULES.find((one) => one.what.startsWith(what));
    if (!rule) throw new Error(`no rule begins with "${what}"`);
    const report = auditBroken(sql);
    expect(report.ok).toBe(false);
    const found = report.findings.filter((finding) => finding.message.startsWith(`${rule.what}: `));
    expect(found.map((finding) => finding.rule)).toContain(rule.rule);
  });

  test("has no rule that is not broken here", () => {
    const untested = AUDIT_RULES.filter(({ what }) => !BREAKS.some(([start]) => what.startsWith(start)));
    expect(untested).toEqual([]);
  });

  test("finds accounts that do not add up to nothing", () => {
    const { findings } = auditBroken("UPDATE accounts SET posted = posted + 7 WHERE id = 'promotion:bonus'");
    expect(findings).toContainEqual({ rule: "I1", message: "all accounts together hold 7, not 0" });
  });

  test("finds a reference to nothing, and names no more than 100 rows of a rule", () => {
    const rows = "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 150)";
    const { findings } = auditBroken(
      `INSERT INTO call_names ${rows} SELECT 1, 'name ' || i, 'f', i, 1 FROM n;
       UPDATE landings SET receipt_id = 'x' || receipt_id`,
    );
    expect(findings.filter((finding) => finding.message.startsWith("name of a call"))).toHaveLength(100);
    expect(findings).toContainEqual({ rule: "file", message: "dangling reference in landings" });
  });
});
