import type { Flight, Flights } from "./flights.ts";
import { answerOf, settlementUnknown } from "./recall.ts";
import type { GateOptions, PaidAnswer } from "./types.ts";

/** A buyer who was told "unknown", or who hung up, may come back with a new payment for this long. */
const UNDELIVERED_WINDOW_MS = 600_000;

/**
 * Official clients never send a payment twice: they sign a new one. So a new, verified payment of the same payer for
 * the same request is not settled while an earlier one may have paid for it already; the earlier answer is handed over.
 * @returns the earlier answer, or null when this payment has to be settled.
 * @throws NodeError settlement_unknown while the earlier payment's outcome is open.
 */
export async function findEarlierAnswer(
  options: GateOptions,
  work: { readonly id: string; readonly flight: Flight; readonly flights: Flights },
): Promise<PaidAnswer | null> {
  const { ledger, clock, reconciler, duplicate_guard_ms } = options;
  const { flight } = work;
  const twin = duplicate_guard_ms > 0 ? work.flights.findTwin(flight) : undefined;
  if (twin) await twin.answer.catch(() => undefined);

  const found = ledger.payments.findEarlier(flight.payer, flight.fingerprint, work.id);
  if (!found) return null;
  const row = found.state === "unknown" ? await reconciler.resolve(found, true) : found;
  if (row.state === "unknown") throw settlementUnknown();
  if (row.state !== "settled") return null;

  const age_ms = clock.now() - row.updated_at_ms;
  const window_ms = row.delivered ? duplicate_guard_ms : UNDELIVERED_WINDOW_MS;
  if (age_ms < 0 || age_ms >= window_ms) return null;
  const answer = answerOf(row, "earlier_payment");
  if (answer && !row.delivered) await ledger.payments.markDelivered(row.id);
  return answer;
}
