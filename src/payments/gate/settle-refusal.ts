import { type OwedAnswer, tellOwed } from "../../core/passed-on.ts";
import { PaymentRefusal, plainReason } from "../refusal.ts";

/** A refused settlement: the data is withheld, but for what the buyer's own money has bought from somebody else. */
export function refuseSettled(
  { reason, network, payer }: { readonly reason: string; readonly network: string; readonly payer: string },
  made: OwedAnswer,
): PaymentRefusal {
  const { passed_on } = made;
  const what =
    passed_on === undefined
      ? "the data is withheld"
      : `what your payment to ${passed_on.origin} has brought is in \`answer\``;
  const hint = `The facilitator refused to settle, so nothing was charged and ${what}.`;
  const diagnostic = { reason: plainReason(reason), retryable: false, same_payment: false, hint };
  const owed = passed_on === undefined ? {} : { passed_on, details: tellOwed(made) };
  return new PaymentRefusal("settlement_failed", diagnostic, { network, payer }, owed);
}
