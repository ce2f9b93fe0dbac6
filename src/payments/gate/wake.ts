import type { PaymentRow, PaymentState } from "../../ledger/payment-row.ts";
import type { GateOptions } from "./types.ts";

const IN_FLIGHT: ReadonlySet<PaymentState> = new Set(["received", "verified", "producing", "settling"]);

/**
 * A row that is in flight although nothing here works on it was left by a failed disk: nothing was charged before
 * `settling`, and from then on the chain has the word. An open one is looked up.
 */
export async function wakeRow({ ledger, reconciler }: GateOptions, row: PaymentRow): Promise<PaymentRow> {
  const current = IN_FLIGHT.has(row.state) ? ((await ledger.payments.wake(row.id)) ?? row) : row;
  return current.state === "unknown" ? reconciler.resolve(current, true) : current;
}
