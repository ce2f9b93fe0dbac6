import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { sha256Hex } from "../../src/core/hash.ts";
import { STORIES_MAX, type Stories } from "../../src/ledger/stories.ts";
import { closeBooksAfterEach, openBooks } from "../helpers/open-books.ts";
import { addChannels } from "../helpers/sample-channels.ts";
import { createCaller, createSeller, newLedgerFolder, removeLedgerFolders } from "../helpers/sample-ledger.ts";
import { createStillClock } from "../helpers/still-clock.ts";

closeBooksAfterEach();
afterAll(removeLedgerFolders);

const BASE = "eip155:84532";

async function openShop() {
  const clock = createStillClock();
  const ledger = await openBooks({ file: join(newLedgerFolder(), "ledger.db"), clock });
  const find = (word: string, key_hash: string | null = null): Promise<Stories> =>
    ledger.stories.find({ word, key_hash });
  return { ledger, clock, find, ...createSeller(ledger, clock.now), ...createCaller(ledger, clock.now) };
}

describe("the story of a payment", () => {
  test("is found by transaction, receipt, payment and payer, and says what became of it", async () => {
    const { ledger, clock, find, sell } = await openShop();
    const id = await sell({ product: "gas", amount: 2_500n });
    await sell();
    const [receipt] = (await ledger.receipts.page({ limit: 1, product: "gas" })).rows;
    const look = { state: "missing" as const, checked_at_ms: clock.now(), due_at_ms: null };
    await ledger.landings.note(receipt?.id ?? "", look);
    await ledger.payments.markUndelivered(id);
    const words = [id, receipt?.id ?? "", `tx-${BASE}-1`, `test:${BASE}:1`, "payer-1", sha256Hex("answer 1")];
    for (const word of words) {
      const { payments, calls, keys, channels, has_more } = await find(word);
      expect([word, calls, keys, channels, has_more]).toEqual([word, [], [], [], false]);
      expect(payments).toHaveLength(1);
      expect(payments[0]).toMatchObject({
        payment_id: id,
        state: "settled",
        product: "gas",
        amount: 2_500n,
        payer: "payer-1",
        transaction: `tx-${BASE}-1`,
        delivered: false,
        answer_chars: "answer 1".length,
        updated_at_ms: clock.now(),
        receipt: {
          receipt_id: receipt?.id ?? "",
          label: "organic",
          on_chain: "missing",
          looks: 1,
          checked_at_ms: clock.now(),
          response_sha256: sha256Hex("answer 1"),
        },
        bought: null,
      });
    }
  });

  test("includes calls that never became a sale: refused, open, or given up", async () => {
    const { ledger, find, sell } = await openShop();
    const failed = await sell({ end: "settle_failed" });
    const open = await sell({ end: "unknown" });
    await ledger.payments.markUnknown(open, "timeout", { transaction: "0xabc" });
    expect((await find(failed)).payments[0]).toMatchObject({
      state: "settle_failed",
      reason: "refused",
      receipt: null,
    });
    // Hexadecimal is one number in either case.
    expect((await find("0xABC")).payments[0]).toMatchObject({ payment_id: open, state: "unknown" });
  });

  test("says what key a plan was bought for", async () => {
    const { find, buy } = await openShop();
    await buy("credits", { credit: 1_250_000n }, { product: "buy-credits", amount: 1_000_000n });
    expect((await find("rcp_plan1")).payments[0]?.bought).toEqual({
      key_id: "key_credits",
      plan: "buy_credits",
      credit: 1_250_000n,
    });
  });

  test("stops at a number of them, and says so", async () => {
    const { find, sell } = await openShop();
    for (let n = 0; n < 3 * STORIES_MAX + 1; n += 1) await sell();
    const { payments, has_more } = await find("payer-1");
    expect([payments.length, has_more]).toEqual([STORIES_MAX, true]);
    expect((await find("payer-2")).has_more).toBe(false);
  });

  test("is no story for a word the books do not know, whatever it holds", async () => {
    const { find, sell } = await openShop();
    await sell();
    const nothing = { payments: [], calls: [], keys: [], channels: [], has_more: false };
    for (const word of ["", "%", "_", "'; DROP TABLE keys", "call_1", "call_9999999999999", "voucher_3", "0x", "é"]) {
      expect([word, await find(word)]).toEqual([word, nothing]);
    }
  });
});

describe("the story of a key", () => {
  test("is found by id, by the key itself, by part of its label and by its purchaser", async () => {
    const { ledger, find, buy, debit } = await openShop();
    const key = await buy("credits", { credit: 1_250_000n }, { product: "buy-credits", amount: 1_000_000n });
    await ledger.keys.amend("key_credits", { label: "Ann's 100% agent" });
    const call_id = await debit(key, "gas");
    await ledger.charges.refund(call_id);
    for (const [word, hash] of [
      ["key_credits", null],
      ["ink_whatever", sha256Hex("key_credits")],
      ["ANN'S 100%", null],
    ] as const) {
      const { keys, payments, has_more } = await find(word, hash);
      expect([word, payments, has_more]).toEqual([word, [], false]);
      expect(keys[0]?.balance).toEqual({ posted: 1_250_000n, pending: 0n });
      expect(keys[0]?.lots.map(({ left }) => left)).toEqual([1_250_000n]);
      expect(keys[0]?.grants.map(({ paid }) => paid)).toEqual([1_000_000n]);
      expect(keys[0]?.calls).toMatchObject([{ id: call_id, product: "gas", amount: 2_500n }]);
      expect(keys[0]?.calls[0]?.refunded_at_ms).toBeNumber();
    }
    // Who paid it is told with it: the payment and the key.
    const of_payer = await find("payer-1");
    expect(of_payer.payments.map(({ product }) => product)).toEqual(["buy-credits"]);
    expect(of_payer.keys.map((one) => one.key.public_id)).toEqual(["key_credits"]);
    expect((await find("An")).keys).toEqual([]);
  });

  test("of a child key names the balance it draws on", async () => {
    const { ledger, clock, find, buy, debit } = await openShop();
    const parent = await buy("credits", { credit: 1_250_000n }, { product: "buy-credits", amount: 1_000_000n });
    const child = await ledger.keys.mint(parent, {
      public_id: "key_child",
      hash: sha256Hex("c"),
      label: "team one",
      daily_cap: null,
      call_cap: null,
      products: null,
      expires_at_ms: null,
    });
    const call_id = await debit(child, "gas");
    const [story] = (await find("team one")).keys;
    expect([story?.parent_id, story?.balance?.posted]).toEqual(["key_credits", 1_247_500n]);
    const [call] = (await find(`call_${call_id}`)).calls;
    expect(call).toMatchObject({
      key_id: "key_child",
      parent_id: "key_credits",
      access: "debit",
      refunded_at_ms: null,
    });
    expect(call?.answer_chars).toBeGreaterThan(0);
    await ledger.charges.pruneAnswers(clock.now() + 3_600_000);
    expect((await find(`call_${call_id}`)).calls[0]?.answer_chars).toBeNull();
  });
});

test("the story of a channel is found by id, payer, transaction and voucher", async () => {
  const { ledger, find } = await openShop();
  await addChannels(ledger);
  const id = `0x${"1".padStart(64, "0")}`;
  const [known] = (await find(id)).channels;
  const voucher = known?.vouchers[0]?.id;
  expect(known?.vouchers.map(({ amount }) => amount)).toEqual([10n, 10n]);
  expect(known?.moves).toMatchObject([{ kind: "deposit", state: "done", amount: 1_000n }]);
  for (const word of ["0xPAYER1".toLowerCase(), `0x${"C".repeat(64)}`, `voucher_${voucher}`]) {
    const { channels } = await find(word);
    expect([word, channels.map(({ channel }) => channel.id)]).toEqual([word, [id]]);
  }
});
