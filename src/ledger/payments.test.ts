import { describe, expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../../test/helpers/hang-limit.ts";
import { closeBooksAfterEach, ENGINE, failureOf, openBooks, runOnBooks } from "../../test/helpers/open-books.ts";
import { createStillClock } from "../../test/helpers/still-clock.ts";
import { sha256Hex } from "../core/hash.ts";
import type { Ledger } from "./ledger.ts";
import type { Kept, NewPayment } from "./payment-row.ts";
import type { BeginOptions } from "./payments.ts";

closeBooksAfterEach();

async function open() {
  const clock = createStillClock();
  const file = join(mkdtempSync(join(tmpdir(), "payments-")), "ledger.db");
  return { clock, file, ledger: await openBooks({ file, clock }) };
}

interface Wanted extends Kept, Partial<Pick<NewPayment, "fingerprint" | "product" | "amount" | "valid_until_ms">> {
  readonly key: string;
}

const FAR_MS = 4_000_000_000_000;
const paymentOf = ({
  key,
  fingerprint = "request",
  product = "one",
  amount = 10_000n,
  valid_until_ms = FAR_MS,
}: Wanted): NewPayment => ({
  replay_key: key,
  payload_hash: `hash of ${key}`,
  fingerprint,
  product,
  network: "eip155:84532",
  asset: "0xusdc",
  payer: "0xpayer",
  pay_to: "0xseller",
  amount,
  valid_until_ms,
  payload: "{}",
});

/** A payment whose answer is kept and that waits for its settlement. */
async function keep({ payments }: Ledger, wanted: Wanted): Promise<string> {
  const { key, fingerprint: _f, product: _p, amount: _a, valid_until_ms: _v, ...kept } = wanted;
  const begun = await payments.begin(paymentOf(wanted));
  if (!begun.started) throw new Error("not started");
  await payments.keepAnswer(begun.id, `answer of ${key}`, { facilitator: "one", ...kept });
  return begun.id;
}

const settled = (chain_transaction: string, delivered = true) =>
  ({ chain_transaction, label: "organic", delivered }) as const;

describe("a chain transaction", () => {
  test.each([
    ["again", "0xABCDEF"],
    ["in the other case", "0xabcdef"],
  ])("pays for one sale: named %s it books nothing, and the ledger goes on", async (_what, second) => {
    const { ledger } = await open();
    const [a, b] = [await keep(ledger, { key: "a" }), await keep(ledger, { key: "b" })];
    expect(await ledger.payments.settle(a, settled("0xABCDEF"))).toMatchObject({
      receipt_id: expect.stringMatching(/^rcp_/),
    });
    expect(await ledger.payments.settle(b, settled(second))).toBeNull();
    expect(await ledger.payments.get(b)).toMatchObject({ state: "unknown", receipt_id: null, chain_transaction: null });
    expect((await ledger.payments.get(b))?.reason).toContain(a);
    expect(await ledger.audit()).toMatchObject({ findings: [], receipts: 1 });
    expect(await ledger.payments.settle(b, settled("0xother"))).toMatchObject({
      receipt_id: expect.stringMatching(/^rcp_/),
    });
  });

  test("in the same spelling of a chain that tells case apart is another one", async () => {
    const { ledger } = await open();
    const [a, b] = [await keep(ledger, { key: "a" }), await keep(ledger, { key: "b" })];
    expect(await ledger.payments.settle(a, settled("5UfDuX"))).not.toBeNull();
    expect(await ledger.payments.settle(b, settled("5ufdux"))).not.toBeNull();
  });
});

test("a receipt names the facilitator, the request and the answer it is for", async () => {
  const { ledger, file } = await open();
  await ledger.payments.settle(await keep(ledger, { key: "a", fingerprint: "the request" }), settled("0x1"));
  const [stored] = await runOnBooks(file, ["SELECT * FROM receipts"]);
  expect(stored).toMatchObject({
    facilitator: "one",
    request_sha256: "the request",
    response_sha256: sha256Hex("answer of a"),
  });
});

describe("settlements that reach the books together", () => {
  test("book each payment once, and one of two that name the same transaction", async () => {
    const { ledger } = await open();
    const ids = await Promise.all(["a", "b", "c", "d"].map((key) => keep(ledger, { key })));
    const [a = "", b = "", c = "", d = ""] = ids;
    const [one, again, two, taken, other] = await Promise.all([
      ledger.payments.settle(a, settled("0x1")),
      ledger.payments.settle(a, settled("0x1")),
      ledger.payments.settle(b, settled("0x2")),
      ledger.payments.settle(c, settled("0x2")),
      ledger.payments.settle(d, settled("0x3")),
    ]);
    expect(again).toMatchObject({ receipt_id: one?.receipt_id });
    expect(new Set([one, two, other].map((booked) => booked?.receipt_id)).size).toBe(3);
    expect(taken).toBeNull();
    expect((await ledger.payments.get(c))?.reason).toContain(b);
    expect(await ledger.audit()).toMatchObject({ findings: [], receipts: 3 });
    expect(await ledger.receipts.totals()).toMatchObject({ organic: { count: 3, amount: 30_000n } });
  });

  test("say when they were settled as their receipts do", async () => {
    const { ledger } = await open();
    const booked = await ledger.payments.settle(await keep(ledger, { key: "a" }), settled("0x1"));
    const receipt = await ledger.receipts.get(booked?.receipt_id ?? "");
    // An engine that would have to ask leaves it out.
    expect([undefined, receipt?.settled_at_ms]).toContain(booked?.settled_at_ms);
  });

  test("are found by the hash of what they bought, the earliest from a time on", async () => {
    const { ledger, clock } = await open();
    const ids: string[] = [];
    for (const key of ["a", "b"]) {
      const begun = await ledger.payments.begin(paymentOf({ key }));
      if (!begun.started) throw new Error("not started");
      const { id } = begun;
      await ledger.payments.keepAnswer(id, "one answer", { facilitator: "one" });
      ids.push((await ledger.payments.settle(id, settled(`0x${key}`)))?.receipt_id ?? "");
      clock.advance(60_000);
    }
    const [first, second] = await Promise.all(ids.map((id) => ledger.receipts.get(id)));
    const hash = sha256Hex("one answer");
    const { receipts } = ledger;
    expect((await receipts.findByAnswer(hash, 0))?.id).toBe(ids[0]);
    expect((await receipts.findByAnswer(hash, first?.settled_at_ms ?? 0))?.id).toBe(ids[0]);
    expect((await receipts.findByAnswer(hash, second?.settled_at_ms ?? 0))?.id).toBe(ids[1]);
    expect(await receipts.findByAnswer(hash, (second?.settled_at_ms ?? 0) + 1)).toBeNull();
    expect(await receipts.findByAnswer("0".repeat(64), 0)).toBeNull();
  });

  test("have the facts of the attempt that was paid for, when a payment started over for something else", async () => {
    const { ledger } = await open();
    const first = await keep(ledger, { key: "a" });
    await ledger.payments.end(first, "settle_failed", "refused");
    expect(await keep(ledger, { key: "a", product: "two", amount: 70_000n, fingerprint: "other" })).toBe(first);
    const booked = await ledger.payments.settle(first, settled("0x1"));
    const receipt = await ledger.receipts.get(booked?.receipt_id ?? "");
    expect(receipt).toMatchObject({ product: "two", amount: 70_000n, request_sha256: "other" });
    expect((await ledger.audit()).findings).toEqual([]);
  });
});

describe("who begins a payment learns of earlier ones", () => {
  const start = async (ledger: Ledger, key: string, more?: BeginOptions) => {
    const begun = await ledger.payments.begin(paymentOf({ key }), more);
    if (!begun.started) throw new Error("not started");
    return begun;
  };

  test("that were sold, or open, or never handed over", async () => {
    const { ledger } = await open();
    const nothing = await start(ledger, "first");
    await ledger.payments.settle(await keep(ledger, { key: "sold" }), settled("0x1"));
    expect((await start(ledger, "second")).mayHaveEarlier()).toBe(true);
    // A sale that was handed over is nothing to who may repeat it.
    const repeats = await start(ledger, "third", { may_repeat: true });
    if (ENGINE !== "postgres") expect([nothing, repeats].map((one) => one.mayHaveEarlier())).toEqual([false, false]);
    await ledger.payments.settle(await keep(ledger, { key: "lost" }), settled("0x2", false));
    expect((await start(ledger, "fourth", { may_repeat: true })).mayHaveEarlier()).toBe(true);
    // What was said before holds until something was left open.
    expect([nothing, repeats].map((one) => one.mayHaveEarlier())).toEqual([true, true]);
  });

  test("while one is being marked as open", async () => {
    const { ledger } = await open();
    const id = await keep(ledger, { key: "open" });
    const before = await start(ledger, "before", { may_repeat: true });
    const marking = ledger.payments.markUnknown(id, "timeout");
    expect(before.mayHaveEarlier()).toBe(true);
    await marking;
    expect(before.mayHaveEarlier()).toBe(true);
    expect((await start(ledger, "after", { may_repeat: true })).mayHaveEarlier()).toBe(true);
  });
});

describe("a payment that was begun", () => {
  test("is found at once, and blocks its copies", async () => {
    const { ledger } = await open();
    const begun = await ledger.payments.begin(paymentOf({ key: "a" }));
    expect(await ledger.payments.find("a")).toMatchObject({ state: "received", payload_hash: "hash of a" });
    expect(await ledger.payments.begin(paymentOf({ key: "a" }))).toMatchObject({ started: false });
    if (begun.started) await ledger.payments.drop(begun.id, "a", { state: "rejected", reason: "no" });
    expect(await ledger.payments.find("a")).toMatchObject({ state: "rejected", payload: "", reason: "no" });
    expect((await ledger.audit()).findings).toEqual([]);
  });

  test("gets its row when it takes long", async () => {
    const { ledger, file } = await open();
    await ledger.payments.begin(paymentOf({ key: "a" }));
    const rows = () => runOnBooks(file, ["SELECT state FROM payments"]);
    await until(async () => (await rows()).length > 0, "its row");
    expect(await rows()).toEqual([{ state: "received" }]);
  });

  test("and left there is over after the next start", async () => {
    const { ledger } = await open();
    const begun = await ledger.payments.begin(paymentOf({ key: "a" }));
    expect(await ledger.payments.recover()).toEqual({ abandoned: 1, unknown: 0 });
    expect(begun.started && (await ledger.payments.get(begun.id))?.state).toBe("abandoned");
  });
});

describe("a buyer's own name for a payment", () => {
  test("belongs to one payment at a time", async () => {
    const { ledger } = await open();
    const id = await keep(ledger, { key: "a", identifier: "name" });
    expect(await failureOf(keep(ledger, { key: "b", identifier: "name" }))).toMatchObject({
      code: "identifier_conflict",
    });
    expect((await ledger.payments.findByIdentifier("name"))?.id).toBe(id);
    expect(ledger.halted).toBeNull();
  });

  test("goes over to a new attempt when the first was never charged", async () => {
    const { ledger } = await open();
    const first = await keep(ledger, { key: "a", identifier: "name" });
    await ledger.payments.end(first, "settle_failed", "refused");
    const second = await keep(ledger, { key: "b", identifier: "name" });
    expect((await ledger.payments.findByIdentifier("name"))?.id).toBe(second);
    expect((await ledger.payments.get(first))?.identifier).toBeNull();
  });
});

describe("of a buyer's earlier payments for a request", () => {
  test("an open one counts before one he never got, and that before the newest", async () => {
    const { ledger, clock } = await open();
    const next = async (key: string) => {
      clock.advance(1_000);
      return keep(ledger, { key });
    };
    const find = async () => (await ledger.payments.findEarlier("0xpayer", "request", "another"))?.replay_key;
    const open_one = await next("open");
    const lost = await next("lost");
    const newest = await next("newest");
    await ledger.payments.settle(newest, settled("0x3"));
    expect(await find()).toBe("newest");
    await ledger.payments.settle(lost, settled("0x2", false));
    expect(await find()).toBe("lost");
    await ledger.payments.markUnknown(open_one, "timeout");
    expect(await find()).toBe("open");
  });

  test("an open one that can no longer be taken comes first until a later one is sold", async () => {
    const { ledger, clock } = await open();
    const find = async () => (await ledger.payments.findEarlier("0xpayer", "request", "another"))?.replay_key;
    const end_ms = clock.now() + 60_000;
    await ledger.payments.markUnknown(await keep(ledger, { key: "open", valid_until_ms: end_ms }), "timeout");
    clock.advance(1_000);
    await ledger.payments.settle(await keep(ledger, { key: "sold" }), settled("0x1"));
    expect(await find()).toBe("open");
    clock.set(end_ms + 1);
    expect(await find()).toBe("sold");
    await ledger.payments.markUnknown(await keep(ledger, { key: "open again", valid_until_ms: end_ms }), "timeout");
    expect(await find()).toBe("open again");
  });

  test("those that were never charged hide nothing, however many they are", async () => {
    const { ledger, clock } = await open();
    await ledger.payments.markUnknown(await keep(ledger, { key: "open" }), "timeout");
    for (let n = 0; n < 30; n++) {
      clock.advance(1_000);
      await ledger.payments.end(await keep(ledger, { key: `failed ${n}` }), "settle_failed", "refused");
    }
    expect((await ledger.payments.findEarlier("0xpayer", "request", "another"))?.replay_key).toBe("open");
  });
});
