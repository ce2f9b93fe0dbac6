import { Database } from "bun:sqlite";
import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeBooksAfterEach, ENGINE, failureOf, openBooks, runOnBooks } from "../../test/helpers/open-books.ts";
import { createStillClock } from "../../test/helpers/still-clock.ts";
import type { Ledger } from "./ledger.ts";
import type { NewPayment } from "./payment-row.ts";
import type { ReceiptFilter } from "./receipts.ts";
import { LedgerOpenError } from "./sqlite/migrate.ts";
import { lockDataDirectory } from "./sqlite/open.ts";

closeBooksAfterEach();

const folders: string[] = [];
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), "ledger-"));
  folders.push(folder);
  return folder;
};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const open = async (folder = newFolder()) => {
  const clock = createStillClock();
  const file = join(folder, "ledger.db");
  return { ledger: await openBooks({ file, clock }), clock, file, folder };
};

const payment = (n: number, more: Partial<NewPayment> = {}): NewPayment => ({
  replay_key: `evm:84532:0xusdc:0xpayer:${n}`,
  payload_hash: `hash-${n}`,
  fingerprint: "request",
  product: "fear-greed",
  network: "eip155:84532",
  asset: "0xusdc",
  payer: "0xpayer",
  pay_to: "0xseller",
  amount: 10_000n,
  valid_until_ms: 4_000_000_000_000,
  payload: "{}",
  ...more,
});

const sell = async (ledger: Ledger, n: number, more: Partial<NewPayment> = {}) => {
  const begun = await ledger.payments.begin(payment(n, more));
  if (!begun.started) throw new Error("not started");
  await ledger.payments.keepAnswer(begun.id, `answer-${n}`);
  const chain_transaction = `0xtx${n}`;
  const booked = await ledger.payments.settle(begun.id, { chain_transaction, label: "organic", delivered: true });
  if (booked === null) throw new Error("not settled");
  return { id: begun.id, receipt: booked.receipt_id };
};

describe("a sale", () => {
  test("moves its amount from the chain account to revenue, once, and leaves a receipt", async () => {
    const { ledger } = await open();
    const { id, receipt } = await sell(ledger, 1);
    const again = { chain_transaction: "0xother", label: "organic", delivered: true } as const;
    expect(await ledger.payments.settle(id, again)).toMatchObject({ receipt_id: receipt });
    const report = await ledger.audit();
    expect(report.findings).toEqual([]);
    expect(report.accounts).toEqual([
      { id: "chain:eip155:84532", posted: -10_000n, pending: 0n },
      { id: "revenue:sales", posted: 10_000n, pending: 0n },
    ]);
    expect((await ledger.receipts.get(receipt))?.chain_transaction).toBe("0xtx1");
    expect((await ledger.receipts.totals()).organic).toEqual({ count: 1, amount: 10_000n });
  });

  test("cannot be settled before its answer is kept, and trying stops the ledger", async () => {
    const { ledger } = await open();
    const begun = await ledger.payments.begin(payment(1));
    if (!begun.started) throw new Error("not started");
    const settled = { chain_transaction: "0x1", label: "organic", delivered: true } as const;
    await ledger.flush();
    expect(await failureOf(ledger.payments.settle(begun.id, settled))).toMatchObject({ code: "ledger_unavailable" });
    expect(ledger.halted).toContain("I5");
    expect(await failureOf(sell(ledger, 2))).toMatchObject({ code: "ledger_unavailable" });
    expect((await ledger.audit()).ok).toBe(true);
  });
});

describe("a replay key", () => {
  test("that settled is never taken in again", async () => {
    const { ledger } = await open();
    await sell(ledger, 7);
    const all = await Promise.all(Array.from({ length: 50 }, () => ledger.payments.begin(payment(7))));
    expect(all.filter((begun) => begun.started)).toHaveLength(0);
  });

  test("may start over after a rejection, for another request", async () => {
    const { ledger } = await open();
    const first = await ledger.payments.begin(payment(1));
    if (!first.started) throw new Error("not started");
    ledger.payments.drop(first.id, payment(1).replay_key, { state: "rejected", reason: "insufficient_funds" });
    const second = await ledger.payments.begin(payment(1, { fingerprint: "other", product: "mempool" }));
    expect(second).toMatchObject({ started: true, id: first.id });
    await ledger.flush();
    expect((await ledger.payments.get(first.id))?.product).toBe("mempool");
  });

  test("never starts over once it settled", async () => {
    const { ledger } = await open();
    await sell(ledger, 1);
    expect(await ledger.payments.begin(payment(1))).toMatchObject({ started: false, payment: { state: "settled" } });
  });
});

test("one bad write does not fail the writes that share its commit", async () => {
  const { ledger } = await open();
  const payments = [payment(1), payment(2, { amount: 0n }), payment(3)];
  const kept = await Promise.allSettled(
    payments.map(async (one) => {
      const begun = await ledger.payments.begin(one);
      if (!begun.started) throw new Error("no");
      await ledger.payments.keepAnswer(begun.id, "answer");
    }),
  );
  expect(kept.map((one) => one.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(kept[1]).toMatchObject({ reason: { code: "ledger_unavailable" } });
  expect(ledger.halted).toBeNull();
});

test("after a restart, running payments are abandoned and settling ones are unknown with their answer", async () => {
  const { ledger, folder } = await open();
  const running = await ledger.payments.begin(payment(1));
  const settling = await ledger.payments.begin(payment(2));
  if (!running.started || !settling.started) throw new Error("not started");
  await ledger.payments.keepAnswer(settling.id, "the answer");
  await ledger.close();
  const again = (await open(folder)).ledger;
  expect(await again.payments.recover()).toEqual({ abandoned: 1, unknown: 1 });
  expect((await again.payments.get(running.id))?.state).toBe("abandoned");
  expect(await again.payments.get(settling.id)).toMatchObject({ state: "unknown", answer: "the answer" });
});

test("ledger times strictly increase although the clock jumps back", async () => {
  const { ledger, clock } = await open();
  await sell(ledger, 1);
  clock.advance(-3_600_000);
  await sell(ledger, 2);
  const [second, first] = await ledger.receipts.list({ limit: 10 });
  expect(second?.settled_at_ms).toBeGreaterThanOrEqual(first?.settled_at_ms ?? 0);
  expect((await ledger.audit()).findings).toEqual([]);
});

describe("the list of receipts", () => {
  const SALES = 24;
  async function sellMany() {
    const { ledger } = await open();
    for (let n = 1; n <= SALES; n += 1) {
      // One in six is of another product, one in eight on another network.
      const product = n % 6 === 0 ? "depth" : "fear-greed";
      await sell(ledger, n, { product, network: n % 8 === 0 ? "eip155:8453" : "eip155:84532" });
    }
    return ledger;
  }
  async function readAll(ledger: Ledger, filter: Partial<ReceiptFilter>) {
    const found: string[] = [];
    const sizes: number[] = [];
    for (let before: number | null | undefined; before !== null; ) {
      const { rows, next_before } = await ledger.receipts.page({ limit: 2, ...filter, before_seq: before });
      found.push(...rows.map(({ chain_transaction }) => chain_transaction));
      sizes.push(rows.length);
      before = next_before;
    }
    return { found, sizes };
  }
  const expected = (meets: (n: number) => boolean) =>
    Array.from({ length: SALES }, (_, index) => SALES - index)
      .filter(meets)
      .map((n) => `0xtx${n}`);

  test("has each that meets a filter once, the newest first, however few are looked at for a page", async () => {
    const ledger = await sellMany();
    for (const looks_max of [1, 3, 5, 10_000]) {
      const filter = { looks_max };
      expect((await readAll(ledger, filter)).found).toEqual(expected(() => true));
      expect((await readAll(ledger, { ...filter, network: "eip155:8453" })).found).toEqual(
        expected((n) => n % 8 === 0),
      );
      const both = { ...filter, network: "eip155:8453", product: "depth" };
      expect((await readAll(ledger, both)).found).toEqual(["0xtx24"]);
      expect((await readAll(ledger, { ...filter, product: "depth", label: "organic" })).found).toHaveLength(4);
    }
    expect((await readAll(ledger, { label: "operator-test", looks_max: 5 })).sizes).toEqual([0, 0, 0, 0, 0]);
    expect((await readAll(ledger, { product: "none", looks_max: 5 })).sizes).toEqual([0]);
  });
});

test("old answers are dropped, the payment stays used", async () => {
  const { ledger, clock } = await open();
  const { id } = await sell(ledger, 1);
  clock.advance(3_600_000);
  expect(await ledger.payments.pruneAnswers(clock.now())).toBe(1);
  expect(await ledger.payments.get(id)).toMatchObject({ state: "settled", answer: null });
});

test("transfers, postings and receipts cannot be changed or deleted", async () => {
  const { ledger, file } = await open();
  await sell(ledger, 1);
  await ledger.close();
  for (const change of ["DELETE FROM transfers", "DELETE FROM receipts", "UPDATE receipts SET amount = 1"]) {
    expect((await failureOf(runOnBooks(file, [change]))).message, change).toContain("final");
  }
});

test("the audit finds a forged balance, a missing posting and a receipt without its payment", async () => {
  const { ledger, file } = await open();
  await sell(ledger, 1);
  await ledger.close();
  const is_database = ENGINE === "postgres";
  const forged = [
    `UPDATE ${is_database ? "account_parts" : "accounts"} SET posted = posted + 5 WHERE id = 'revenue:sales'`,
    "UPDATE payments SET state = 'abandoned'",
    `DROP TRIGGER transfers_are_final${is_database ? " ON transfers" : ""}`,
    ...(is_database ? [] : ["PRAGMA foreign_keys = OFF"]),
    "UPDATE transfers SET target = 'nobody'",
    "UPDATE receipt_totals SET count = count + 1",
  ];
  await runOnBooks(file, forged, { changes_tables: true });
  const { findings } = await (await openBooks({ file, clock: createStillClock() })).audit();
  const rules = findings.map((finding) => finding.rule);
  expect(rules).toContain("I1");
  expect(rules).toContain("I2");
  expect(rules.filter((rule) => rule === "I6").length).toBeGreaterThan(1);
});

test.skipIf(ENGINE === "postgres")("a foreign, damaged or newer file is refused and left alone", async () => {
  const folder = newFolder();
  const foreign = join(folder, "foreign.db");
  const db = new Database(foreign, { create: true });
  db.run("CREATE TABLE other (id INTEGER)");
  db.close();
  const damaged = join(folder, "damaged.db");
  writeFileSync(damaged, "this is not a database, but it is long enough to look like a file of some kind".repeat(20));
  for (const file of [foreign, damaged]) {
    expect(await failureOf(openBooks({ file, clock: createStillClock() }))).toBeInstanceOf(LedgerOpenError);
  }
  const { file, ledger } = await open();
  void ledger;
  const newer = new Database(file);
  newer.run("PRAGMA user_version = 99");
  newer.close();
  expect((await failureOf(openBooks({ file, clock: createStillClock() }))).message).toContain("schema 99");
});

test("a data directory has one owner", () => {
  const folder = newFolder();
  const unlock = lockDataDirectory(folder);
  expect(() => lockDataDirectory(folder)).toThrow("Another intel-node");
  unlock();
  lockDataDirectory(folder)();
});
