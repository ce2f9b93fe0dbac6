import { type NodeFacts, type PaymentTotal, renderTime } from "intel-node";

export interface TrustInputs extends Pick<NodeFacts, "node_id" | "public_key"> {
  readonly receipts: { readonly organic: PaymentTotal; readonly operator_test: PaymentTotal };
  /** When the newest receipt was settled, ms; null before the first. */
  readonly last_ms: number | null;
  /** What the paying wallet settled here before; null when a key paid. */
  readonly paid: PaymentTotal | null;
}

const renderTotal = ({ count, amount_atomic }: PaymentTotal) => ({ count, amount_atomic: amount_atomic.toString() });

/** Totals as decimal texts: amounts can be greater than a JSON number holds. */
export const computeTrust = (
  { node_id, public_key, receipts, last_ms, paid }: TrustInputs,
  { now_ms }: { readonly now_ms: number },
) => ({
  as_of_ms: now_ms,
  data: {
    node_id,
    public_key,
    receipts: { organic: renderTotal(receipts.organic), operator_test: renderTotal(receipts.operator_test) },
    last_settled_at: last_ms === null ? null : renderTime(last_ms),
    receipts_path: "/receipts" as const,
    your_payments: paid === null ? null : renderTotal(paid),
    your_receipt: "/receipts/{X-Receipt-Id}" as const,
  },
  warnings: paid === null ? ["your_payments: no wallet paid for this call"] : [],
});
