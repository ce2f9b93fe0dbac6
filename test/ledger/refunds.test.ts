import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { SumsBy } from "../../src/ledger/money.ts";
import { closeBooksAfterEach, failureOf, openBooks, runOnBooks } from "../helpers/open-books.ts";
import { createCaller, createSeller, newLedgerFolder, removeLedgerFolders } from "../helpers/sample-ledger.ts";
import { createStillClock } from "../helpers/still-clock.ts";

closeBooksAfterEach();
afterAll(removeLedgerFolders);

async function openShop() {
  const clock = createStillClock();
  const file = join(newLedgerFolder(), "ledger.db");
  const ledger = await openBooks({ file, clock });
  const { sell, buy } = createSeller(ledger, clock.now);
  const receiptOf = async (payment_id: string) => (await ledger.payments.get(payment_id))?.receipt_id ?? "";
  const giveBack = (receipt_id: string, reference: string, amount: bigint | null = null) =>
    ledger.refunds.giveBack({ receipt_id, amount, reference, reason: "it was wrong" });
  return { clock, file, ledger, sell, buy, receiptOf, giveBack, ...createCaller(ledger, clock.now) };
}

describe("money that was sent back by hand", () => {
  test("is a transfer of its own: the sale stays, and every figure says it", async () => {
    const { ledger, sell, receiptOf, giveBack } = await openShop();
    const receipt_id = await receiptOf(await sell());
    await sell();
    const before = await ledger.receipts.get(receipt_id);
    expect(await giveBack(receipt_id, "0xback", 4_000n)).toBe(true);
    expect(await giveBack(receipt_id, "0xrest")).toBe(true);
    expect(await ledger.receipts.get(receipt_id)).toEqual(before);
    expect((await ledger.refunds.refundsOf(receipt_id)).map(({ amount, reference }) => [amount, reference])).toEqual([
      [6_000n, "0xrest"],
      [4_000n, "0xback"],
    ]);
    const { received, given_back, sold, earned, unearned } = await ledger.money.toDate();
    expect([received.amount, given_back, sold, earned, unearned]).toEqual([20_000n, 10_000n, 20_000n, 10_000n, 0n]);
    const { findings, accounts } = await ledger.audit();
    expect(findings).toEqual([]);
    expect(accounts.find(({ id }) => id === "revenue:refunds")?.posted).toBe(-10_000n);
    const [story] = (await ledger.stories.find({ word: "0xrest", key_hash: null })).payments;
    expect(story?.given_back.map(({ reason }) => reason)).toEqual(["it was wrong", "it was wrong"]);
  });

  test("is in the sums of its own day, whenever the sale was", async () => {
    const { ledger, clock, sell, receiptOf, giveBack } = await openShop();
    const receipt_id = await receiptOf(await sell({ product: "gas" }));
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    const sold_on = day(clock.now());
    clock.advance(48 * 3_600_000);
    await giveBack(receipt_id, "0xback", 4_000n);
    const sums = (by: SumsBy, from_ms = 0) => ledger.money.sums({ from_ms, until_ms: clock.now() + 3_600_000, by });
    expect((await sums("day")).map(({ name, received, given_back }) => [name, received.amount, given_back])).toEqual([
      [sold_on, 10_000n, { count: 0, amount: 0n }],
      [day(clock.now()), 0n, { count: 1, amount: 4_000n }],
    ]);
    expect(await sums("product", clock.now() - 3_600_000)).toMatchObject([
      { name: "gas", settled: { count: 0, amount: 0n }, given_back: { count: 1, amount: 4_000n } },
    ]);
  });

  test("is written once for each reference, however often and however many at once", async () => {
    const { ledger, sell, receiptOf, giveBack } = await openShop();
    const [one, other] = [await receiptOf(await sell()), await receiptOf(await sell())];
    const at_once = await Promise.all([1, 2, 3].map(() => giveBack(one, "0xback", 4_000n)));
    expect(at_once.filter((is_new) => is_new)).toHaveLength(1);
    expect(await giveBack(one, "0xback")).toBe(false);
    for (const wrong of [giveBack(other, "0xback"), giveBack(one, "0xback", 5_000n)]) {
      expect((await failureOf(wrong)).message).toBe("This reference stands for another refund. Nothing was written.");
    }
    expect((await ledger.money.toDate()).given_back).toBe(4_000n);
    expect((await ledger.audit()).findings).toEqual([]);
  });

  test("is never more than was paid", async () => {
    const { ledger, sell, receiptOf, giveBack } = await openShop();
    const receipt_id = await receiptOf(await sell());
    const too_much = "More than was paid, less what was given back, cannot be given back.";
    for (const amount of [10_001n, 0n, -1n]) {
      expect((await failureOf(giveBack(receipt_id, "0xa", amount))).message).toBe(too_much);
    }
    const both = await Promise.allSettled([giveBack(receipt_id, "0xb", 6_000n), giveBack(receipt_id, "0xc", 6_000n)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    await giveBack(receipt_id, "0xd");
    expect((await failureOf(giveBack(receipt_id, "0xe"))).message).toBe(too_much);
    expect((await ledger.money.toDate()).given_back).toBe(10_000n);
    expect((await ledger.audit()).findings).toEqual([]);
  });

  test("is refused for an unknown sale, and for a payment that never landed", async () => {
    const { ledger, clock, sell, receiptOf, giveBack } = await openShop();
    expect((await failureOf(giveBack("rcp_none", "0xa"))).message).toBe("No such receipt.");
    const receipt_id = await receiptOf(await sell());
    await ledger.landings.note(receipt_id, { state: "missing", checked_at_ms: clock.now(), due_at_ms: null });
    expect((await failureOf(giveBack(receipt_id, "0xa"))).message).toContain("This payment never landed");
    expect((await ledger.audit()).findings).toEqual([]);
  });

  test("is refused while the key it bought can be used; afterwards it is booked, and the books hold", async () => {
    const { ledger, buy, debit, giveBack } = await openShop();
    const key = await buy("credits", { credit: 1_250_000n }, { product: "buy-credits", amount: 1_000_000n });
    await debit(key, "gas");
    expect((await failureOf(giveBack("rcp_plan1", "0xa"))).message).toContain("key_credits, which can still be used");
    await ledger.keys.revoke("key_credits");
    expect((await failureOf(giveBack("rcp_plan1", "0xa"))).message).toContain('"keys expire" first');
    await ledger.keys.expire("key_credits");
    expect(await giveBack("rcp_plan1", "0xa", 900_000n)).toBe(true);
    const { received, given_back, earned, unearned } = await ledger.money.toDate();
    expect(received.amount - given_back).toBe(earned + unearned);
    expect([earned, unearned]).toEqual([100_000n, 0n]);
    expect((await ledger.audit()).findings).toEqual([]);
  });

  test("is never changed nor taken out, and the audit finds what was written past the commands", async () => {
    const { ledger, file, sell, receiptOf, giveBack } = await openShop();
    const receipt_id = await receiptOf(await sell());
    await giveBack(receipt_id, "0xa", 1_000n);
    for (const sql of ["UPDATE given_back SET amount = 1", "DELETE FROM given_back"]) {
      expect((await failureOf(runOnBooks(file, [sql]))).message).toContain("refunds are final");
    }
    await runOnBooks(file, [
      `INSERT INTO given_back (id, receipt_id, amount, reference, reason)
       SELECT id + 16, receipt_id, 9500, 'forged', 'none' FROM given_back`,
    ]);
    const found = (await ledger.audit()).findings.map(({ message }) => message.split(":")[0]);
    expect(found).toContain("refund by hand that is not one transfer of its amount to the network of its sale");
    expect(found).toContain("sale of which more was sent back than was paid");
  });
});
