import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256Hex } from "../../src/core/hash.ts";
import type { KeyRow } from "../../src/ledger/key-rows.ts";
import type { Grant } from "../../src/ledger/keys.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { renderPurchase } from "../../src/ledger/purchase.ts";
import type { ReceiptLabel } from "../../src/ledger/receipts.ts";
import { createStillClock } from "./still-clock.ts";

const folders: string[] = [];
export function newLedgerFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "ledger-"));
  folders.push(folder);
  return folder;
}
/** Call it in afterAll. */
export function removeLedgerFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

const BASE = "eip155:84532";
const SOLANA = "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1";
const HOUR_MS = 3_600_000;
const answer = (text: string, name?: string) => ({
  body: JSON.stringify({ text }),
  name: name === undefined ? null : { name: sha256Hex(name), fingerprint: sha256Hex(`request of ${name}`) },
});
const grant = (more: Partial<Grant>): Grant & { from_ms: number } => ({
  plan: "buy_credits",
  credit: 0n,
  duration_ms: null,
  pass: false,
  priority: 1,
  badge: null,
  from_ms: 0,
  ...more,
});

/** Sells, and buys plans, on an open ledger. Payments are numbered from 1. */
export function createSeller(ledger: Ledger, now_ms: () => number) {
  let n = 0;
  interface Sale {
    readonly network?: string;
    readonly product?: string;
    readonly amount?: bigint;
    readonly label?: ReceiptLabel;
    readonly purchase?: string;
    readonly end?: "settled" | "unknown" | "settling" | "settle_failed";
  }
  const sell = async (sale: Sale = {}): Promise<string> => {
    const { network = BASE, product = "fear-greed", amount = 10_000n, label = "organic", end = "settled" } = sale;
    n += 1;
    const begun = await ledger.payments.begin({
      replay_key: `test:${network}:${n}`,
      payload_hash: sha256Hex(`payload ${n}`),
      fingerprint: sha256Hex(`request ${n}`),
      product,
      network,
      asset: "asset",
      payer: `payer-${n % 3}`,
      pay_to: "seller",
      amount,
      valid_until_ms: now_ms() + 300_000,
      payload: "{}",
    });
    if (!begun.started) throw new Error("not started");
    await ledger.payments.keepAnswer(begun.id, `answer ${n}`, sale.purchase ? { purchase: sale.purchase } : {});
    if (end === "unknown") await ledger.payments.markUnknown(begun.id, "timeout");
    if (end === "settle_failed") await ledger.payments.end(begun.id, "settle_failed", "refused");
    if (end === "settled") {
      await ledger.payments.settle(begun.id, { chain_transaction: `tx-${network}-${n}`, label, delivered: true });
    }
    return begun.id;
  };
  /** Buys a plan for a new key, or for one that is there. */
  const buy = async (name: string, given: Partial<Grant>, sale: Sale): Promise<KeyRow> => {
    const public_id = `key_${name}`;
    const there = await ledger.keys.byPublicId(public_id);
    const key = { public_id, hash: sha256Hex(public_id), salt: null, label: null, purchaser: "payer-1" };
    const purchase = renderPurchase({
      receipt_id: `rcp_plan${n + 1}`,
      grant: grant(given),
      target: there ? { public_id } : { key },
    });
    await sell({ ...sale, purchase });
    return (await ledger.keys.byPublicId(public_id)) as KeyRow;
  };
  return { sell, buy };
}

/** Calls of a key: debits, holds in each of their ends, a pass. */
export function createCaller(ledger: Ledger, now_ms: () => number) {
  const charge = async (key: KeyRow, product = "gas", amount = 2_500n) => ({
    key,
    root: await ledger.keys.rootOf(key),
    product,
    amount,
    now_ms: now_ms(),
  });
  const debit = async (key: KeyRow, product?: string, name?: string): Promise<number> => {
    const done = await ledger.charges.debit(await charge(key, product), answer(`debit of ${product}`, name));
    if (!done.ok) throw new Error(done.why);
    return done.call_id;
  };
  const hold = async (
    key: KeyRow,
    end: "posted" | "voided" | "pending",
    product = "funding-rates",
  ): Promise<number> => {
    const held = await ledger.charges.hold(await charge(key, product, 20_000n), null);
    if (!held.ok) throw new Error(held.why);
    if (end === "posted") await ledger.charges.post(held.id, await charge(key, product, 20_000n), answer("held"));
    if (end === "voided") ledger.charges.void(held.id);
    await ledger.flush();
    return held.id;
  };
  const pass = async (key: KeyRow): Promise<void> => {
    await ledger.charges.pass(await charge(key));
    await ledger.flush();
  };
  return { debit, hold, pass };
}

const MAY = { client_since_ms: 0, budget: 10_000_000n, budget_since_ms: 0 };

export interface Sample {
  readonly folder: string;
  readonly file: string;
}

/** A closed ledger of three days with everything in it that a ledger can hold. Days begin at 2026-11-18. */
export async function makeSampleLedger(): Promise<Sample> {
  const folder = newLedgerFolder();
  const file = join(folder, "ledger.db");
  const clock = createStillClock(Date.parse("2026-11-18T10:00:00Z"));
  const ledger = openLedger({ file, clock });
  const { sell, buy } = createSeller(ledger, clock.now);
  const { debit, hold, pass } = createCaller(ledger, clock.now);

  await sell();
  await sell({ network: SOLANA, label: "operator-test" });
  await sell({ product: "gas", amount: 2_500n });
  const credits = await buy("credits", { credit: 1_250_000n }, { product: "buy-credits", amount: 1_000_000n });
  const tester = { product: "buy-credits", amount: 1_000_000n, label: "operator-test" as const };
  const test = await buy("test", { credit: 1_250_000n }, tester);
  await debit(credits, "gas", "one");
  await debit(test);
  await hold(credits, "posted");
  await hold(credits, "voided");
  const refunded = await debit(credits);

  clock.advance(24 * HOUR_MS);
  await ledger.charges.refund(refunded);
  const holder = await buy("pass", { plan: "day_pass", pass: true, duration_ms: 24 * HOUR_MS }, { amount: 5_000_000n });
  await pass(holder);
  await pass(holder);
  const topped = { network: SOLANA, product: "buy-credits", amount: 1_000_000n };
  await buy("credits", { credit: 1_250_000n }, topped);
  await buy("half", { plan: "half", credit: 400_000n, duration_ms: HOUR_MS }, { product: "half", amount: 500_000n });
  const given = { public_id: "key_given", hash: sha256Hex("given"), salt: null, label: "a friend", purchaser: null };
  const friend = await ledger.keys.issue(given, grant({ plan: "given", credit: 100_000n }), { by: "operator" });
  await debit(friend, "whale-alerts");
  const limits = { daily_cap: 50_000n, call_cap: 25_000n, products: ["gas"], expires_at_ms: null };
  const child = await ledger.keys.mint(credits, {
    public_id: "key_child",
    hash: sha256Hex("c"),
    label: null,
    ...limits,
  });
  await debit(child);
  await hold(child, "posted", "gas");

  clock.advance(24 * HOUR_MS);
  await ledger.keys.expire("key_half");
  for (const id of ["one", "two", "three"]) {
    await ledger.coupons.hold({ id, client: `client ${id}`, product: "gas", amount: 2_500n }, MAY);
  }
  await ledger.coupons.use("one");
  await ledger.coupons.use("two");
  await sell({ end: "unknown" });
  await sell({ network: SOLANA, end: "unknown", amount: 70_000n });
  await sell({ end: "settle_failed" });
  await sell();
  await hold(credits, "pending");
  await ledger.close();
  addLandings(file);
  return { folder, file };
}

/** What a look at the chain found: all but one landed. */
function addLandings(file: string): void {
  const db = new Database(file);
  db.run("UPDATE landings SET state = 'confirmed', looks = 1, due_at = NULL");
  db.run("UPDATE landings SET state = 'missing' WHERE receipt_id = (SELECT id FROM receipts ORDER BY seq LIMIT 1)");
  db.run(
    "UPDATE landings SET state = 'pending' WHERE receipt_id = (SELECT id FROM receipts ORDER BY seq DESC LIMIT 1)",
  );
  db.close();
}
