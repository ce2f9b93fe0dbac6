import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { addSums, type SumsBy } from "../../src/ledger/money.ts";
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
  const correct = (receipt_id: string, reference: string, received = 0n) =>
    ledger.corrections.correct({ receipt_id, received, reference, reason: "the wallet says so" });
  const look = (receipt_id: string, state: "missing" | "confirmed") =>
    ledger.landings.note(receipt_id, { state, checked_at_ms: clock.now(), due_at_ms: null });
  const figures = async () => {
    const { settled, never_landed, received, given_back, sold, earned } = await ledger.money.toDate();
    return {
      settled: settled.amount,
      never_landed: [never_landed.count, never_landed.amount],
      received: [received.count, received.amount],
      given_back,
      sold,
      earned,
    };
  };
  return { clock, file, ledger, sell, receiptOf, correct, look, figures, buy, ...createCaller(ledger, clock.now) };
}

describe("what really came in for a sale", () => {
  test("is a transfer of its own: sale and receipt stay, and every figure says it", async () => {
    const { clock, ledger, sell, receiptOf, correct, figures } = await openShop();
    const receipt_id = await receiptOf(await sell({ product: "gas" }));
    await sell();
    const before = await ledger.receipts.get(receipt_id);
    expect(await correct(receipt_id, "page 7", 4_000n)).toBe(true);
    expect(await figures()).toEqual({
      settled: 20_000n,
      never_landed: [0, 6_000n],
      received: [2, 14_000n],
      given_back: 0n,
      sold: 20_000n,
      earned: 14_000n,
    });
    expect(await correct(receipt_id, "page 8")).toBe(true);
    expect(await figures()).toEqual({
      settled: 20_000n,
      never_landed: [1, 10_000n],
      received: [1, 10_000n],
      given_back: 0n,
      sold: 20_000n,
      earned: 10_000n,
    });
    expect(await ledger.receipts.get(receipt_id)).toEqual(before);
    const sums = async (by: SumsBy) => ledger.money.sums({ from_ms: 0, until_ms: clock.now() + 3_600_000, by });
    expect((await sums("product")).map(({ name, received }) => [name, received.amount])).toEqual([
      ["fear-greed", 10_000n],
      ["gas", 0n],
    ]);
    expect(addSums(await sums("day"))).toMatchObject({
      received: { count: 1, amount: 10_000n },
      never_landed: { count: 1, amount: 10_000n },
    });
    expect((await ledger.money.listUnlanded(clock.now())).map(({ count, amount }) => [count, amount])).toEqual([
      [1, 10_000n],
    ]);
    const { findings, accounts } = await ledger.audit();
    expect(findings).toEqual([]);
    expect(accounts.find(({ id }) => id === "revenue:corrections")?.posted).toBe(-10_000n);
    const [story] = (await ledger.stories.find({ word: "page 8", key_hash: null })).payments;
    expect(story?.corrections.map(({ received, reference }) => [received, reference])).toEqual([
      [0n, "page 8"],
      [4_000n, "page 7"],
    ]);
  });

  test("is corrected again where it was wrong, and nothing is taken out", async () => {
    const { file, ledger, sell, receiptOf, correct, figures } = await openShop();
    const receipt_id = await receiptOf(await sell());
    await correct(receipt_id, "a");
    await correct(receipt_id, "b", 10_000n);
    expect(await figures()).toMatchObject({ never_landed: [0, 0n], received: [1, 10_000n], earned: 10_000n });
    expect(await ledger.corrections.correctionsOf(receipt_id)).toHaveLength(2);
    for (const sql of ["UPDATE corrections SET amount = 1", "DELETE FROM corrections"]) {
      expect((await failureOf(runOnBooks(file, [sql]))).message).toContain("corrections are final");
    }
    expect((await ledger.audit()).findings).toEqual([]);
  });

  test("is written once for each reference, however often and however many at once", async () => {
    const { ledger, sell, receiptOf, correct } = await openShop();
    const [one, other] = [await receiptOf(await sell()), await receiptOf(await sell())];
    const at_once = await Promise.all([1, 2, 3].map(() => correct(one, "a")));
    expect(at_once.filter((is_new) => is_new)).toHaveLength(1);
    for (const wrong of [correct(other, "a"), correct(one, "a", 1n)]) {
      expect((await failureOf(wrong)).message).toContain("This reference stands for another correction");
    }
    expect((await ledger.audit()).findings).toEqual([]);
  });

  test.each([
    ["of no sale", "rcp_none", 0n, "No such receipt."],
    ["more than was booked", null, 10_001n, "no more than was booked"],
    ["less than nothing", null, -1n, "No less than nothing"],
    ["what the books say already", null, 10_000n, "The books say so already"],
  ])("%s is refused", async (_, receipt, received, said) => {
    const { ledger, sell, receiptOf, correct } = await openShop();
    const sold = await receiptOf(await sell());
    expect((await failureOf(correct(receipt ?? sold, "a", received))).message).toContain(said);
    expect((await ledger.audit()).findings).toEqual([]);
  });

  test("a payment missing on the chain is deducted once, whoever finds it first", async () => {
    const { ledger, sell, receiptOf, correct, look, figures } = await openShop();
    const receipt_id = await receiptOf(await sell());
    await correct(receipt_id, "a");
    await look(receipt_id, "missing");
    const gone = { never_landed: [1, 10_000n], received: [0, 0n], earned: 0n };
    expect(await figures()).toMatchObject(gone);
    expect((await failureOf(correct(receipt_id, "b"))).message).toContain("every figure says so already");
    await look(receipt_id, "confirmed");
    expect(await figures()).toMatchObject(gone);
    expect((await ledger.audit()).findings).toEqual([]);
  });

  test("what the chain is said not to have is there once the operator says so", async () => {
    const { ledger, sell, receiptOf, correct, look, figures } = await openShop();
    const receipt_id = await receiptOf(await sell());
    await look(receipt_id, "missing");
    expect(await correct(receipt_id, "a", 10_000n)).toBe(true);
    expect(await figures()).toMatchObject({ never_landed: [0, 0n], received: [1, 10_000n], earned: 10_000n });
    expect(await ledger.landings.listMissing(9)).toEqual([]);
    expect((await ledger.audit()).findings).toEqual([]);
  });

  test("of what bought a key waits until nobody can use the key; then the books hold", async () => {
    const { ledger, buy, debit, correct } = await openShop();
    const key = await buy("credits", { credit: 1_250_000n }, { product: "buy-credits", amount: 1_000_000n });
    await debit(key, "gas");
    expect((await failureOf(correct("rcp_plan1", "a"))).message).toContain("key_credits, which can still be used");
    await ledger.keys.revoke("key_credits");
    await ledger.keys.expire("key_credits");
    expect(await correct("rcp_plan1", "a")).toBe(true);
    const { received, given_back, earned, unearned } = await ledger.money.toDate();
    expect([received.amount, given_back, earned, unearned]).toEqual([0n, 0n, 0n, 0n]);
    expect((await ledger.audit()).findings).toEqual([]);
  });

  test("no more than came in can be given back, and what was given back stays so", async () => {
    const { ledger, sell, receiptOf, correct, figures } = await openShop();
    const receipt_id = await receiptOf(await sell());
    await correct(receipt_id, "a", 4_000n);
    const giveBack = (reference: string, amount: bigint | null) =>
      ledger.refunds.giveBack({ receipt_id, amount, reference, reason: "sorry" });
    expect((await failureOf(giveBack("0x1", 4_001n))).message).toContain("More than was paid");
    expect(await giveBack("0x2", null)).toBe(true);
    expect(await figures()).toMatchObject({ received: [1, 4_000n], given_back: 4_000n, earned: 0n });
    expect((await failureOf(giveBack("0x3", null))).message).toContain("More than was paid");
    expect((await ledger.audit()).findings).toEqual([]);
  });

  test("the audit finds what was written past the commands", async () => {
    const { file, ledger, sell, receiptOf, correct } = await openShop();
    await correct(await receiptOf(await sell()), "a", 4_000n);
    await runOnBooks(file, [
      `INSERT INTO corrections (id, receipt_id, amount, received, reference, reason)
       SELECT id + 16, receipt_id, 1000, 1, 'forged', 'none' FROM corrections`,
    ]);
    const found = (await ledger.audit()).findings.map(({ message }) => message.split(":")[0]);
    expect(found).toEqual([
      "correction that is not one transfer of its amount between the corrections and the network of its sale",
      "correction after which something else came in than it says",
    ]);
  });
});

test("a transfer is explained once, and stays explained", async () => {
  const { file, ledger } = await openShop();
  const own = { network: "eip155:8453", transaction: "0xab", reference: "", reason: "my own transfer" };
  expect(await Promise.all([ledger.explained.explain(own), ledger.explained.explain(own)])).toEqual([true, false]);
  expect(await ledger.explained.list(5)).toMatchObject([own]);
  expect(await ledger.explained.get(own.network, "0xab")).toMatchObject(own);
  expect(await ledger.explained.get("eip155:1", "0xab")).toBeNull();
  expect((await failureOf(runOnBooks(file, ["DELETE FROM explained_transfers"]))).message).toContain("are final");
});
