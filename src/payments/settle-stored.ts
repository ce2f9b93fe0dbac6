import type { PaymentRow } from "../ledger/payment-row.ts";
import type { FacilitatorPool } from "./facilitators/pool.ts";
import type { SettleOutcome } from "./facilitators/types.ts";
import { familyOf } from "./networks/families.ts";
import { MAX_TIMEOUT_S } from "./pricing/quote-time.ts";

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
  const { outcome } = await pool.settle(facilitator, {
    payload,
    fee_payer,
    payer: payment.payer,
    requirement: {
      scheme: "exact",
      network,
      amount: amount.toString(),
      asset,
      payTo: pay_to,
      maxTimeoutSeconds: MAX_TIMEOUT_S,
      extra: fee_payer === null ? offer.extra : { ...offer.extra, feePayer: fee_payer },
    },
  });
  return outcome;
}
