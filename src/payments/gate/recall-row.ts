import type { AccessCall } from "../../calls/access.ts";
import type { PaymentRow } from "../../ledger/payment-row.ts";
import type { ResolvedPayment } from "../reconcile.ts";
import { type BuyerNames, isSameBuyer } from "./buyer-names.ts";
import type { GateParts } from "./parts.ts";
import type { PaymentCall } from "./payment-call.ts";
import { recall, showTo } from "./recall.ts";
import type { PaidAnswer } from "./types.ts";

interface FoundRow {
  readonly row: ResolvedPayment;
  /** What the sender knows of the payment. */
  readonly names: BuyerNames;
  /** Whether it came while another node worked on the payment: it is a copy of that call, and no replay. */
  readonly is_copy: boolean;
}

/**
 * Answers a call from the row of its payment, which ended.
 * @returns null when the payment may start over.
 * @throws what `recall` throws
 */
export function recallRow(gate: GateParts, { call, read }: PaymentCall, found: FoundRow): Promise<PaidAnswer> | null {
  const { row, names, is_copy } = found;
  const { payload_hash } = read.signed;
  const { fingerprint, client } = call;
  const is_buyer = isSameBuyer(row, names);
  const kept = recall(gate, { row, payload_hash, fingerprint, is_buyer, client, is_copy });
  return kept && handOver(gate, { row, kept, is_buyer, call });
}

interface KeptAnswer {
  readonly row: PaymentRow;
  readonly kept: PaidAnswer;
  readonly is_buyer: boolean;
  readonly call: AccessCall;
}

async function handOver(
  { ledger }: Pick<GateParts, "ledger">,
  { row, kept, is_buyer, call }: KeptAnswer,
): Promise<PaidAnswer> {
  const whole = kept.reveal === undefined || is_buyer;
  if (!row.delivered && whole && !call.gone.aborted) await ledger.payments.markDelivered(row.id);
  return showTo(kept, is_buyer);
}
