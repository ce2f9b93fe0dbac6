import { sha256Hex } from "../../core/hash.ts";
import { isBlank } from "../../core/secrets.ts";
import type { IncomingPayment } from "../types.ts";

/**
 * What only the buyer knows of his payment. A signed payment is public once it was broadcast, so sending it again
 * proves nothing; a secret between the two of us does. Hashed, because a ledger file is copied around.
 */
export interface BuyerNames {
  /** Of the payment-identifier: names the payment, and may be asked for again. */
  readonly identifier: string | null;
  /** Of the Idempotency-Key. */
  readonly proof: string | null;
}

/** Shorter keys can be guessed. */
const KEY_CHARS_MIN = 16;
const KEY_CHARS_MAX = 255;

/** Never by the word alone: two payers may use the same. */
export const hashName = (payer: string, word: string): string => sha256Hex(`${payer} ${word}`);

export function readBuyerNames(headers: Headers, { identifier }: IncomingPayment, payer: string): BuyerNames {
  const key = headers.get("idempotency-key") ?? "";
  const usable = key.length >= KEY_CHARS_MIN && key.length <= KEY_CHARS_MAX && !isBlank(key);
  return {
    identifier: identifier === null ? null : hashName(payer, identifier),
    proof: usable ? hashName(payer, key) : null,
  };
}

/** Whether somebody who sends a payment again knows what its first sender knew. */
export function isSameBuyer(first: BuyerNames, now: BuyerNames): boolean {
  const known = [first.identifier, first.proof];
  return [now.identifier, now.proof].some((name) => name !== null && known.includes(name));
}
