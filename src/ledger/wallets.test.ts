import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { closeBooksAfterEach, openBooks, runOnBooks } from "../../test/helpers/open-books.ts";
import { newLedgerFolder, removeLedgerFolders } from "../../test/helpers/sample-ledger.ts";
import { createStillClock, START_MS } from "../../test/helpers/still-clock.ts";
import { sha256Hex } from "../core/hash.ts";
import type { Ledger } from "./ledger.ts";
import { renderPurchase } from "./purchase.ts";

closeBooksAfterEach();
afterAll(removeLedgerFolders);

const BASE = "eip155:84532";
const SOLANA = "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1";
const NONCE = "0123456789abcdef0123456789abcdef";
const MINUTE_MS = 60_000;

async function open() {
  const file = join(newLedgerFolder(), "ledger.db");
  const clock = createStillClock();
  return { file, clock, ledger: await openBooks({ file, clock }) };
}

interface Paid {
  readonly payer: string;
  readonly network?: string;
  readonly purchase?: string;
  readonly end?: "settled" | "unknown";
}
let n = 0;
async function pay(ledger: Ledger, { payer, network = BASE, purchase, end = "settled" }: Paid): Promise<string> {
  n += 1;
  const begun = await ledger.payments.begin({
    replay_key: `wallets:${n}`,
    payload_hash: sha256Hex(`payload ${n}`),
    fingerprint: sha256Hex(`request ${n}`),
    product: purchase ? "buy-credits" : "one",
    network,
    asset: "asset",
    payer,
    pay_to: "seller",
    amount: 10_000n,
    valid_until_ms: START_MS + 300_000,
    payload: "{}",
  });
  if (!begun.started) throw new Error("not started");
  await ledger.payments.keepAnswer(begun.id, `answer ${n}`, purchase ? { purchase } : {});
  if (end === "unknown") await ledger.payments.markUnknown(begun.id, "timeout");
  else await ledger.payments.settle(begun.id, { chain_transaction: `tx${n}`, label: "organic", delivered: true });
  return begun.id;
}

const renderKey = (name: string, purchaser: string): string =>
  renderPurchase({
    receipt_id: `rcp_of_${name}`,
    grant: {
      plan: "buy_credits",
      credit: 1_000n,
      duration_ms: null,
      pass: false,
      priority: 1,
      badge: null,
      from_ms: 0,
    },
    target: { key: { public_id: `key_${name}`, hash: sha256Hex(name), salt: null, label: null, purchaser } },
  });

describe("a nonce", () => {
  test("is taken once, however many ask at the same moment", async () => {
    const { ledger, clock } = await open();
    const times = { until_ms: clock.now() + 5 * MINUTE_MS, now_ms: clock.now() };
    const taken = await Promise.all(Array.from({ length: 20 }, () => ledger.wallets.useNonce(NONCE, times)));
    expect(taken.filter(Boolean).length).toBe(1);
    expect(await ledger.wallets.useNonce(`${NONCE.slice(1)}f`, times)).toBe(true);
  });

  test("is not taken again after the books were closed and opened", async () => {
    const { ledger, clock, file } = await open();
    const times = { until_ms: clock.now() + 5 * MINUTE_MS, now_ms: clock.now() };
    expect(await ledger.wallets.useNonce(NONCE, times)).toBe(true);
    await ledger.close();
    const again = await openBooks({ file, clock });
    expect(await again.wallets.useNonce(NONCE, times)).toBe(false);
  });

  test("is forgotten an hour after its end, four with each that comes", async () => {
    const { ledger, clock, file } = await open();
    const use = (id: number) =>
      ledger.wallets.useNonce(`nonce ${id}`, { until_ms: clock.now() + 5 * MINUTE_MS, now_ms: clock.now() });
    for (let id = 0; id < 10; id++) await use(id);
    clock.advance(64 * MINUTE_MS);
    await use(10);
    const count = async () =>
      Number(((await runOnBooks(file, ["SELECT count(*) AS n FROM used_nonces"])) as { n: bigint }[])[0]?.n);
    expect(await count()).toBe(11);
    clock.advance(2 * MINUTE_MS);
    await use(11);
    expect(await count()).toBe(8);
    for (let id = 12; id < 14; id++) await use(id);
    expect(await count()).toBe(4);
  });
});

describe("a wallet", () => {
  test("finds its own purchases on its own network, newest first, page by page and by time", async () => {
    const { ledger, clock } = await open();
    const own: string[] = [];
    for (let count = 0; count < 5; count++) {
      own.unshift(await pay(ledger, { payer: "0xme" }));
      await pay(ledger, { payer: "0xother" });
      clock.advance(MINUTE_MS);
    }
    await pay(ledger, { payer: "0xme", network: SOLANA });
    const wallet = { address: "0xme", network: BASE };
    const all = await ledger.wallets.purchases({ ...wallet, limit: 100 });
    expect(all.map(({ payment_id }) => payment_id)).toEqual(own);
    expect(all[0]).toMatchObject({ product: "one", amount: 10_000n, has_answer: true, is_plan: false });
    const first = await ledger.wallets.purchases({ ...wallet, limit: 2 });
    const rest = await ledger.wallets.purchases({ ...wallet, limit: 9, before_seq: first[1]?.seq });
    expect([...first, ...rest]).toEqual([...all]);
    const times = all.map(({ settled_at_ms }) => settled_at_ms);
    const between = { from_ms: times[3] ?? 0, until_ms: times[1] ?? 0 };
    const some = await ledger.wallets.purchases({ ...wallet, ...between, limit: 9 });
    expect(some.map(({ payment_id }) => payment_id)).toEqual([own[2] ?? "", own[3] ?? ""]);
    expect(await ledger.wallets.purchases({ address: "0xnobody", network: BASE, limit: 9 })).toEqual([]);
  });

  test("finds its own payments whose outcome is open", async () => {
    const { ledger } = await open();
    const id = await pay(ledger, { payer: "0xme", end: "unknown" });
    await pay(ledger, { payer: "0xother", end: "unknown" });
    const open_payments = await ledger.wallets.openPayments({ address: "0xme", network: BASE }, 10);
    expect(open_payments.map(({ payment_id }) => payment_id)).toEqual([id]);
    expect(await ledger.wallets.openPayments({ address: "0xme", network: SOLANA }, 10)).toEqual([]);
  });

  test("finds the keys it bought, not their children, nor what it bought elsewhere or topped up", async () => {
    const { ledger, clock } = await open();
    await pay(ledger, { payer: "0xme", purchase: renderKey("mine", "0xme") });
    await pay(ledger, { payer: "0xother", purchase: renderKey("theirs", "0xother") });
    await pay(ledger, { payer: "0xme", network: SOLANA, purchase: renderKey("far", "0xme") });
    const theirs = JSON.parse(renderKey("theirs", "0xother"));
    const top_up = JSON.stringify({ ...theirs, receipt_id: "rcp_top_up", target: { public_id: "key_theirs" } });
    await pay(ledger, { payer: "0xme", purchase: top_up });
    const parent = await ledger.keys.byPublicId("key_mine");
    if (!parent) throw new Error("no key");
    const child = { public_id: "key_child", hash: sha256Hex("child"), label: null, daily_cap: null, call_cap: null };
    await ledger.keys.mint(parent, { ...child, products: null, expires_at_ms: clock.now() + 1_000_000 });
    const keys = await ledger.wallets.keys({ address: "0xme", network: BASE }, 100);
    expect(keys.map(({ public_id }) => public_id)).toEqual(["key_mine"]);
  });
});
