import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeBooksAfterEach, openBooks } from "../../test/helpers/open-books.ts";
import { createStillClock } from "../../test/helpers/still-clock.ts";
import type { Ledger } from "./ledger.ts";

closeBooksAfterEach();

const HOUR_MS = 3_600_000;
const BASE = "eip155:8453";
const START_MS = Date.UTC(2026, 0, 15, 10);

let ledger: Ledger | null = null;
const folders: string[] = [];
afterEach(async () => {
  await ledger?.close();
  ledger = null;
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function open() {
  const clock = createStillClock(START_MS);
  const folder = mkdtempSync(join(tmpdir(), "landings-"));
  folders.push(folder);
  const opened = await openBooks({ file: join(folder, "ledger.db"), clock });
  ledger = opened;
  let sales = 0;
  /** A sale from the first to the last step. Returns its receipt. */
  const sell = async (facilitator = "one", network = BASE): Promise<string> => {
    sales += 1;
    const name = String(sales);
    const begun = await opened.payments.begin({
      replay_key: name,
      payload_hash: name,
      fingerprint: name,
      product: "p",
      network,
      asset: "usdc",
      payer: "payer",
      pay_to: "seller",
      amount: 10_000n,
      valid_until_ms: clock.now() + 300_000,
      payload: `{"n":${name}}`,
    });
    if (!begun.started) throw new Error("not new");
    await opened.payments.keepAnswer(begun.id, "{}", { facilitator: "another" });
    const settled = { chain_transaction: `0x${name}`, label: "organic" as const, delivered: true, facilitator };
    const booked = await opened.payments.settle(begun.id, settled);
    if (booked === null) throw new Error("not settled");
    return booked.receipt_id;
  };
  const due = async (later_ms: number, network = BASE) =>
    (await opened.landings.listDue(network, clock.now() + later_ms, 100)).map(({ receipt_id }) => receipt_id);
  return { clock, landings: opened.landings, payments: opened.payments, audit: opened.audit, sell, due };
}
const note = (state: "pending" | "confirmed" | "missing", due_at_ms: number | null = null) => ({
  state,
  checked_at_ms: START_MS,
  due_at_ms,
});

describe("what was reported as settled", () => {
  test("is to be looked up some seconds later, under the name of who settled it", async () => {
    const { landings, sell, due, clock } = await open();
    const receipt = await sell("settler");
    expect(await due(4_000)).toEqual([]);
    expect(await due(6_000, "eip155:1")).toEqual([]);
    const [landing] = await landings.listDue(BASE, clock.now() + 6_000, 100);
    expect(landing).toMatchObject({
      receipt_id: receipt,
      facilitator: "settler",
      state: "pending",
      looks: 0,
      chain_transaction: "0x1",
      amount: 10_000n,
      pay_to: "seller",
      payload: '{"n":1}',
    });
  });

  test("is listed oldest first, and no more than were asked for", async () => {
    const { landings, sell, clock } = await open();
    const receipts: string[] = [];
    for (let n = 0; n < 5; n++) {
      receipts.push(await sell());
      clock.advance(10);
    }
    const listed = (await landings.listDue(BASE, clock.now() + 10_000, 3)).map(({ receipt_id }) => receipt_id);
    expect(listed).toEqual(receipts.slice(0, 3));
  });

  test("is looked up again when its time comes, and never again once it is confirmed", async () => {
    const { landings, sell, due } = await open();
    const receipt = await sell();
    await landings.note(receipt, note("pending", START_MS + HOUR_MS));
    expect(await due(HOUR_MS - 1)).toEqual([]);
    expect(await due(HOUR_MS)).toEqual([receipt]);
    await landings.postpone(receipt, START_MS + 2 * HOUR_MS);
    expect(await due(HOUR_MS)).toEqual([]);
    await landings.note(receipt, note("confirmed"));
    expect(await due(1_000 * HOUR_MS)).toEqual([]);
  });

  test("stays confirmed, whatever is said later; what is missing may be found", async () => {
    const { landings, sell, due } = await open();
    const receipt = await sell();
    await landings.note(receipt, note("missing", START_MS));
    expect((await landings.counts())[0]).toMatchObject({ missing: 1, confirmed: 0 });
    await landings.note(receipt, note("confirmed"));
    await landings.note(receipt, note("missing", START_MS));
    await landings.postpone(receipt, START_MS);
    expect((await landings.counts())[0]).toMatchObject({ missing: 0, confirmed: 1 });
    expect(await due(HOUR_MS)).toEqual([]);
    expect(await landings.listMissing(10)).toEqual([]);
  });

  test("is confirmed by its payment too", async () => {
    const { landings, payments, sell } = await open();
    await sell();
    const id = (await payments.find("1"))?.id ?? "";
    await landings.confirmPayment(id, START_MS);
    await landings.confirmPayment("pay_nobody", START_MS);
    expect((await landings.counts())[0]).toMatchObject({ confirmed: 1, pending: 0 });
  });
});

describe("the counts", () => {
  test("are kept for each facilitator and network, and the books agree", async () => {
    const { landings, sell, audit } = await open();
    const first = await sell("one");
    const second = await sell("one");
    await sell("two");
    await sell("one", "eip155:84532");
    await landings.note(first, note("confirmed"));
    await landings.note(second, note("missing"));
    await landings.countDisbelieved({ network: BASE, facilitator: "two", at_ms: START_MS });
    const zero = { pending: 0, confirmed: 0, missing: 0, disbelieved: 0 };
    expect(await landings.counts()).toEqual([
      { ...zero, network: BASE, facilitator: "one", confirmed: 1, missing: 1 },
      { ...zero, network: BASE, facilitator: "two", pending: 1, disbelieved: 1 },
      { ...zero, network: "eip155:84532", facilitator: "one", pending: 1 },
    ]);
    expect((await audit()).findings).toEqual([]);
  });

  test("of some hours are those of settlements in them, however late these were decided", async () => {
    const { landings, sell, clock } = await open();
    const old = await sell();
    clock.advance(30 * HOUR_MS);
    await sell();
    await landings.note(old, note("missing"));
    expect(await landings.counts(clock.now() - 23 * HOUR_MS)).toMatchObject([{ pending: 1, missing: 0 }]);
    expect(await landings.counts(START_MS)).toMatchObject([{ pending: 1, missing: 1 }]);
    expect(await landings.counts()).toMatchObject([{ pending: 1, missing: 1 }]);
  });

  test("of open payments need no list of them", async () => {
    const { landings, payments, sell } = await open();
    await sell();
    expect(await landings.countUnknown()).toBe(0);
    const begun = await payments.begin({
      replay_key: "open",
      payload_hash: "h",
      fingerprint: "f",
      product: "p",
      network: BASE,
      asset: "usdc",
      payer: "payer",
      pay_to: "seller",
      amount: 1n,
      valid_until_ms: START_MS,
      payload: "{}",
    });
    if (!begun.started) throw new Error("not new");
    await payments.keepAnswer(begun.id, "{}");
    await payments.markUnknown(begun.id, "timed out", { transaction: "0xab", facilitator: "two" });
    expect(await landings.countUnknown()).toBe(1);
    expect(await payments.get(begun.id)).toMatchObject({
      hint_transaction: "0xab",
      facilitator: "two",
      chain_transaction: null,
    });
  });
});
