import type { PaymentRow } from "../../ledger/payment-row.ts";
import type { ResolvedPayment } from "../reconcile.ts";
import { isInFlight } from "./elsewhere.ts";
import type { GateParts } from "./parts.ts";

/**
 * A row that is in flight although nothing here works on it was left by a failed disk, unless another node of the
 * cluster works on it: nothing was charged before `settling`, and from then on the chain has the word. An open one is
 * looked up.
 */
export async function wakeRow({ ledger, reconciler }: GateParts, row: PaymentRow): Promise<ResolvedPayment> {
  const current = isInFlight(row) ? ((await ledger.payments.wake(row.id)) ?? row) : row;
  return current.state === "unknown" ? reconciler.resolve(current, true) : current;
}

/** The same, and waits for another node that works on it. */
export async function awaitRow(options: GateParts, row: PaymentRow): Promise<ResolvedPayment> {
  const woken = await wakeRow(options, row);
  if (!isInFlight(woken)) return woken;
  const ended = await options.elsewhere.wait(woken);
  return ended.state === "unknown" ? options.reconciler.resolve(ended, true) : ended;
}
