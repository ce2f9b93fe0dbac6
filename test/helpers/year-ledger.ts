import { sha256Hex } from "../../src/core/hash.ts";
import type { Ledger } from "../../src/ledger/ledger.ts";
import type { MoneySummary } from "../../src/ledger/money.ts";
import { addChannels } from "./sample-channels.ts";
import { createCaller, createSeller } from "./sample-ledger.ts";

const HOUR_MS = 3_600_000;

/** What the ledger below made, counted by hand. */
export const SHOP_MONEY: MoneySummary = {
  settled: { count: 7, amount: 7_525_000n },
  never_landed: { count: 2, amount: 1_010_000n },
  received: { count: 5, amount: 6_515_000n },
  own_tests: { count: 1, amount: 5_000n },
  given_back: 0n,
  // Three calls, a pass, what a plan kept, four debits less one given back, a coupon, two vouchers.
  sold: 25_000n + 5_000_000n + 100_000n + 10_000n + 2_500n + 20n,
  // Two bonuses, a gift, a first call.
  given: 250_000n + 250_000n + 100_000n + 2_500n,
  // Two calls that landed, the pass, what a plan kept, its credit that ended, two debits of paid credit, two vouchers.
  earned: 15_000n + 5_000_000n + 100_000n + 400_000n + 5_000n + 20n,
  from_channels: 20n,
  unearned: 995_000n,
};

/**
 * Sells a little of everything: a paid call, one that never landed, the operator's own, a gift, plans with a bonus,
 * with less credit than was paid, and with a payment that never landed, a pass, a coupon, a channel.
 */
export async function sellOfEverything(ledger: Ledger, clock: { now(): number; advance(ms: number): void }) {
  const { sell, buy } = createSeller(ledger, clock.now);
  const { debit } = createCaller(ledger, clock.now);
  const miss = async (payment_id: string) => {
    const receipt_id = (await ledger.payments.get(payment_id))?.receipt_id ?? "";
    await ledger.landings.note(receipt_id, { state: "missing", checked_at_ms: clock.now(), due_at_ms: null });
  };
  await sell({ product: "gas" });
  await miss(await sell());
  await sell({ amount: 5_000n, label: "operator-test" });
  const given = { public_id: "key_gift", hash: sha256Hex("gift"), salt: null, label: "a friend", purchaser: null };
  const gift = { plan: "given", credit: 100_000n, duration_ms: null, pass: false, priority: 1, badge: null };
  await debit(await ledger.keys.issue(given, gift, { by: "operator" }), "gas");
  const bought = { product: "buy-credits", amount: 1_000_000n };
  const key = await buy("paid", { credit: 1_250_000n }, bought);
  await debit(key, "gas");
  await debit(key, "whale-alerts");
  await ledger.charges.refund(await debit(key, "gas"));
  await buy(
    "pass",
    { plan: "day_pass", pass: true, duration_ms: 24 * HOUR_MS },
    { product: "day", amount: 5_000_000n },
  );
  await buy("half", { plan: "half", credit: 400_000n, duration_ms: HOUR_MS }, { product: "half", amount: 500_000n });
  const unpaid = await buy("unpaid", { credit: 1_250_000n }, bought);
  await debit(unpaid, "gas");
  await miss((await ledger.statements.grants(unpaid.id))[0]?.payment_id ?? "");
  clock.advance(24 * HOUR_MS);
  await ledger.keys.expire("key_half");
  const may = { client_since_ms: 0, budget: 10_000_000n, budget_since_ms: 0 };
  await ledger.coupons.hold({ id: "one", client: "client", product: "gas", amount: 2_500n }, may);
  await ledger.coupons.use("one");
  await addChannels(ledger);
}
