import type { ErrorCode, NodeError } from "../../core/errors.ts";
import { encodeHeader } from "../../payments/codec.ts";
import type { PaymentRefusal } from "../../payments/refusal.ts";
import type { SentPayment } from "./read-request.ts";

/** Error codes of the x402 extension; ours, in capitals, where it has no code. */
const ERROR_CODES: Partial<Record<ErrorCode, string>> = {
  insufficient_funds: "INSUFFICIENT_FUNDS",
  payment_expired: "EXPIRED_PAYMENT",
  payment_already_used: "DUPLICATE_NONCE",
  amount_mismatch: "INVALID_AMOUNT",
  settlement_failed: "SETTLEMENT_FAILED",
};
/** Facilitators have many words for two of them. */
const REASONS = [
  [/signature/, "INVALID_SIGNATURE"],
  [/network/, "NETWORK_MISMATCH"],
] as const;

/** Value of `x402.payment.error`. */
export const errorCodeOf = ({ code }: NodeError, reason = ""): string =>
  ERROR_CODES[code] ?? REASONS.find(([word]) => word.test(reason))?.[1] ?? code.toUpperCase();

/**
 * The headers a call would have brought over HTTP: what pays is in the payment's own, and everything else, such as
 * a key or the buyer's names for his call, where it always stands.
 */
export function payHeaders(given: Headers, payment: SentPayment | null): Headers {
  const headers = without(given, ["payment-signature", "x-payment"]);
  if (payment) {
    const name = payment.payload.x402Version === 1 ? "X-PAYMENT" : "PAYMENT-SIGNATURE";
    headers.set(name, encodeHeader(payment.payload));
  }
  return headers;
}

/** Headers without those that would pay in another way than the payment that is repeated: it alone is asked about. */
export const payingOnce = (headers: Headers): Headers => without(headers, ["x-api-key", "x-coupon"]);

function without(given: Headers, names: readonly string[]): Headers {
  const headers = new Headers(given);
  for (const name of names) headers.delete(name);
  return headers;
}

/** A settlement, as the header of an answer or a refusal tells it. */
export function readSettlement(headers: Readonly<Record<string, string>>): Record<string, unknown> | null {
  const value = headers["PAYMENT-RESPONSE"] ?? headers["X-PAYMENT-RESPONSE"];
  return value === undefined ? null : JSON.parse(Buffer.from(value, "base64").toString("utf8"));
}

/** The attempt a refusal ended, for the list of all attempts. */
export function renderAttempt(
  { diagnostic, failed_settlement }: PaymentRefusal,
  payment: SentPayment,
): Record<string, unknown> {
  const accepted = payment.payload.accepted;
  const named =
    typeof accepted === "object" && accepted !== null && "network" in accepted
      ? accepted.network
      : payment.payload.network;
  const network = failed_settlement?.network ?? (typeof named === "string" ? named.slice(0, 100) : "");
  const payer = failed_settlement ? { payer: failed_settlement.payer } : {};
  return { success: false, errorReason: diagnostic.reason, transaction: "", network, ...payer };
}
