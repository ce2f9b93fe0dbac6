import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { sha256Hex } from "../../src/core/hash.ts";
import type { ChannelStep } from "../../src/ledger/channel-rows.ts";
import type { Grant } from "../../src/ledger/grant.ts";
import type { Ledger } from "../../src/ledger/ledger.ts";
import { renderPurchase } from "../../src/ledger/purchase.ts";
import { openLedgerFile } from "../../src/ledger/sqlite/open.ts";
import { reportLedger } from "../../src/ledger/sqlite/report.ts";
import { closeBooksAfterEach, ENGINE, openBooks } from "../helpers/open-books.ts";
import { newLedgerFolder, removeLedgerFolders } from "../helpers/sample-ledger.ts";
import { createStillClock } from "../helpers/still-clock.ts";

closeBooksAfterEach();
afterAll(removeLedgerFolders);

const NETWORK = "eip155:84532";
const CHANNEL = `0x${"7".repeat(64)}`;
const PAYER = "0xpayer";
const TRANSACTION = `0x${"c".repeat(64)}`;
const NOW_MS = Date.parse("2026-11-18T10:00:00Z");
const SALT = new Uint8Array(32).fill(5);
const BODY = '{"api_key":"withheld"}';

const stateOf = (balance: bigint) => ({ balance, total_claimed: 0n, withdraw_requested_at: 0, refund_nonce: 0n });
const channel = {
  id: CHANNEL,
  network: NETWORK,
  token: "0xusdc",
  payer: PAYER,
  receiver: "0xseller",
  config: "{}",
  label: "organic" as const,
};

/** A purchase of a new key, or for one that is there, as a step names it. */
const purchaseOf = (
  grant: Partial<Grant>,
  target: { readonly name: string } | { readonly public_id: string },
): string =>
  renderPurchase({
    receipt_id: "rcp_none",
    grant: {
      plan: "credits",
      credit: 0n,
      duration_ms: null,
      pass: false,
      priority: 1,
      badge: null,
      ...grant,
      from_ms: NOW_MS,
    },
    target:
      "name" in target
        ? {
            key: {
              public_id: `key_${target.name}`,
              hash: sha256Hex(target.name),
              salt: SALT,
              label: null,
              purchaser: PAYER,
            },
          }
        : target,
  });

interface Bought {
  readonly signed: bigint;
  readonly amount: bigint;
  readonly purchase?: string;
  readonly product?: string;
}
const stepOf = ({ signed, amount, purchase, product = "buy-credits" }: Bought): ChannelStep => ({
  channel: CHANNEL,
  signed,
  amount,
  signature: `0x${signed}`,
  product,
  fingerprint: "f",
  voucher_sha256: `sha${signed}`,
  identifier: null,
  proof: null,
  purchase,
});

async function open() {
  const file = join(newLedgerFolder(), "ledger.db");
  const clock = createStillClock(NOW_MS);
  const ledger = await openBooks({ file, clock });
  const deposit = async (bought: Bought) => {
    const known = await ledger.channels.get(CHANNEL);
    const before = known === null ? 0n : known.deposited;
    const begun = await ledger.channels.begin({
      kind: "deposit",
      channel: CHANNEL,
      amount: 1_000n,
      facilitator: "main",
      valid_until_ms: 1,
      step: { ...stepOf(bought), body: BODY },
      opening: known === null ? { channel, state: stateOf(0n) } : null,
    });
    if (!begun.ok) throw new Error(begun.why);
    const landed = { state: "done" as const, chain_transaction: TRANSACTION, now: stateOf(before + 1_000n) };
    return { id: begun.id, land: () => ledger.channels.end(begun.id, landed) };
  };
  const buy = (bought: Bought) => ledger.channels.charge(stepOf(bought), { body: BODY });
  const keyOf = (name: string) => ledger.keys.find(sha256Hex(name));
  return { file, clock, ledger, deposit, buy, keyOf };
}
const balanceOf = async (ledger: Ledger, name: string): Promise<bigint> =>
  (await ledger.keys.balance(`credit:key_${name}`)).posted;

describe("a plan that is bought by voucher", () => {
  test("is granted in the commit that earns it: what was paid is owed until it is called", async () => {
    const { ledger, deposit, buy, keyOf, file } = await open();
    await (await deposit({ signed: 10n, amount: 10n, product: "gas" })).land();
    await buy({ signed: 110n, amount: 100n, purchase: purchaseOf({ credit: 125n }, { name: "a" }) });
    expect(await balanceOf(ledger, "a")).toBe(125n);
    // More of it, for less than was paid, and a pass: the rest is income at once.
    await buy({ signed: 210n, amount: 100n, purchase: purchaseOf({ credit: 80n }, { public_id: "key_a" }) });
    const pass = { plan: "day", pass: true, duration_ms: 3_600_000 };
    await buy({ signed: 240n, amount: 30n, purchase: purchaseOf(pass, { name: "b" }), product: "day-pass" });
    expect(await balanceOf(ledger, "a")).toBe(205n);
    const key = await keyOf("a");
    if (key === null) throw new Error("no key");
    const root = await ledger.keys.rootOf(key);
    const charge = { key, root, product: "gas", amount: 50n, now_ms: NOW_MS };
    expect((await ledger.charges.debit(charge, { body: "{}", name: null })).ok).toBe(true);
    expect((await ledger.audit()).findings).toEqual([]);

    const money = await ledger.money.toDate();
    expect(money).toMatchObject({ from_channels: 240n, earned: 10n + 20n + 30n + 50n, unearned: 130n, given: 25n });
    expect(money.sold).toBe(110n);
    expect(money.received.amount - money.given_back + money.from_channels).toBe(money.earned + money.unearned);
    const wallet = { address: PAYER, network: NETWORK };
    expect((await ledger.wallets.keys(wallet, 10)).map(({ public_id }) => public_id)).toEqual(["key_b", "key_a"]);
    expect(await ledger.wallets.keys({ ...wallet, network: "eip155:8453" }, 10)).toEqual([]);
    if (ENGINE === "postgres") return;
    await ledger.close();
    const db = openLedgerFile(file, { readonly: true });
    const report = reportLedger(db, { from_ms: 0, until_ms: NOW_MS + 86_400_000 });
    db.close();
    expect(report.money).toEqual(money);
    expect(report.earned.reduce((sum, { amount }) => sum + amount, 0n)).toBe(money.earned);
    expect(report.revenue.map(({ access, product, label, amount }) => [access, product, label, amount])).toEqual([
      ["channel", "gas", "organic", 10n],
      ["debit", "gas", "organic", 50n],
      ["plan", "buy-credits", "organic", 20n],
      ["plan", "day-pass", "organic", 30n],
    ]);
  });

  test("by a deposit is granted when that lands, once, with a key that can be shown again for a day", async () => {
    const { ledger, deposit, keyOf } = await open();
    const purchase = purchaseOf({ credit: 125n }, { name: "c" });
    const sent = await deposit({ signed: 100n, amount: 100n, purchase });
    expect(await keyOf("c")).toBeNull();
    const move = await ledger.channels.move(sent.id);
    expect(JSON.stringify(move, (_, value) => String(value))).not.toContain("05".repeat(32));
    await sent.land();
    await sent.land();
    expect(await balanceOf(ledger, "c")).toBe(125n);
    expect(await ledger.keys.saltOf("key_c")).toEqual(SALT);
    expect((await ledger.channels.findStep(CHANNEL, 100n))?.body).toBe(BODY);
    expect((await ledger.audit()).findings).toEqual([]);
  });

  test("by a deposit that took more than a day to land is granted all the same", async () => {
    const { ledger, deposit, keyOf, clock } = await open();
    const sent = await deposit({ signed: 100n, amount: 100n, purchase: purchaseOf({ credit: 125n }, { name: "d" }) });
    clock.advance(2 * 86_400_000);
    await ledger.charges.pruneAnswers(clock.now() - 86_400_000);
    await sent.land();
    expect(await balanceOf(ledger, "d")).toBe(125n);
    expect((await keyOf("d"))?.public_id).toBe("key_d");
    expect(await ledger.keys.saltOf("key_d")).toBeNull();
    expect((await ledger.audit()).findings).toEqual([]);
  });

  test("by a deposit for a key that is there tops that up", async () => {
    const { ledger, deposit, buy } = await open();
    const purchase = purchaseOf({ credit: 125n }, { name: "e" });
    await (await deposit({ signed: 100n, amount: 100n, purchase })).land();
    const more = purchaseOf({ credit: 125n }, { public_id: "key_e" });
    await (await deposit({ signed: 200n, amount: 100n, purchase: more })).land();
    expect(await balanceOf(ledger, "e")).toBe(250n);
    // What is refused grants nothing.
    expect(await buy({ signed: 200n, amount: 100n, purchase: more })).toMatchObject({ ok: false, why: "moved_on" });
    expect(await balanceOf(ledger, "e")).toBe(250n);
    expect((await ledger.audit()).findings).toEqual([]);
  });
});
