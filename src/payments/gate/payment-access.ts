import { messageOf, NodeError } from "../../core/errors.ts";
import { createLRU } from "../../core/lru.ts";
import { withOwed } from "../../core/passed-on.ts";
import type { PaymentRow } from "../../ledger/payment-row.ts";
import type { AccessCall, AccessMethod } from "../../sell/access.ts";
import { bindPayer } from "../../sell/bind-payer.ts";
import { toFree } from "../../sell/changes.ts";
import { isUnpaidWork, targetOf } from "../../sell/work-budget.ts";
import { bindKey } from "../fingerprint.ts";
import { familyOf } from "../networks/families.ts";
import { PaymentRefusal } from "../refusal.ts";
import type { IncomingPayment, Requirement } from "../types.ts";
import type { Attempt } from "./attempt.ts";
import { isSameBuyer, readBuyerNames } from "./buyer-names.ts";
import { createDescriptions } from "./describe-product.ts";
import { findEarlierAnswer, findUndelivered, isRepeat, waitElsewhere, waitForOlder } from "./earlier.ts";
import { createElsewhere, isInFlight } from "./elsewhere.ts";
import { explainRefusal } from "./explain.ts";
import { createFlights, type Flight, type Flights } from "./flights.ts";
import { createOwnSignature } from "./own-signature.ts";
import { createPayerLanes, type Release, UNSETTLED_MAX } from "./payer-lanes.ts";
import { createPaymentProof } from "./payment-proof.ts";
import {
  atQuotedPrice,
  checkPayment,
  hasPayment,
  type ReadPayment,
  readPayment,
  renderForSettlement,
  wrongSignature,
} from "./read-payment.ts";
import { recall, showTo } from "./recall.ts";
import { createRecovery, type Recovery } from "./recovery.ts";
import { settlePayment } from "./settle.ts";
import type { GateOptions, GateParts, PaidAnswer, ProducedAnswer } from "./types.ts";
import { createUnprovenReplays } from "./unproven-replays.ts";
import { createVerifiedPayments } from "./verified-payments.ts";
import { mayBeEmptyWallet, toRefusal } from "./verify-refusal.ts";
import { awaitRow } from "./wake.ts";

const PROVEN_PAYERS_MAX = 10_000;
/** A signature must outlive the settle call by this much. */
const SETTLE_MARGIN_MS = 8_000;
/** Of the produce slots: calls paid one by one have no priority. */
const PRIORITY = 1;

export interface PaymentAccess extends AccessMethod {
  readonly flights: Flights;
  readonly recovery: Recovery;
}

/** A payment that was checked as far as that goes without a facilitator. */
interface Taken {
  readonly read: ReadPayment;
  readonly call: AccessCall;
  readonly flight: Flight;
  readonly requirement: Requirement;
  /** Whether this node checked the payer's signature. */
  readonly known: boolean;
}

type Prepared = { readonly facilitator: string; readonly produced: ProducedAnswer } | { readonly earlier: PaidAnswer };

/**
 * Pays for a call with a signed x402 payment. The steps, in this order and nowhere else:
 * read, join or recall, check, wait for older ones, take in, verify, look for an earlier payment, produce, keep,
 * settle, record.
 */
export function createPaymentAccess(given_options: GateOptions): PaymentAccess {
  const { ledger, pool, clock, faults } = given_options;
  const options: GateParts = {
    ...given_options,
    isSigned: createOwnSignature(given_options),
    unproven: createUnprovenReplays(given_options),
    elsewhere: createElsewhere(given_options),
  };
  const flights = createFlights();
  const describe = createDescriptions(options);
  const proofOf = createPaymentProof(options);
  const lanes = createPayerLanes({ clock });
  const verified = createVerifiedPayments({ clock });
  // Payers whose key this node saw sign a payment that settled, and whose name nobody abused since: the facilitator's
  // own check is enough for them, and the expensive recovery is kept for strangers. One payment in a payer's name that
  // is refused, or that no facilitator can judge, ends the shortcut.
  const proven = createLRU<true>(PROVEN_PAYERS_MAX);
  const produce = options.produce ?? (({ product, request }: AccessCall) => options.runner.produce(product, request));

  async function serve(given: AccessCall): Promise<PaidAnswer & { incoming: IncomingPayment }> {
    let call: AccessCall = {
      ...given,
      asked_for: given.fingerprint,
      fingerprint: bindKey(given.fingerprint, given),
    };
    let read: ReadPayment | null = null;
    try {
      read = readPayment(call.headers, clock.now());
      call = bindPayer(call, { address: read.signed.payer, network: read.network.id });
      faults.assertNew(call.client, read.signed.payload_hash);
      const answer = await (join(read, call) ?? recallOrRun(read, call));
      return { ...answer, incoming: read.incoming };
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
    const found = await ledger.payments.find(replay_key);
    // Reading took a moment, and another copy may have started in it: its row is not one that was left behind.
    const met = join(read, call);
    if (met) return met;
    const row = found && found.payload_hash === payload_hash ? await awaitRow(options, found) : found;
    if (row) {
      const is_buyer = isSameBuyer(row, names);
      const is_copy = found !== null && isInFlight(found);
      const kept = recall(options, { row, payload_hash, fingerprint, is_buyer, client: call.client, is_copy });
      if (kept) return handOver(row, kept, { is_buyer, call });
    }
    // Resolving may have taken a moment, and another copy may have started in it.
    const joined = join(read, call);
    if (joined) return joined;
    const may_repeat = headers.get("x-allow-duplicate") === "true";
    const details = { replay_key, payload_hash, payer, fingerprint, names, may_repeat };
    return showTo(await flights.start(details, (flight) => run(read, call, flight)).answer, true);
  }

  /**
   * Somebody took this payment in since it was looked up.
   * @returns its answer; null when it ended uncharged, and may start over.
   */
  async function recallBegun(
    { signed, incoming }: ReadPayment,
    call: AccessCall,
    begun: PaymentRow,
  ): Promise<PaidAnswer | null> {
    const { payload_hash, payer } = signed;
    const is_copy = isInFlight(begun);
    const row = begun.payload_hash === payload_hash ? await options.elsewhere.wait(begun) : begun;
    const is_buyer = isSameBuyer(row, readBuyerNames(call.headers, incoming, payer));
    const asked = { row, payload_hash, fingerprint: call.fingerprint, is_buyer, client: call.client, is_copy };
    const kept = recall(options, asked);
    return kept && handOver(row, kept, { is_buyer, call });
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

  /** Whether the payer signed with his own key, as far as this node knows. What is nobody's goes no further. */
  async function checkSigned(read: ReadPayment, { client }: AccessCall, flight: Flight): Promise<boolean> {
    const is_key = familyOf(read.network).isKeySigned(read.incoming.payload);
    const verdict = is_key && proven.has(read.signed.payer) ? "yes" : await options.signatures.check(read, client);
    if (verdict === "no") throw wrongSignature();
    const known = verdict === "yes";
    flight.noteSigned(known);
    return known;
  }

  async function run(read: ReadPayment, call: AccessCall, flight: Flight): Promise<PaidAnswer> {
    const { asked_for = call.fingerprint, digest = null } = call;
    options.guardChallenge?.(read.incoming, { fingerprint: asked_for, digest });
    const requirement = checkPayment(read, { product: call.product, pool, now_ms: clock.now() });
    options.work.assertLeft(workFor({ read, call }, options));
    const known = await checkSigned(read, call, flight);
    await waitForOlder(options, flights, { flight, known });
    const { payer } = flight;
    const client = options.limitOf(call.client) ?? "";
    if (known) await assertFewOpen(flight);
    return lanes.run({ payer, client, known }, () => pay({ read, call, flight, requirement, known }));
  }

  /** What may still be taken from a wallet counts against it: it may be more than the wallet holds. */
  async function assertFewOpen({ payer, fingerprint }: Flight): Promise<void> {
    if ((await ledger.payments.countOpen(payer)) < UNSETTLED_MAX) return;
    // Who asks again for what is open hears how that stands.
    const earlier = await ledger.payments.findEarlier(payer, fingerprint, "");
    if (earlier?.state === "unknown") return;
    const message =
      "Three payments of this wallet wait for their settlement: send them again to learn of it. Nothing was charged.";
    throw new NodeError("rate_limited", message, { retry_after_s: 5 });
  }

  async function pay(taken: Taken): Promise<PaidAnswer> {
    const { read, call, flight, requirement, known } = taken;
    const { signed } = read;
    const { payload, text } = renderForSettlement(read, known);
    checkTimeLeft(read);
    const wanted = {
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
      payload: text,
    };
    const begun = await ledger.payments.begin(wanted, { may_repeat: isRepeat(options, flight) });
    // What another node gave up uncharged starts over here, until its time is up.
    if (!begun.started) return (await recallBegun(read, call, begun.payment)) ?? pay(taken);
    const { id, older = [], mayHaveEarlier } = begun;
    const { fee_payer, payer } = signed;
    const { resource, extensions } = describe(call.product);
    const payment = { payload, requirement, resource, extensions, fee_payer, payer, checked: known };
    let release: Release = () => undefined;
    let verified_ms: number | null = null;
    let passed_over: string | null = null;
    const onPassedOver = (payment_id: string) => {
      passed_over = payment_id;
      options.log({ event: "payment_passed_over", payment: payment_id, by: id, network: requirement.network });
    };
    const onVerified = () => {
      verified_ms = performance.now();
      if (!known) release = lanes.confirm(flight.payer);
    };
    try {
      const prepared = await prepare({
        id,
        payment,
        older,
        mayHaveEarlier,
        call,
        flight,
        read,
        onVerified,
        onPassedOver,
      });
      if ("earlier" in prepared) return prepared.earlier;
      const { facilitator, produced } = prepared;
      const { names } = flight;
      const onRefused = () => lanes.noteFailed(payer);
      const { product } = call;
      const work = { id, facilitator, payment, payer, product, produced, names, gone: call.gone, onRefused };
      verified.forget({ signed, requirement });
      const answer = await settlePayment(options, work);
      lanes.notePaid(payer);
      options.work.notePaid(workFor(taken, options));
      if (known) proven.set(payer, true);
      return passed_over === null ? answer : { ...answer, passed_over };
    } catch (error) {
      if (verified_ms !== null) noteUnpaid(options, taken, { error, took_ms: performance.now() - verified_ms });
      throw error;
    } finally {
      release();
    }
  }

  /** Everything before money moves. Whatever fails here ends the attempt uncharged, and the payment may come again. */
  async function prepare(attempt: Attempt): Promise<Prepared> {
    const { id, call, read } = attempt;
    const { replay_key, payer } = read.signed;
    try {
      await waitElsewhere(options, attempt.older);
      const holder = options.limitOf(call.client) ?? payer;
      const ask = () => verify(attempt);
      const { product, request } = call;
      const is_kept = product.definition.plan !== undefined || options.runner.fresh(product, request) !== null;
      const place = { priority: PRIORITY, holder, payer: is_kept ? null : payer };
      const stranger = attempt.payment.checked !== true;
      const asked = stranger ? await options.stranger_slots.run({ priority: 0, holder }, ask) : null;
      return await options.slots.run(place, async () => {
        // Calls that waited together are told of what the first of them used up.
        options.work.assertLeft(workFor(attempt, options));
        const word = asked ?? (await ask());
        if ("earlier" in word) return giveUpFor(attempt, word.earlier);
        const { facilitator } = word;
        attempt.onVerified();
        const earlier = await findEarlierAnswer(options, attempt);
        if (earlier) return giveUpFor(attempt, earlier);
        const { network } = attempt.payment.requirement;
        const produced = await produce(call, { payer, network, payment_id: id });
        checkTimeLeft(read, produced);
        return { facilitator, produced };
      });
    } catch (error) {
      const state = error instanceof PaymentRefusal ? "rejected" : "abandoned";
      void ledger.payments.drop(id, replay_key, { state, reason: messageOf(error) });
      throw error;
    }
  }

  /** This payment is not needed: nothing of it is ever settled. */
  function giveUpFor({ id, read }: Attempt, earlier: PaidAnswer): Prepared {
    const reason = "answered from an earlier payment";
    void ledger.payments.drop(id, read.signed.replay_key, { state: "abandoned", reason });
    return { earlier };
  }

  /** Asks a facilitator. What an empty wallet has paid for before is handed over all the same. */
  async function verify(attempt: Attempt): Promise<{ facilitator: string } | { earlier: PaidAnswer }> {
    const { payment, read, call } = attempt;
    const asked = { signed: read.signed, requirement: payment.requirement };
    const known = verified.find(asked);
    if (known !== null) return { facilitator: known };
    const { outcome, facilitator } = await pool.verify(payment.requirement.network, payment);
    if (outcome.kind === "valid" && facilitator !== null) {
      verified.note(asked, facilitator);
      return { facilitator };
    }
    proven.delete(read.signed.payer);
    if (outcome.kind !== "invalid") {
      const answered = outcome.kind === "unavailable" && outcome.answered === true;
      // What a stranger signed may have tripped it, or kept it busy: he pays for that as for a refusal.
      if (answered || payment.checked !== true) {
        options.countRefused(call.client);
        faults.countUnjudged(call.client, read.signed.payload_hash);
      }
      throw new NodeError("facilitator_unavailable", "No facilitator could check the payment. Nothing was charged.", {
        cause: outcome.kind === "unavailable" ? outcome.cause : undefined,
        retry_after_s: 5,
      });
    }
    options.log({ event: "verify_refused", facilitator, reason: outcome.reason });
    if (mayBeEmptyWallet(outcome.reason) && (await options.isSigned(read, call.client)) === "yes") {
      const earlier = await findUndelivered(options, attempt);
      if (earlier) return { earlier };
    }
    throw toRefusal(outcome.reason);
  }

  function checkTimeLeft({ signed }: ReadPayment, made?: ProducedAnswer): void {
    if (signed.valid_until_ms - clock.now() >= SETTLE_MARGIN_MS) return;
    const message = "The payment would have expired before it was settled. Nothing was charged: sign a new one.";
    const late = new NodeError("deadline_exceeded", message);
    throw made === undefined ? late : withOwed(late, made);
  }

  return {
    id: "payment",
    flights,
    recovery: createRecovery({ ...options, isInFlight: (replay_key) => flights.find(replay_key) !== undefined }),
    isPresent: hasPayment,
    assertReadable: (headers) => void readPayment(headers, clock.now()),
    quoted: (product, headers) => atQuotedPrice(options.earlier_prices, product, headers),
    async serve(call) {
      const answer = await serve(call).catch(toFree);
      if (!("receipt_id" in answer)) return answer;
      const { body, receipt_id, settlement, from, passed_over } = answer;
      const [name, value] = await proofOf(answer);
      return {
        body,
        ...(from === undefined ? { sale: { receipt_id, ...settlement } } : {}),
        headers: {
          [name]: value,
          "X-Receipt-Id": receipt_id,
          ...(from === "replay" ? { "X-Idempotent-Replay": "true" } : {}),
          ...(from === "earlier_payment" ? { "X-Duplicate-Payment-Avoided": "true" } : {}),
          ...(passed_over === undefined ? {} : { "X-Earlier-Payment-Unknown": passed_over }),
        },
      };
    },
  };
}

/** For whom work is done: the payer, and whoever sends his payment. */
const workFor = ({ read, call }: Pick<Taken, "read" | "call">, { limitOf }: Pick<GateParts, "limitOf">) => ({
  holder: read.signed.payer,
  network: limitOf(call.client),
  target: targetOf(call),
});

/** Until it was verified nothing was worked for, and what is refused then is counted elsewhere. */
function noteUnpaid(
  options: Pick<GateParts, "limitOf" | "work">,
  taken: Taken,
  { error, took_ms }: { readonly error: unknown; readonly took_ms: number },
): void {
  if (!isUnpaidWork(error)) return;
  options.work.spend(workFor(taken, options), { took_ms, price_atomic: taken.call.product.price_atomic });
}
