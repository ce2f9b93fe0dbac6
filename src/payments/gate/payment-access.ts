import { LRUCache } from "lru-cache";
import { messageOf, NodeError } from "../../core/errors.ts";
import type { PaymentRow } from "../../ledger/payment-row.ts";

import type { AccessCall, AccessMethod } from "../../sell/access.ts";
import { BAZAAR, bazaarOf } from "../bazaar-extension.ts";
import { encodeSettlement } from "../codec.ts";
import { bindKey } from "../fingerprint.ts";
import { PaymentRefusal } from "../refusal.ts";
import { createResource } from "../requirements.ts";
import type { Attempt } from "./attempt.ts";
import { isSameBuyer, readBuyerNames } from "./buyer-names.ts";
import { findEarlierAnswer, findUndelivered, waitForOlder } from "./earlier.ts";
import { explainRefusal } from "./explain.ts";
import { createFlights, type Flight, type Flights } from "./flights.ts";
import { checkPayment, paymentHeader, type ReadPayment, readPayment, wrongSignature } from "./read-payment.ts";
import { alreadyUsed, recall, showTo } from "./recall.ts";
import { createRecovery, type Recovery } from "./recovery.ts";
import { settlePayment } from "./settle.ts";
import type { GateOptions, PaidAnswer, ProducedAnswer } from "./types.ts";
import { mayBeEmptyWallet, toRefusal } from "./verify-refusal.ts";
import { wakeRow } from "./wake.ts";

const PROVEN_PAYERS_MAX = 10_000;
/** A signature must outlive the settle call by this much. */
const SETTLE_MARGIN_MS = 8_000;
/** Of the produce slots: calls paid one by one have no priority. */
const PRIORITY = 1;

export interface PaymentAccess extends AccessMethod {
  readonly flights: Flights;
  readonly recovery: Recovery;
}

/**
 * Pays for a call with a signed x402 payment. The steps, in this order and nowhere else:
 * read, join or recall, check, wait for older ones, take in, verify, look for an earlier payment, produce, keep,
 * settle, record.
 */
export function createPaymentAccess(options: GateOptions): PaymentAccess {
  const { ledger, pool, clock, faults } = options;
  const flights = createFlights();
  // Payers who settled here before and whose name nobody abused since: the facilitator's own check is enough for them,
  // and the expensive recovery is kept for strangers. One refused payment in a payer's name ends the shortcut.
  const proven = new LRUCache<string, true>({ max: PROVEN_PAYERS_MAX });
  const produce = options.produce ?? (({ product, request }: AccessCall) => options.runner.produce(product, request));

  async function serve(given: AccessCall): Promise<PaidAnswer & { protocol: 1 | 2 }> {
    const call = { ...given, fingerprint: bindKey(given.fingerprint, given) };
    let read: ReadPayment | null = null;
    try {
      read = readPayment(call.headers, clock.now());
      faults.assertNew(call.client, read.signed.payload_hash);
      const answer = await (join(read, call) ?? recallOrRun(read, call));
      return { ...answer, protocol: read.incoming.protocol };
    } catch (error) {
      throw error instanceof PaymentRefusal ? withCount(error, read, call) : error;
    }
  }

  /** A client that meets the same refusal again is told more, and in the end nothing. */
  function withCount(refusal: PaymentRefusal, read: ReadPayment | null, { client, product }: AccessCall): NodeError {
    const times = faults.count(client, read?.signed.payload_hash ?? null, refusal);
    if (times < 2) return refusal;
    const docs = `${options.public_url}/errors`;
    return explainRefusal(refusal, { read, product, offers: pool.offers, now_ms: clock.now(), docs });
  }

  /** Another copy of this payment is being worked on here: wait for its answer. */
  function join({ signed, incoming }: ReadPayment, call: AccessCall): Promise<PaidAnswer> | null {
    const flight = flights.find(signed.replay_key);
    if (!flight) return null;
    if (flight.payload_hash === signed.payload_hash && flight.fingerprint === call.fingerprint) {
      const is_buyer = isSameBuyer(flight.names, readBuyerNames(call.headers, incoming, signed.payer));
      return flight.answer.then((answer) => showTo({ ...answer, from: answer.from ?? "replay" }, is_buyer));
    }
    const message = "This payment is being worked on for another request.";
    throw new NodeError("request_in_progress", message, { retry_after_s: 2 });
  }

  async function recallOrRun(read: ReadPayment, call: AccessCall): Promise<PaidAnswer> {
    const { signed, incoming } = read;
    const { payload_hash, replay_key, payer } = signed;
    const { fingerprint, headers } = call;
    const names = readBuyerNames(headers, incoming, payer);
    const found = ledger.payments.find(replay_key);
    const row = found && found.payload_hash === payload_hash ? await wakeRow(options, found) : found;
    if (row) {
      const is_buyer = isSameBuyer(row, names);
      const kept = recall(options, { row, payload_hash, fingerprint, is_buyer });
      if (kept) return handOver(row, kept, { is_buyer, call });
    }
    // Resolving may have taken a moment, and another copy may have started in it.
    const joined = join(read, call);
    if (joined) return joined;
    const may_repeat = headers.get("x-allow-duplicate") === "true";
    const details = { replay_key, payload_hash, payer, fingerprint, names, may_repeat };
    return showTo(await flights.start(details, (flight) => run(read, call, flight)).answer, true);
  }

  async function handOver(
    row: PaymentRow,
    kept: PaidAnswer,
    { is_buyer, call }: { readonly is_buyer: boolean; readonly call: AccessCall },
  ): Promise<PaidAnswer> {
    const whole = kept.reveal === undefined || is_buyer;
    if (!row.delivered && whole && !call.gone.aborted) await ledger.payments.markDelivered(row.id);
    return showTo(kept, is_buyer);
  }

  async function run(read: ReadPayment, call: AccessCall, flight: Flight): Promise<PaidAnswer> {
    const { incoming, signed } = read;
    const requirement = checkPayment(read, { product: call.product, pool, now_ms: clock.now() });
    if (!proven.has(signed.payer) && (await options.signatures.check(read, call.client)) === "no") {
      throw wrongSignature();
    }
    await waitForOlder(options, flights, flight);
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
    const { id } = begun;
    const resource = createResource(call.product, options.public_url, options.service_name);
    const extensions = { [BAZAAR]: bazaarOf(call.product) };
    const payment = { payload: incoming.payload, requirement, resource, extensions, fee_payer: signed.fee_payer };
    const prepared = await prepare({ id, payment, call, flight, read });
    if ("earlier" in prepared) return prepared.earlier;
    const { facilitator, produced } = prepared;
    const { names, payer } = flight;
    const answer = await settlePayment(options, { id, facilitator, payment, payer, produced, names, gone: call.gone });
    proven.set(payer, true);
    return answer;
  }

  type Prepared =
    | { readonly facilitator: string; readonly produced: ProducedAnswer }
    | { readonly earlier: PaidAnswer };

  /** Everything before money moves. Whatever fails here ends the attempt uncharged, and the payment may come again. */
  async function prepare(attempt: Attempt): Promise<Prepared> {
    const { id, call, read } = attempt;
    const { replay_key, payer } = read.signed;
    try {
      return await options.slots.run(PRIORITY, async () => {
        const verified = await verify(attempt);
        if ("earlier" in verified) return giveUpFor(attempt, verified.earlier);
        const { facilitator } = verified;
        const earlier = await findEarlierAnswer(options, attempt);
        if (earlier) return giveUpFor(attempt, earlier);
        ledger.payments.note(id, "producing", facilitator);
        const { network } = attempt.payment.requirement;
        const produced = await produce(call, { payer, network, payment_id: id });
        checkTimeLeft(read);
        return { facilitator, produced };
      });
    } catch (error) {
      const state = error instanceof PaymentRefusal ? "rejected" : "abandoned";
      ledger.payments.drop(id, replay_key, { state, reason: messageOf(error) });
      throw error;
    }
  }

  /** This payment is not needed: nothing of it is ever settled. */
  function giveUpFor({ id, read }: Attempt, earlier: PaidAnswer): Prepared {
    const reason = "answered from an earlier payment";
    ledger.payments.drop(id, read.signed.replay_key, { state: "abandoned", reason });
    return { earlier };
  }

  /** Asks a facilitator. What an empty wallet has paid for before is handed over all the same. */
  async function verify(attempt: Attempt): Promise<{ facilitator: string } | { earlier: PaidAnswer }> {
    const { id, payment, read, call } = attempt;
    const { outcome, facilitator } = await pool.verify(payment.requirement.network, payment);
    if (outcome.kind === "valid" && facilitator !== null) {
      ledger.payments.note(id, "verified", facilitator);
      return { facilitator };
    }
    if (outcome.kind !== "invalid") {
      throw new NodeError("facilitator_unavailable", "No facilitator could check the payment. Nothing was charged.", {
        cause: outcome.kind === "unavailable" ? outcome.cause : undefined,
        retry_after_s: 5,
      });
    }
    proven.delete(read.signed.payer);
    options.log({ event: "verify_refused", facilitator, reason: outcome.reason });
    if (mayBeEmptyWallet(outcome.reason) && (await options.signatures.check(read, call.client)) === "yes") {
      const earlier = await findUndelivered(options, attempt);
      if (earlier) return { earlier };
    }
    throw toRefusal(outcome.reason);
  }

  function checkTimeLeft({ signed }: ReadPayment): void {
    if (signed.valid_until_ms - clock.now() >= SETTLE_MARGIN_MS) return;
    const message = "The payment would have expired before it was settled. Nothing was charged: sign a new one.";
    throw new NodeError("deadline_exceeded", message);
  }

  /** Money moved: the answer goes out, whatever becomes of its receipt. */
  function extensionsOf(receipt_id: string): Readonly<Record<string, unknown>> | undefined {
    try {
      return options.settlementExtensions?.(receipt_id);
    } catch (error) {
      options.alarm({ event: "receipt_not_signed", receipt_id, error: messageOf(error) });
      return undefined;
    }
  }

  return {
    id: "payment",
    flights,
    recovery: createRecovery({ ...options, isInFlight: (replay_key) => flights.find(replay_key) !== undefined }),
    isPresent: (headers) => paymentHeader(headers) !== null,
    assertReadable: (headers) => void readPayment(headers, clock.now()),
    async serve(call) {
      const { body, receipt_id, settlement, from, protocol } = await serve(call);
      const extensions = protocol === 2 ? extensionsOf(receipt_id) : undefined;
      const [name, value] = encodeSettlement(protocol, { success: true, ...settlement, extensions });
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
