import { timingSafeEqual } from "node:crypto";
import { hashApiKey, isApiKeyForm } from "../../core/api-key.ts";
import { isNodeError } from "../../core/errors.ts";
import { sha256Hex } from "../../core/hash.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import type { PaymentRow } from "../../ledger/payment-row.ts";

import { readPurchase } from "../../ledger/purchase.ts";
import { type BuyerNames, hashName, isSameBuyer, readBuyerNames } from "./buyer-names.ts";
import { paymentHeader, readPayment } from "./read-payment.ts";
import { answerOf, showTo } from "./recall.ts";
import type { GateOptions } from "./types.ts";
import { wakeRow } from "./wake.ts";

/** Whatever the state machine calls it, this is what a buyer has to know. */
export type PaymentOutcome = "settled" | "unknown" | "never_charged" | "in_progress";

/** What became of a payment. */
export interface RecoveredPayment {
  readonly state: PaymentOutcome;
  readonly row: PaymentRow;
  /** Whole for its buyer, without what is secret for others; null when there is none or it was pruned. */
  readonly answer: string | null;
}

/** Tells a buyer what became of his payment, without paying again. */
export interface Recovery {
  /**
   * @param id a replay key, a payment identifier, or the id of the payment here.
   * @returns null for an unknown payment and for one the caller did not send, after the same work.
   */
  find(id: string, headers: Headers): Promise<RecoveredPayment | null>;
}

export interface RecoveryOptions extends GateOptions {
  /** Whether a payment is being worked on here. */
  readonly isInFlight: (replay_key: string) => boolean;
}

/** What a caller shows to have a right to an answer. */
interface Evidence {
  readonly payload_hash: string | null;
  readonly replay_key: string;
  readonly payer: string;
  readonly names: BuyerNames;
}

const NOTHING: Evidence = { payload_hash: null, replay_key: "", payer: "", names: { identifier: null, proof: null } };

export function createRecovery(options: RecoveryOptions): Recovery {
  const { ledger, clock } = options;

  const readEvidence = (headers: Headers): Evidence => {
    if (paymentHeader(headers) === null) return NOTHING;
    try {
      const { signed, incoming } = readPayment(headers, clock.now());
      const { payload_hash, replay_key, payer } = signed;
      return { payload_hash, replay_key, payer, names: readBuyerNames(headers, incoming, payer) };
    } catch (error) {
      // No payment of ours: it opens nothing.
      if (isNodeError(error)) return NOTHING;
      throw error;
    }
  };

  const stateOf = ({ state }: PaymentRow): PaymentOutcome =>
    state === "settled" || state === "unknown"
      ? state
      : state === "rejected" || state === "abandoned" || state === "settle_failed"
        ? "never_charged"
        : "in_progress";

  async function tell(row: PaymentRow, is_buyer: boolean): Promise<RecoveredPayment> {
    if (options.isInFlight(row.replay_key)) return { state: "in_progress", row, answer: null };
    const current = await wakeRow(options, ledger.payments.find(row.replay_key) ?? row);
    const state = stateOf(current);
    const age_ms = clock.now() - current.updated_at_ms;
    const kept = state === "settled" && age_ms < options.replay_window_ms;
    const stored = kept ? answerOf(current, "replay", options) : null;
    if (!stored) return { state, row: current, answer: null };
    const whole = stored.reveal === undefined || is_buyer;
    if (whole && !current.delivered) await ledger.payments.markDelivered(current.id);
    return { state, row: current, answer: showTo(stored, is_buyer).body };
  }

  return {
    async find(id, headers) {
      const evidence = readEvidence(headers);
      const name = hashName(evidence.payer, id);
      const { payments } = ledger;
      // All are looked up, and a payment that is not there is compared too: the time tells nothing. An identifier is
      // stored with the answer; until then the payment itself is found by it.
      const own = payments.find(evidence.replay_key);
      const found = [payments.find(id), payments.get(id), payments.findByIdentifier(name)];
      if (evidence.names.identifier === name) found.push(own);
      const row = found.find((one) => one !== null) ?? null;
      const sent = isEqual(evidence.payload_hash ?? "", row?.payload_hash ?? "none");
      const key_id = findKeyId(ledger, headers.get("x-api-key"));
      const bought = isEqual(key_id ?? "", (row && boughtKey(row)) ?? "none");
      if (!row || !(sent || bought)) return null;
      const names = { ...evidence.names, identifier: row.identifier === name ? name : evidence.names.identifier };
      return tell(row, sent && isSameBuyer(row, names));
    },
  };
}

/** In a time that does not depend on where the two differ. */
const isEqual = (a: string, b: string): boolean =>
  timingSafeEqual(Buffer.from(sha256Hex(a)), Buffer.from(sha256Hex(b)));

function findKeyId({ keys }: Ledger, header: string | null): string | null {
  const given = (header ?? "").slice(0, 200);
  const key = keys.find(hashApiKey(given));
  return key && isApiKeyForm(given) ? key.public_id : null;
}

/** The key a purchase made or topped up. */
function boughtKey({ purchase }: PaymentRow): string | null {
  if (purchase === null) return null;
  const { target } = readPurchase(purchase);
  return "key" in target ? target.key.public_id : target.public_id;
}
