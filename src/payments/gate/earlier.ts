import { messageOf, NodeError } from "../../core/errors.ts";
import type { PaymentRow } from "../../ledger/payment-row.ts";

import { familyOf } from "../networks/families.ts";
import type { Attempt } from "./attempt.ts";
import type { Flight, Flights } from "./flights.ts";
import { alreadyUsed, answerOf, settlementUnknown } from "./recall.ts";
import type { GateOptions, PaidAnswer } from "./types.ts";
import { wakeRow } from "./wake.ts";

/** A buyer who was told "unknown", or who hung up, may come back with a new payment for this long. */
const UNDELIVERED_MS = { data: 600_000, purchase: 86_400_000 } as const;

/** Waits for older flights that may answer this one. Holds no slot meanwhile, because they need slots too. */
export async function waitForOlder({ duplicate_guard_ms }: GateOptions, flights: Flights, flight: Flight) {
  const alone = duplicate_guard_ms <= 0 && flight.names.identifier === null;
  for (let older = flights.findOlder(flight); older && !alone; older = flights.findOlder(flight)) {
    await older.answer.catch(() => undefined);
  }
}

/**
 * Official clients never send a payment twice: they sign a new one. So a new, verified payment of the same payer for
 * the same request, or under the same name, is not settled while an earlier one may have paid for it already; the
 * earlier answer is handed over.
 * @returns the earlier answer, or null when this payment has to be settled.
 * @throws NodeError settlement_unknown while the earlier payment's outcome is open; identifier_conflict
 */
export async function findEarlierAnswer(options: GateOptions, attempt: Attempt): Promise<PaidAnswer | null> {
  return (await findNamed(options, attempt)) ?? findForRequest(options, attempt);
}

/** The payment its buyer gave the same name. */
async function findNamed(options: GateOptions, attempt: Attempt): Promise<PaidAnswer | null> {
  const { id, flight } = attempt;
  const { identifier } = flight.names;
  const found = identifier === null ? null : options.ledger.payments.findByIdentifier(identifier);
  if (!found || found.id === id) return null;
  const row = await wakeRow(options, found);
  if (row.state === "rejected" || row.state === "abandoned" || row.state === "settle_failed") return null;
  if (row.fingerprint !== flight.fingerprint) {
    const message = "This payment identifier was used for another request. Nothing was charged.";
    throw new NodeError("identifier_conflict", message);
  }
  if (row.state !== "settled") throw settlementUnknown();
  const answer = answerOf(row, "earlier_payment", options);
  if (!answer) throw alreadyUsed(row.receipt_id);
  await markDelivered(options, row, attempt);
  return answer;
}

async function findForRequest(options: GateOptions, attempt: Attempt): Promise<PaidAnswer | null> {
  const { id, flight } = attempt;
  const { ledger, clock, duplicate_guard_ms } = options;
  const found = ledger.payments.findEarlier(flight.payer, flight.fingerprint, id);
  if (!found) return null;
  const row = await wakeRow(options, found);
  if (row.state === "unknown") throw settlementUnknown();
  if (row.state !== "settled" || flight.may_repeat) return null;

  const age_ms = clock.now() - row.updated_at_ms;
  const window_ms = row.delivered ? duplicate_guard_ms : UNDELIVERED_MS[row.purchase === null ? "data" : "purchase"];
  // A clock that was set back a little makes it look younger than it is; one that was wrong by days says nothing.
  if (Math.abs(age_ms) >= window_ms) return null;
  const answer = answerOf(row, "earlier_payment", options);
  if (answer) await markDelivered(options, row, attempt);
  return answer;
}

const markDelivered = async ({ ledger }: GateOptions, row: PaymentRow, { call }: Attempt): Promise<void> => {
  if (!row.delivered && !call.gone.aborted) await ledger.payments.markDelivered(row.id);
};

/**
 * A wallet that the first payment emptied cannot pay a second time, and need not: its signature proves whose it is.
 * @returns what was paid for and never handed over, or null.
 */
export async function findUndelivered(options: GateOptions, attempt: Attempt): Promise<PaidAnswer | null> {
  const { id, flight } = attempt;
  const found = options.ledger.payments.findEarlier(flight.payer, flight.fingerprint, id);
  if (!found || (found.state === "settled" && found.delivered)) return null;
  const unused = await isUnused(options, attempt);
  // A used payment is public. Where the chain cannot be asked, data may go to somebody who saw one; a secret may not.
  if (unused === false || (unused === null && found.purchase !== null)) return null;
  return findForRequest(options, { ...attempt, flight: { ...flight, may_repeat: false } });
}

/** Whether the chain has not seen a payment; null when it cannot be asked. */
async function isUnused(
  { rpc_urls, access, clock, log }: GateOptions,
  { read: { network, incoming }, payment: { requirement } }: Attempt,
): Promise<boolean | null> {
  const urls = rpc_urls(network.chain);
  if (urls.length === 0) return null;
  try {
    const verdict = await familyOf(network).askChain({
      network,
      payload: incoming.payload,
      amount: BigInt(requirement.amount),
      pay_to: requirement.payTo,
      since_ms: clock.now(),
      ...access?.(network.chain),
      rpc_urls: urls,
    });
    return !verdict.paid && !verdict.final && !verdict.reason.startsWith("used");
  } catch (error) {
    log({ event: "chain_not_asked", network: network.id, error: messageOf(error) });
    return null;
  }
}
