import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { sha256Hex } from "../../src/core/hash.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { addSums, type MoneySummary, type SumsBy } from "../../src/ledger/money.ts";
import { openLedgerFile } from "../../src/ledger/sqlite/open.ts";
import { reportLedger } from "../../src/ledger/sqlite/report.ts";
import { closeBooksAfterEach, openBooks } from "../helpers/open-books.ts";
import { createCaller, makeSampleLedger, newLedgerFolder, removeLedgerFolders } from "../helpers/sample-ledger.ts";
import { createStillClock } from "../helpers/still-clock.ts";
import { SHOP_MONEY, sellOfEverything } from "../helpers/year-ledger.ts";

closeBooksAfterEach();
afterAll(removeLedgerFolders);

const DAY_MS = 86_400_000;
const ALL = { from_ms: 0, until_ms: 4_000_000_000_000 };

function readMoney(file: string, period = ALL): MoneySummary {
  const db = openLedgerFile(file, { readonly: true });
  try {
    return reportLedger(db, period).money;
  } finally {
    db.close();
  }
}

async function makeShop() {
  const file = join(newLedgerFolder(), "ledger.db");
  const clock = createStillClock(Date.parse("2026-11-18T10:00:00Z"));
  const ledger = openLedger({ file, clock });
  await sellOfEverything(ledger, clock);
  return { file, clock, ledger };
}

describe("what a shop made", () => {
  test("is what was counted by hand, off balances, whichever engine keeps the books", async () => {
    const clock = createStillClock(Date.parse("2026-11-18T10:00:00Z"));
    const ledger = await openBooks({ file: join(newLedgerFolder(), "ledger.db"), clock });
    await sellOfEverything(ledger, clock);
    expect(await ledger.money.toDate()).toEqual(SHOP_MONEY);
    expect((await ledger.audit()).findings).toEqual([]);
  });

  test("is the same off every transfer, and off balances, of any ledger", async () => {
    const shop = await makeShop();
    expect(readMoney(shop.file)).toEqual(SHOP_MONEY);
    await shop.ledger.close();
    const sample = await makeSampleLedger();
    const ledger = openLedger({ file: sample.file, clock: createStillClock() });
    expect(readMoney(sample.file)).toEqual(await ledger.money.toDate());
    await ledger.close();
  });

  test("received is earned and the growth of what is paid for and not called; days add up to the whole", async () => {
    const { file } = await makeSampleLedger();
    const first_ms = Date.parse("2026-11-18T00:00:00Z");
    const days = [0, 1, 2].map((n) =>
      readMoney(file, { from_ms: first_ms + n * DAY_MS, until_ms: first_ms + (n + 1) * DAY_MS }),
    );
    let unearned = 0n;
    for (const day of days) {
      expect(day.received.amount - day.given_back + day.from_channels).toBe(day.earned + day.unearned - unearned);
      unearned = day.unearned;
    }
    const whole = readMoney(file);
    for (const name of ["given_back", "sold", "given", "earned", "from_channels"] as const) {
      expect([name, days.reduce((sum, day) => sum + day[name], 0n)]).toEqual([name, whole[name]]);
    }
    for (const name of ["settled", "never_landed", "received", "own_tests"] as const) {
      expect([name, days.reduce((sum, day) => sum + day[name].amount, 0n)]).toEqual([name, whole[name].amount]);
    }
    expect(days.at(-1)?.unearned).toBe(whole.unearned);
  });

  test("a payment that lands after all is received and earned from then on", async () => {
    const { ledger, clock, file } = await makeShop();
    for (const { receipt_id } of await ledger.landings.listMissing(10)) {
      await ledger.landings.note(receipt_id, { state: "confirmed", checked_at_ms: clock.now(), due_at_ms: null });
    }
    const { earned, received, never_landed } = await ledger.money.toDate();
    expect([never_landed.amount, received.amount]).toEqual([0n, SHOP_MONEY.settled.amount]);
    // The call, and what the key it bought has called.
    expect(earned).toBe(SHOP_MONEY.earned + 10_000n + 2_500n);
    expect(readMoney(file)).toEqual(await ledger.money.toDate());
    await ledger.close();
  });

  test("has sums of its payments in every group, whichever engine keeps the books", async () => {
    const clock = createStillClock(Date.parse("2026-11-18T10:00:00Z"));
    const ledger = await openBooks({ file: join(newLedgerFolder(), "ledger.db"), clock });
    await sellOfEverything(ledger, clock);
    const namesBy = async (by: SumsBy, period = ALL) => {
      const sums = await ledger.money.sums({ ...period, by });
      const { settled, never_landed, received } = addSums(sums);
      if (period === ALL) expect({ settled, never_landed, received }).toEqual(totals);
      return sums.map(({ name }) => name);
    };
    const { settled, never_landed, received } = SHOP_MONEY;
    const totals = { settled, never_landed, received };
    expect(await namesBy("product")).toEqual(["day", "buy-credits", "half", "gas", "fear-greed", "whale-alerts"]);
    expect(await namesBy("network")).toEqual(["eip155:84532"]);
    expect((await namesBy("payer")).toSorted()).toEqual(["payer-0", "payer-1", "payer-2"]);
    expect(await namesBy("access")).toEqual(["plan", "payment"]);
    expect(await namesBy("label")).toEqual(["organic", "operator-test"]);
    expect(await namesBy("day")).toEqual(["2026-11-18"]);
    expect(await namesBy("day", { from_ms: 0, until_ms: Date.parse("2026-11-18T00:00:00Z") })).toEqual([]);
    const hours = await ledger.money.listUnlanded(Date.parse("2026-11-18T00:00:00Z"));
    expect(hours).toEqual([
      { from_ms: Date.parse("2026-11-18T10:00:00Z"), label: "organic", count: 2, amount: 1_010_000n },
    ]);
    expect(await ledger.money.listUnlanded(clock.now())).toEqual([]);
  });

  test("has sums of its calls by key, by product, day and door, whichever engine keeps the books", async () => {
    const clock = createStillClock(Date.parse("2026-11-18T10:00:00Z"));
    const ledger = await openBooks({ file: join(newLedgerFolder(), "ledger.db"), clock });
    const { debit } = createCaller(ledger, clock.now);
    const given = { public_id: "key_one", hash: sha256Hex("one"), salt: null, label: "one", purchaser: null };
    const gift = { plan: "given", credit: 100_000n, duration_ms: null, pass: false, priority: 1, badge: null };
    const key = await ledger.keys.issue(given, gift, { by: "operator" });
    const charge = { key, root: key, product: "gas", amount: 2_000n, now_ms: clock.now() };
    const answer = { body: "{}", name: null };
    for (const door of ["http", "mcp", "http", null]) await ledger.charges.debit({ ...charge, door }, answer);
    const held = await ledger.charges.hold({ ...charge, door: "watch" }, null);
    if (!held.ok) throw new Error(held.why);
    await ledger.charges.post(held.id, { ...charge, door: "watch" }, answer);
    await ledger.charges.refund(await debit(key, "whale-alerts"));
    const callsBy = async (by: SumsBy) =>
      (await ledger.money.sums({ ...ALL, by })).map(({ name, called }) => [name, called?.count, called?.amount]);
    expect(await callsBy("door")).toEqual([
      ["http", 2, 4_000n],
      ["mcp", 1, 2_000n],
      ["unknown", 2, 2_000n],
      ["watch", 1, 2_000n],
    ]);
    expect(await callsBy("product")).toEqual([
      ["gas", 5, 10_000n],
      ["whale-alerts", 1, 0n],
    ]);
    expect(await callsBy("day")).toEqual([["2026-11-18", 6, 10_000n]]);
    expect(await callsBy("payer")).toEqual([]);
    await ledger.close();
  });

  test("a new shop made nothing", async () => {
    const ledger = await openBooks({ file: join(newLedgerFolder(), "ledger.db"), clock: createStillClock() });
    const none = { count: 0, amount: 0n };
    const nothing = { given_back: 0n, sold: 0n, given: 0n, earned: 0n, from_channels: 0n, unearned: 0n };
    const sums = { settled: none, never_landed: none, received: none, own_tests: none };
    expect(await ledger.money.toDate()).toEqual({ ...nothing, ...sums });
  });
});
