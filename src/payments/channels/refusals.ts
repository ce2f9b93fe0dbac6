import type { ErrorCode } from "../../core/errors.ts";
import { PaymentRefusal } from "../refusal.ts";

const PREFIX = "invalid_batch_settlement_evm_";

/** The scheme's words that this node says itself; a facilitator's are passed on as they are. */
export type ChannelWord =
  | ("channel_busy" | "channel_id_mismatch" | "cumulative_amount_mismatch" | "cumulative_exceeds_balance")
  | ("deposit_payload" | "erc3009_authorization_required" | "missing_channel" | "payload_type")
  | ("payload_authorization_valid_before" | "receiver_authorizer_mismatch" | "receiver_mismatch")
  | ("refund_amount_invalid" | "refund_no_balance" | "refund_payload" | "token_mismatch" | "voucher_payload")
  | ("voucher_signature" | "withdraw_delay_mismatch" | "channel_not_found");

/** What goes into `accepts[].extra` of a corrective 402. */
export interface Corrective {
  readonly channelState: Readonly<Record<string, unknown>>;
  readonly voucherState?: { readonly signedMaxClaimable: string; readonly signature: string };
}

const CODES: Readonly<Partial<Record<ChannelWord, ErrorCode>>> = {
  cumulative_amount_mismatch: "amount_mismatch",
  payload_authorization_valid_before: "payment_expired",
};
const SAME_AGAIN: ReadonlySet<ChannelWord> = new Set(["channel_busy"]);

/** A refusal in the scheme's word: clients compare the whole `error` with it. */
export function refuseChannel(word: ChannelWord, hint: string, corrective?: Corrective): PaymentRefusal {
  const again = SAME_AGAIN.has(word);
  const diagnostic = { reason: `${PREFIX}${word}`, retryable: again, same_payment: again, hint };
  return new PaymentRefusal(CODES[word] ?? "invalid_payment", diagnostic, undefined, { channel: corrective ?? null });
}

/** A facilitator's word on a channel, as it is. */
export function refuseAsTold(reason: string): PaymentRefusal {
  const funds = reason.includes("insufficient_balance");
  const hint = funds
    ? "The paying wallet does not hold enough USDC for this deposit."
    : "The facilitator refused it. Nothing was charged.";
  const diagnostic = { reason, retryable: funds, same_payment: false, hint };
  return new PaymentRefusal(funds ? "insufficient_funds" : "invalid_payment", diagnostic, undefined, { channel: null });
}
