import { BulkheadRejectedError, bulkhead } from "cockatiel";
import { LRUCache } from "lru-cache";
import { type ErrorCode, messageOf, NodeError } from "../../core/errors.ts";
import type { PaymentRow } from "../../ledger/payments.ts";
import type { AccessCall, AccessMethod } from "../access.ts";
import { encodeSettlement } from "../codec.ts";
import type { PaymentToSettle } from "../facilitators/types.ts";
import { PaymentRefusal, plainReason } from "../refusal.ts";
import { createResource } from "../requirements.ts";
import { findEarlierAnswer } from "./earlier.ts";
import { createFlights, type Flight, type Flights } from "./flights.ts";
import { checkPayment, paymentHeader, type ReadPayment, readPayment } from "./read-payment.ts";
import { alreadyUsed, recall } from "./recall.ts";
import { settlePayment } from "./settle.ts";
import type { GateOptions, PaidAnswer } from "./types.ts";

/** Calls that may wait for a produce slot; more are turned away unpaid. */
const QUEUE_MAX = 2_000;
const PROVEN_PAYERS_MAX = 10_000;
/** A signature must outlive the settle call by this much. */
const SETTLE_MARGIN_MS = 8_000;

export interface PaymentAccess extends AccessMethod {
  readonly flights: Flights;
}

/**
 * Pays for a call with a signed x402 payment. The steps, in this order and nowhere else:
 * read, join or recall, check, take in, verify, look for an earlier payment, produce, keep, settle, record.
 */
export function createPaymentAccess(options: GateOptions): PaymentAccess {
  const { ledger, pool, clock, reconciler } = options;
  const flights = createFlights();
  const slots = bulkhead(options.produce_slots, QUEUE_MAX);
  // Payers who settled here before and whose name nobody abused since: the facilitator's own check is enough for them,
  // and the expensive recovery is kept for strangers. One refused payment in a payer's name ends the shortcut.
  const proven = new LRUCache<string, true>({ max: PROVEN_PAYERS_MAX });

  async function serve(call: AccessCall): Promise<PaidAnswer & { protocol: 1 | 2 }> {
    const read = readPayment(call.headers, clock.now());
    const answer = await (join(read, call) ?? recallOrRun(read, call));
    return { ...answer, protocol: read.incoming.protocol };
  }

  /** Another copy of this payment is being worked on here: wait for its answer. */
  function join({ signed }: ReadPayment, call: AccessCall): Promise<PaidAnswer> | null {
    const flight = flights.find(signed.replay_key);
    if (!flight) return null;
    if (flight.payload_hash === signed.payload_hash && flight.fingerprint === call.fingerprint) {
      return flight.answer.then((answer) => ({ ...answer, from: answer.from ?? "replay" }));
    }
    const message = "This payment is being worked on for another request.";
    throw new NodeError("request_in_progress", message, { retry_after_s: 2 });
  }

  async function recallOrRun(read: ReadPayment, call: AccessCall): Promise<PaidAnswer> {
    const { signed } = read;
    const row = await wakeRow(ledger.payments.find(signed.replay_key), signed.payload_hash);
    const { payload_hash } = signed;
    const { fingerprint } = call;
    const { replay_window_ms } = options;
    const kept = row ? recall({ row, payload_hash, fingerprint, now_ms: clock.now(), replay_window_ms }) : null;
    if (kept) {
      if (row && !row.delivered) await ledger.payments.markDelivered(row.id);
      return kept;
    }
    // Resolving may have taken a moment, and another copy may have started in it.
    const joined = join(read, call);
    if (joined) return joined;
    const { replay_key, payer } = signed;
    return flights.start({ replay_key, payload_hash, payer, fingerprint }, (flight) => run(read, call, flight)).answer;
  }

  /**
   * A row that is in flight although nothing here works on it was left by a failed disk: nothing was charged before
   * `settling`, and from then on the chain has the word.
   */
  async function wakeRow(row: PaymentRow | null, payload_hash: string): Promise<PaymentRow | null> {
    if (!row || row.payload_hash !== payload_hash) return row;
    if (row.state === "settling") await ledger.payments.markUnknown(row.id, "left in settling");
    if (row.state === "received" || row.state === "verified" || row.state === "producing") {
      await ledger.payments.end(row.id, "abandoned", `left in ${row.state}`);
    }
    const current = ledger.payments.get(row.id) ?? row;
    return current.state === "unknown" ? reconciler.resolve(current, true) : current;
  }

  async function run(read: ReadPayment, call: AccessCall, flight: Flight): Promise<PaidAnswer> {
    const { incoming, signed } = read;
    const is_proven = proven.has(signed.payer);
    const requirement = await checkPayment(read, { product: call.product, pool, now_ms: clock.now(), is_proven });
    const begun = ledger.payments.begin({
      replay_key: signed.replay_key,
      payload_hash: signed.payload_hash,
      fingerprint: call.fingerprint,
      product: call.product.id,
      network: requirement.network,
      asset: requirement.asset,
      payer: signed.payer,
      pay_to: requirement.payTo,
      amount: call.product.price_atomic,
      valid_until_ms: signed.valid_until_ms,
      payload: signed.payload_json,
    });
    if (!begun.started) throw alreadyUsed(begun.payment.receipt_id);
    const resource = createResource(call.product, options.public_url, options.service_name);
    const { fee_payer } = signed;
    const payment: PaymentToSettle = { payload: incoming.payload, requirement, resource, fee_payer };
    const prepared = await prepare({ id: begun.id, payment, call, flight, read });
    if ("earlier" in prepared) return prepared.earlier;
    const { facilitator, body } = prepared;
    const { payer } = signed;
    const answer = await settlePayment(options, { id: begun.id, facilitator, payment, payer, body, gone: call.gone });
    proven.set(payer, true);
    return answer;
  }

  interface Preparation {
    readonly id: string;
    readonly payment: PaymentToSettle;
    readonly call: AccessCall;
    readonly flight: Flight;
    readonly read: ReadPayment;
  }

  /** Everything before money moves. Whatever fails here ends the attempt uncharged, and the payment may come again. */
  async function prepare(work: Preparation): Promise<{ facilitator: string; body: string } | { earlier: PaidAnswer }> {
    const { id } = work;
    try {
      return await slots.execute(async () => {
        const facilitator = await verify(work);
        ledger.payments.note(id, "verified", facilitator);
        const earlier = await findEarlierAnswer(options, { id, flight: work.flight, flights });
        if (earlier) {
          const reason = "answered from an earlier payment";
          ledger.payments.drop(id, work.read.signed.replay_key, { state: "abandoned", reason });
          return { earlier };
        }
        ledger.payments.note(id, "producing", facilitator);
        const { body } = await options.runner.produce(work.call.product, work.call.request);
        checkTimeLeft(work.read);
        return { facilitator, body };
      });
    } catch (error) {
      const state = error instanceof PaymentRefusal ? "rejected" : "abandoned";
      ledger.payments.drop(id, work.read.signed.replay_key, { state, reason: messageOf(error) });
      if (error instanceof BulkheadRejectedError) {
        throw new NodeError("overloaded", "Too many paid calls at once. Nothing was charged.", { retry_after_s: 2 });
      }
      throw error;
    }
  }

  async function verify({ payment, read }: Preparation): Promise<string> {
    const { outcome, facilitator } = await pool.verify(payment.requirement.network, payment);
    if (outcome.kind === "valid" && facilitator !== null) return facilitator;
    if (outcome.kind === "invalid") {
      proven.delete(read.signed.payer);
      options.log({ event: "verify_refused", facilitator, reason: outcome.reason });
      throw toRefusal(outcome.reason);
    }
    throw new NodeError("facilitator_unavailable", "No facilitator could check the payment. Nothing was charged.", {
      cause: outcome.kind === "unavailable" ? outcome.cause : undefined,
      retry_after_s: 5,
    });
  }

  function checkTimeLeft({ signed }: ReadPayment): void {
    if (signed.valid_until_ms - clock.now() >= SETTLE_MARGIN_MS) return;
    const message = "The payment would have expired before it was settled. Nothing was charged: sign a new one.";
    throw new NodeError("deadline_exceeded", message);
  }

  return {
    id: "payment",
    flights,
    isPresent: (headers) => paymentHeader(headers) !== null,
    async serve(call) {
      const { body, receipt_id, settlement, from, protocol } = await serve(call);
      const [name, value] = encodeSettlement(protocol, { success: true, ...settlement });
      return {
        body,
        headers: {
          [name]: value,
          "X-Receipt-Id": receipt_id,
          ...(from === "replay" ? { "X-Idempotent-Replay": "true" } : {}),
          ...(from === "earlier_payment" ? { "X-Duplicate-Payment-Avoided": "true" } : {}),
        },
      };
    },
  };
}

/** The facilitator's reason word as one of our codes; unknown words refuse. */
function toRefusal(reason: string): PaymentRefusal {
  const funds = /insufficient_(funds|balance)/.test(reason);
  const code: ErrorCode = funds
    ? "insufficient_funds"
    : /expired|valid_before/.test(reason)
      ? "payment_expired"
      : /amount_mismatch|value_mismatch/.test(reason)
        ? "amount_mismatch"
        : "invalid_payment";
  const hint = funds
    ? "The paying wallet does not hold enough USDC: fund it, then send the same payment again."
    : "The facilitator refused the payment: sign a new one.";
  return new PaymentRefusal(code, { reason: plainReason(reason), retryable: funds, same_payment: funds, hint });
}
