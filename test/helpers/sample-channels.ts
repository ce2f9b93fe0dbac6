import { sha256Hex } from "../../src/core/hash.ts";
import type { Ledger } from "../../src/ledger/ledger.ts";
import { renderPurchase } from "../../src/ledger/purchase.ts";

const NETWORK = "eip155:84532";
const TRANSACTION = `0x${"c".repeat(64)}`;
const idOf = (n: number) => `0x${String(n).padStart(64, "0")}`;

const stateOf = (balance: bigint) => ({ balance, total_claimed: 0n, withdraw_requested_at: 0, refund_nonce: 0n });
const stepOf = (n: number, signed: bigint) => ({
  channel: idOf(n),
  signed,
  amount: 10n,
  signature: `0x${signed}`,
  product: "gas",
  fingerprint: "f",
  voucher_sha256: `sha${n}-${signed}`,
  identifier: null,
  proof: null,
});
type Step = ReturnType<typeof stepOf> & { readonly purchase?: string };

/** Begins the first deposit of channel n, with the step that it pays. */
async function beginDeposit({ channels }: Pick<Ledger, "channels">, n: number, step: Step): Promise<number> {
  const channel = {
    id: idOf(n),
    network: NETWORK,
    token: "0xusdc",
    payer: `0xpayer${n}`,
    receiver: "0xseller",
    config: JSON.stringify({ n }),
    label: "organic" as const,
  };
  const begun = await channels.begin({
    kind: "deposit" as const,
    channel: idOf(n),
    amount: 1_000n,
    facilitator: "main",
    valid_until_ms: 1,
    step: { ...step, body: "{}" },
    opening: { channel, state: stateOf(0n) },
  });
  if (!begun.ok) throw new Error(begun.why);
  return begun.id;
}
const LANDED = { state: "done" as const, chain_transaction: TRANSACTION, now: stateOf(1_000n) };

/** Two channels: one that was charged, claimed and swept, one whose deposit is still being sent. */
export async function addChannels(ledger: Pick<Ledger, "channels">): Promise<void> {
  const { channels } = ledger;
  await channels.end(await beginDeposit(ledger, 1, stepOf(1, 10n)), LANDED);
  await channels.claimed([{ channel: idOf(1), total: 10n }], TRANSACTION);
  await channels.swept(NETWORK, 4n, TRANSACTION);
  await channels.charge(stepOf(1, 20n), { body: "{}" });
  await beginDeposit(ledger, 2, stepOf(2, 10n));
}

/** A third channel, whose deposit bought credit, and whose next voucher bought more of it. */
export async function addPlansByVoucher(ledger: Pick<Ledger, "channels">): Promise<void> {
  const { channels } = ledger;
  const buy = (signed: bigint): Step => {
    const name = `voucher${signed}`;
    const key = {
      public_id: `key_${name}`,
      hash: sha256Hex(name),
      salt: new Uint8Array(32).fill(5),
      label: null,
      purchaser: "0xpayer3",
    };
    const purchase = renderPurchase({
      receipt_id: "rcp_none",
      grant: {
        plan: "credits",
        credit: 12n,
        duration_ms: null,
        pass: false,
        priority: 1,
        badge: null,
        from_ms: Date.parse("2026-11-18T10:00:00Z"),
      },
      target: { key },
    });
    return { ...stepOf(3, signed), product: "buy-credits", purchase };
  };
  await channels.end(await beginDeposit(ledger, 3, buy(10n)), LANDED);
  await channels.charge(buy(20n), { body: "{}" });
}
