import type { CatalogProduct } from "../../catalog/catalog.ts";
import { ceilingOf } from "../../core/metering.ts";
import type { KeyRow } from "../../ledger/key-rows.ts";
import { PaymentRefusal } from "../refusal.ts";

/** How a key pays for a call: nothing is debited under a pass. */
export type KeyMode = "pass" | "balance";

const refuseKey = (code: "api_key_revoked" | "api_key_expired" | "api_key_limit", reason: string, hint: string) =>
  new PaymentRefusal(code, { reason, retryable: false, same_payment: false, hint });

export const unknownKey = (): PaymentRefusal =>
  new PaymentRefusal("invalid_api_key", {
    reason: "unknown_key",
    retryable: false,
    same_payment: false,
    hint: "This API key is not known here: check it, or buy one; without it the call can be paid for on its own.",
  });

/** The chain is asked again automatically: what the key holds is there as soon as its payment is. */
export const suspendedKey = (): PaymentRefusal =>
  new PaymentRefusal("api_key_suspended", {
    reason: "payment_not_on_chain",
    retryable: true,
    same_payment: false,
    hint:
      "A payment for this API key was reported as settled and is not on the chain: nothing of the key can be used " +
      "until it is. The node goes on looking; /credits-status says when it is found.",
  });

/**
 * Whether a key may pay for a call, and how. The balance itself is not looked at: that is the debit's own condition.
 * @param root the key whose balance and pass count: `key`, or its parent.
 * @throws PaymentRefusal api_key_revoked, api_key_suspended, api_key_expired or api_key_limit
 */
export function checkKey(
  { key, root }: { readonly key: KeyRow; readonly root: KeyRow },
  { product, now_ms }: { readonly product: CatalogProduct; readonly now_ms: number },
): KeyMode {
  if (key.revoked_at_ms !== null || root.revoked_at_ms !== null) {
    throw refuseKey("api_key_revoked", "revoked", "This API key was revoked.");
  }
  if (root.suspended_at_ms !== null) throw suspendedKey();
  if (key.expires_at_ms !== null && key.expires_at_ms <= now_ms) {
    throw refuseKey("api_key_expired", "key_expired", "This API key has ended.");
  }
  if (key.products !== null && !key.products.includes(product.id)) {
    throw refuseKey("api_key_limit", "product_not_allowed", `This key may not call ${product.path}.`);
  }
  if (root.pass_until_ms !== null && root.pass_until_ms > now_ms) return "pass";
  if (root.account === null) {
    throw refuseKey(
      "api_key_expired",
      "pass_ended",
      "The pass of this key has ended: buy one with the key to extend it.",
    );
  }
  if (root.balance_until_ms !== null && root.balance_until_ms <= now_ms) {
    const hint = "The balance of this key has ended: buy a plan with the key and it can be spent again.";
    throw refuseKey("api_key_expired", "balance_ended", hint);
  }
  if (key.call_cap !== null && ceilingOf(product) > key.call_cap) {
    throw refuseKey("api_key_limit", "call_cap", `This key may spend at most ${key.call_cap} a call.`);
  }
  return "balance";
}

/** Whether a part of the balance has ended and is not booked yet: until then it could be spent. */
export const hasEndedLot = ({ lot_until_ms }: Pick<KeyRow, "lot_until_ms">, now_ms: number): boolean =>
  lot_until_ms !== null && lot_until_ms <= now_ms;

/** The priority a key has now. */
export const priorityOf = (root: KeyRow, now_ms: number): number =>
  root.priority_until_ms === null || root.priority_until_ms > now_ms ? root.priority : 1;

export const insufficientCredits = (available: bigint, price: bigint): PaymentRefusal =>
  new PaymentRefusal("insufficient_credits", {
    reason: "insufficient_credits",
    retryable: true,
    same_payment: false,
    hint: `${available} atomic USDC can be spent and the call costs ${price}: buy a plan with this key to top it up.`,
  });

export const dailyCapReached = (): PaymentRefusal =>
  new PaymentRefusal("api_key_limit", {
    reason: "daily_cap",
    retryable: true,
    same_payment: false,
    hint: "This key has spent what it may spend today (UTC).",
  });
