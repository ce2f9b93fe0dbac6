import { messageOf, NodeError } from "../../core/errors.ts";
import type { PaymentRow } from "../../ledger/payment-row.ts";
import { familyOf } from "../networks/families.ts";
import type { PaymentAttempt } from "./attempt.ts";
import type { Flight, Flights } from "./flights.ts";
import type { GateParts } from "./parts.ts";
import { wrongSignature } from "./read-payment.ts";
import { alreadyUsed, answerOf, settlementUnknown } from "./recall.ts";
import type { GateOptions, PaidAnswer } from "./types.ts";
import { awaitRow } from "./wake.ts";

/** A buyer who was told "unknown", or who hung up, may come back with a new payment for this long. */
const UNDELIVERED_MS = { data: 600_000, purchase: 86_400_000 } as const;

/**
 * Waits for older flights that may answer this one. Holds no slot meanwhile, because they need slots too. Who is known
 * to have signed does not wait for what a stranger sent in his name.
 */
export async function waitForOlder(
  { duplicate_guard_ms }: GateOptions,
  { listOlder }: Flights,
  { flight, known }: { readonly flight: Flight; readonly known: boolean },
): Promise<undefined> {
  if (duplicate_guard_ms <= 0 && flight.names.identifier === null) return;
  for (const older of listOlder(flight)) {
    if (known && !(await older.signed)) continue;
    await older.answer.catch(() => undefined);
  }
}

/** The same for what other nodes had in flight when this payment was taken in. */
export async function waitElsewhere(
  { ledger, elsewhere, duplicate_guard_ms }: GateParts,
  older: readonly string[],
): Promise<void> {
  if (duplicate_guard_ms <= 0) return;
  for (const id of older) {
    const row = await ledger.payments.get(id);
    if (row) await elsewhere.wait(row);
  }
}

/**
 * Official clients never send a payment twice: they sign a new one. So a new, verified payment of the same payer for
 * the same request, or under the same name, is not settled while an earlier one may have paid for it already; the
 * earlier answer is handed over.
 * @returns the earlier answer, or null when this payment has to be settled.
 * @throws NodeError settlement_unknown while the earlier payment's outcome is open and it may still be taken;
 *   identifier_conflict
 */
export async function findEarlierAnswer(options: GateParts, attempt: PaymentAttempt): Promise<PaidAnswer | null> {
  return (await findNamed(options, attempt)) ?? findForRequest(options, attempt);
}

/** Whether what its buyer got for an earlier payment has nothing to do with this one. */
export const isRepeat = (
  { duplicate_guard_ms }: Pick<GateOptions, "duplicate_guard_ms">,
  { may_repeat }: Pick<Flight, "may_repeat">,
): boolean => may_repeat || duplicate_guard_ms <= 0;

const NAME_GIVEN_UP =
  "Nobody could say what became of the payment under this identifier, and it can be taken no more: pay under another " +
  "identifier. Nothing was charged for this one.";

/** The payment its buyer gave the same name. */
async function findNamed(options: GateParts, attempt: PaymentAttempt): Promise<PaidAnswer | null> {
  const { id, flight } = attempt;
  const { identifier } = flight.names;
  const found = identifier === null ? null : await options.ledger.payments.findByIdentifier(identifier);
  if (!found || found.id === id) return null;
  const row = await awaitRow(options, found);
  if (row.state === "rejected" || row.state === "abandoned" || row.state === "settle_failed") return null;
  if (row.fingerprint !== flight.fingerprint) {
    const message = "This payment identifier was used for another request. Nothing was charged.";
    throw new NodeError("identifier_conflict", message);
  }
  if (row.given_up) throw new NodeError("identifier_conflict", NAME_GIVEN_UP);
  if (row.state !== "settled") throw settlementUnknown();
  const answer = answerOf(row, "earlier_payment", options);
  if (!answer) throw alreadyUsed(row.receipt_id);
  return handOver(options, attempt, { row, answer });
}

async function findForRequest(options: GateParts, attempt: PaymentAttempt): Promise<PaidAnswer | null> {
  const { id, flight } = attempt;
  const { ledger, clock, duplicate_guard_ms } = options;
  // Where a sale that was handed over may answer this call, one that went on beside it is in the books by now.
  const met = flight.had_company && !isRepeat(options, flight);
  if (!met && !attempt.mayHaveEarlier()) return null;
  const found = await ledger.payments.findEarlier(flight.payer, flight.fingerprint, id);
  if (!found) return null;
  const row = await awaitRow(options, found);
  if (row.given_up) {
    attempt.onPassedOver(row.id);
    return null;
  }
  if (row.state === "unknown") throw settlementUnknown();
  if (row.state !== "settled" || flight.may_repeat) return null;

  const age_ms = clock.now() - row.updated_at_ms;
  const window_ms = row.delivered ? duplicate_guard_ms : UNDELIVERED_MS[row.purchase === null ? "data" : "purchase"];
  // A clock that was set back a little makes it look younger than it is; one that was wrong by days says nothing.
  if (Math.abs(age_ms) >= window_ms) return null;
  const answer = answerOf(row, "earlier_payment", options);
  return answer ? handOver(options, attempt, { row, answer }) : null;
}

/**
 * Hands an earlier answer to who signed a new payment. That he is the payer has to be known here: a facilitator's yes
 * may be a lie, and would open another buyer's answer. What only the chain could tell, and cannot be asked, opens data
 * and no secret.
 * @throws PaymentRefusal invalid_payment when somebody else signed
 */
async function handOver(
  { ledger, isSigned }: GateParts,
  { call, read }: PaymentAttempt,
  { row, answer }: { readonly row: PaymentRow; readonly answer: PaidAnswer },
): Promise<PaidAnswer> {
  const signed = await isSigned(read, call.client);
  if (signed === "no") throw wrongSignature();
  const { reveal, ...withheld } = answer;
  if (reveal && signed === "unknown") return withheld;
  if (!row.delivered && !call.gone.aborted) await ledger.payments.markDelivered(row.id);
  return answer;
}

/**
 * A wallet that the first payment emptied cannot pay a second time, and need not: its signature proves whose it is.
 * @returns what was paid for and never handed over, or null.
 */
export async function findUndelivered(options: GateParts, attempt: PaymentAttempt): Promise<PaidAnswer | null> {
  const { id, flight } = attempt;
  const found = await options.ledger.payments.findEarlier(flight.payer, flight.fingerprint, id);
  if (!found || (found.state === "settled" && found.delivered)) return null;
  const unused = await isUnused(options, attempt);
  // A used payment is public. Where the chain cannot be asked, data may go to somebody who saw one; a secret may not.
  if (unused === false || (unused === null && found.purchase !== null)) return null;
  const looking = { ...attempt, flight: { ...flight, may_repeat: false }, mayHaveEarlier: () => true };
  return findForRequest(options, looking);
}

/** Whether the chain has not seen a payment; null when it cannot be asked. */
async function isUnused(
  { rpc_urls, access, clock, log }: GateOptions,
  { read: { network, incoming }, payment: { requirement } }: PaymentAttempt,
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
