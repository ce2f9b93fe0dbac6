import { describe, expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeBooksAfterEach, failureOf, openBooks, runOnBooks } from "../../test/helpers/open-books.ts";
import { createSettableClock } from "../core/clock.ts";
import { sha256Hex } from "../core/hash.ts";
import type { Ledger } from "./ledger.ts";
import type { Kept } from "./payments.ts";

closeBooksAfterEach();

async function open() {
  const clock = createSettableClock();
  const file = join(mkdtempSync(join(tmpdir(), "payments-")), "ledger.db");
  return { clock, file, ledger: await openBooks({ file, clock }) };
}

interface Wanted extends Kept {
  readonly key: string;
  readonly fingerprint?: string;
}

/** A payment whose answer is kept and that waits for its settlement. */
async function keep({ payments }: Ledger, { key, fingerprint = "request", ...kept }: Wanted): Promise<string> {
  const begun = await payments.begin({
    replay_key: key,
    payload_hash: `hash of ${key}`,
    fingerprint,
    product: "one",
    network: "eip155:84532",
    asset: "0xusdc",
    payer: "0xpayer",
    pay_to: "0xseller",
    amount: 10_000n,
    valid_until_ms: 4_000_000_000_000,
    payload: "{}",
  });
  if (!begun.started) throw new Error("not started");
  payments.note(begun.id, "verified", "one");
  await payments.keepAnswer(begun.id, `answer of ${key}`, kept);
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
    expect(await ledger.payments.settle(a, settled("0xABCDEF"))).toStartWith("rcp_");
    expect(await ledger.payments.settle(b, settled(second))).toBeNull();
    expect(await ledger.payments.get(b)).toMatchObject({ state: "unknown", receipt_id: null, chain_transaction: null });
    expect((await ledger.payments.get(b))?.reason).toContain(a);
    expect(await ledger.audit()).toMatchObject({ findings: [], receipts: 1 });
    expect(await ledger.payments.settle(b, settled("0xother"))).toStartWith("rcp_");
  });

  test("in the same spelling of a chain that tells case apart is another one", async () => {
    const { ledger } = await open();
    const [a, b] = [await keep(ledger, { key: "a" }), await keep(ledger, { key: "b" })];
    expect(await ledger.payments.settle(a, settled("5UfDuX"))).not.toBeNull();
    expect(await ledger.payments.settle(b, settled("5ufdux"))).not.toBeNull();
  });
});

test("a receipt names the facilitator, the request and the answer it stands for", async () => {
  const { ledger, file } = await open();
  await ledger.payments.settle(await keep(ledger, { key: "a", fingerprint: "the request" }), settled("0x1"));
  const [stored] = await runOnBooks(file, ["SELECT * FROM receipts"]);
  expect(stored).toMatchObject({
    facilitator: "one",
    request_sha256: "the request",
    response_sha256: sha256Hex("answer of a"),
  });
});

describe("a buyer's own name for a payment", () => {
  test("stands for one payment at a time", async () => {
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
