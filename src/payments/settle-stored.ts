import type { PaymentRow } from "../ledger/payment-row.ts";
import type { FacilitatorPool } from "./facilitators/pool.ts";
import type { SettleOutcome } from "./facilitators/types.ts";
import { familyOf } from "./networks/families.ts";
import { MAX_TIMEOUT_S } from "./pricing/quote-time.ts";
import type { Offer } from "./types.ts";
import { uptoRequirement, withFacilitator } from "./upto/terms.ts";

/**
 * Posts a stored payment once more to the facilitator that had it. The requirement is rebuilt from the ledger, because
 * the price may have changed since.
 * @returns null when its network is not offered or its facilitator is not known any more.
 */
export async function settleStored(pool: FacilitatorPool, payment: PaymentRow): Promise<SettleOutcome | null> {
  const offer = pool.offers.find((one) => one.network.id === payment.network);
  const { facilitator, network, asset, pay_to, amount } = payment;
  if (!offer || facilitator === null || !offer.facilitators.includes(facilitator)) return null;
  const payload = JSON.parse(payment.payload);
  const { fee_payer } = familyOf(offer.network).identify({
    network: offer.network,
    payload,
    now_ms: payment.created_at_ms,
  });
  const upto = payment.authorized === null ? null : restoreUpto(payment, offer, fee_payer ?? "");
  if (payment.authorized !== null && upto === null) return null;
  const { outcome } = await pool.settle(facilitator, {
    payload,
    fee_payer,
    payer: payment.payer,
    ...(upto ?? {
      requirement: {
        scheme: "exact",
        network,
        amount: amount.toString(),
        asset,
        payTo: pay_to,
        maxTimeoutSeconds: MAX_TIMEOUT_S,
        extra: fee_payer === null ? offer.extra : { ...offer.extra, feePayer: fee_payer },
      },
    }),
  });
  return upto === null ? outcome : heedAmount(outcome, upto.requirement.amount);
}

/** Where another amount is said to have been taken than was asked for, the chain has the word. */
function heedAmount(outcome: SettleOutcome, asked_for: string): SettleOutcome {
  if (outcome.kind !== "settled" || outcome.amount === undefined || outcome.amount === asked_for) return outcome;
  return { kind: "unknown", cause: "said to have taken another amount", transaction: outcome.transaction };
}

/** What was signed, and what of it is to be taken: the charge that was stored, and no other. */
function restoreUpto({ amount, authorized, pay_to }: PaymentRow, offer: Offer, facilitator_address: string) {
  const { network, upto } = offer;
  if (upto === undefined || authorized === null) return null;
  const over = (sum: bigint) =>
    withFacilitator(uptoRequirement({ network, pay_to }, upto, sum), facilitator_address, upto);
  return { requirement: over(amount), signed_for: over(authorized) };
}
