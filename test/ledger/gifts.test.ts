import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { sha256Hex } from "../../src/core/hash.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { openLedgerFile } from "../../src/ledger/sqlite/open.ts";
import { reportLedger } from "../../src/ledger/sqlite/report.ts";
import { newLedgerFolder, removeLedgerFolders } from "../helpers/sample-ledger.ts";
import { createStillClock } from "../helpers/still-clock.ts";

afterAll(removeLedgerFolders);

test("credit that was given away and never used is no revenue, revoked or expired", async () => {
  const file = join(newLedgerFolder(), "ledger.db");
  const clock = createStillClock();
  const ledger = openLedger({ file, clock });
  const grant = { plan: "operator", credit: 5_000_000n, duration_ms: null, pass: false, priority: 1, badge: null };
  const key = { public_id: "key_gift", hash: sha256Hex("gift"), salt: null, label: null, purchaser: null };
  await ledger.keys.issue(key, grant, { by: "operator" });
  await ledger.keys.revoke("key_gift");
  expect(await ledger.keys.expire("key_gift")).toBe(5_000_000n);
  await ledger.close();
  const db = openLedgerFile(file, { readonly: true });
  const report = reportLedger(db, { from_ms: clock.now() - 3_600_000, until_ms: clock.now() + 3_600_000 });
  db.close();
  expect(report.revenue).toEqual([]);
  expect(report.unused_gifts).toEqual({ count: 1, amount: 5_000_000n });
  expect(report.promotion.reduce((sum, { amount }) => sum + amount, 0n)).toBe(5_000_000n);
});
