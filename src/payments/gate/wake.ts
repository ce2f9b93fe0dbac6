import type { PaymentRow } from "../../ledger/payment-row.ts";
import type { GateOptions } from "./types.ts";

/**
 * A row that is in flight although nothing here works on it was left by a failed disk: nothing was charged before
 * `settling`, and from then on the chain has the word. An open one is looked up.
 */
export async function wakeRow({ ledger, reconciler }: GateOptions, row: PaymentRow): Promise<PaymentRow> {
  if (row.state === "settling") await ledger.payments.markUnknown(row.id, "left in settling");
  if (row.state === "received" || row.state === "verified" || row.state === "producing") {
    await ledger.payments.end(row.id, "abandoned", `left in ${row.state}`);
  }
  const current = ledger.payments.get(row.id) ?? row;
  return current.state === "unknown" ? reconciler.resolve(current, true) : current;
}
