import type { ErrorCode } from "../../core/errors.ts";
import { PaymentRefusal, plainReason } from "../refusal.ts";

/** Where the balance is checked by trying the payment out, an empty wallet looks like any other failure of it. */
export const mayBeEmptyWallet = (reason: string): boolean =>
  /insufficient_(funds|balance)|simulation_failed/.test(reason);

/** The facilitator's reason word as one of our codes; unknown words refuse. */
export function toRefusal(reason: string): PaymentRefusal {
  const funds = /insufficient_(funds|balance)/.test(reason);
  // An allowance is given once, and the payment is as good as before.
  const again = funds || reason.includes("allowance_required");
  const code: ErrorCode = funds
    ? "insufficient_funds"
    : /expired|valid_before/.test(reason)
      ? "payment_expired"
      : /amount_mismatch|value_mismatch/.test(reason)
        ? "amount_mismatch"
        : "invalid_payment";
  const hint = reason.includes("allowance_required")
    ? "Permit2 may not move the paying wallet's USDC yet: let it approve the Permit2 contract once, then send the " +
      "same payment again, or pay by scheme exact."
    : reason.startsWith("gas_")
      ? "Settling this payment costs the node more gas than it may: pay from a plain account, or on another network."
      : funds
        ? "The paying wallet does not hold enough USDC: fund it, then send the same payment again."
        : mayBeEmptyWallet(reason)
          ? "The payment failed when it was tried out: check the wallet's USDC balance, then sign a new one."
          : "The facilitator refused the payment: sign a new one.";
  return new PaymentRefusal(code, { reason: plainReason(reason), retryable: again, same_payment: again, hint });
}
