import { hashApiKey, isApiKeyForm } from "../../core/api-key.ts";
import { isNodeError } from "../../core/errors.ts";
import type { PassedOn } from "../../core/passed-on.ts";
import { isSameSecret } from "../../core/secrets.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import type { PaymentRow } from "../../ledger/payment-row.ts";
import { readPurchase } from "../../ledger/purchase.ts";
import type { LedgerWallet } from "../../ledger/wallets.ts";
import { familyOf } from "../networks/families.ts";
import type { ResolvedPayment } from "../reconcile.ts";
import { PaymentRefusal } from "../refusal.ts";
import type { Requirement } from "../types.ts";
import { UPTO } from "../upto/contract.ts";
import { type BuyerNames, hashName, isSameBuyer, readBuyerNames } from "./buyer-names.ts";
import type { GateParts } from "./parts.ts";
import { hasPayment, type ReadPayment, readPayment } from "./read-payment.ts";
import { answerOf, owedOf, showTo } from "./recall.ts";
import { wakeRow } from "./wake.ts";

/** Whatever the state machine calls it, this is what a buyer has to know. */
export type PaymentOutcome = "settled" | "unknown" | "never_charged" | "in_progress";

/** What became of a payment. */
export interface RecoveredPayment {
  readonly state: PaymentOutcome;
  readonly row: ResolvedPayment;
  /** Whole for its buyer, without what is secret for others; null when it was never made or was pruned. */
  readonly answer: string | null;
  /** Whether the caller showed to be the buyer by more than the payment, which is public. */
  readonly is_proven?: boolean;
  /** Of a payment that was never charged: what of the buyer's money left for somebody else all the same. */
  readonly passed_on?: PassedOn;
}

/** Tells a buyer what became of his payment, without paying again. */
export interface Recovery {
  /**
   * @param id a replay key, a payment identifier, or the id of the payment here; "" is the payment in the headers.
   * @returns null for an unknown payment and for one the caller did not send, after the same work.
   */
  find(id: string, asked: { readonly headers: Headers; readonly client: string }): Promise<RecoveredPayment | null>;
  /**
   * The same for a payment of a wallet that has signed in, by its id here. A key that was bought is never in it.
   * @returns null for an unknown payment and for one of another wallet.
   */
  findOf(wallet: LedgerWallet, id: string, client: string): Promise<RecoveredPayment | null>;
}

export interface RecoveryOptions extends GateParts {
  /** Whether a payment is being worked on here. */
  readonly isInFlight: (replay_key: string) => boolean;
}

/** What a caller shows to have a right to an answer. */
interface Evidence {
  readonly payload_hash: string | null;
  readonly replay_key: string;
  readonly payer: string;
  readonly names: BuyerNames;
  readonly read: ReadPayment | null;
}

const NOTHING: Evidence = {
  payload_hash: null,
  replay_key: "",
  payer: "",
  names: { identifier: null, proof: null },
  read: null,
};

export function createRecovery(options: RecoveryOptions): Recovery {
  const { ledger, clock } = options;

  const readEvidence = (headers: Headers): Evidence => {
    if (!hasPayment(headers)) return NOTHING;
    try {
      const read = readPayment(headers, clock.now());
      const { signed, incoming } = read;
      const { payload_hash, replay_key, payer } = signed;
      return { payload_hash, replay_key, payer, names: readBuyerNames(headers, incoming, payer), read };
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

  interface Asked {
    readonly row: PaymentRow;
    readonly client: string;
    /** Whether he proved to be the buyer by more than the payment, which is public. */
    readonly proven: boolean;
    /** Whether he may see what is secret in the answer. */
    readonly is_buyer: boolean;
  }
  const tell = async (asked: Asked): Promise<RecoveredPayment> => ({ ...(await say(asked)), is_proven: asked.proven });

  async function say({ row, client, proven, is_buyer }: Asked): Promise<RecoveredPayment> {
    if (options.isInFlight(row.replay_key)) return { state: "in_progress", row, answer: null };
    const current = await wakeRow(options, (await ledger.payments.find(row.replay_key)) ?? row);
    const state = stateOf(current);
    const age_ms = clock.now() - current.updated_at_ms;
    const owed = owedOf(current, options);
    const kept = state === "settled" && age_ms < options.replay_window_ms;
    const stored = kept ? answerOf(current, "replay", options) : owed;
    if (!stored) return { state, row: current, answer: null };
    if (!proven && !isOpen(current, client)) return { state, row: current, answer: null };
    if (!("receipt_id" in stored)) return { state, row: current, answer: stored.body, passed_on: stored.passed_on };
    const whole = stored.reveal === undefined || is_buyer;
    if (whole && !current.delivered) await ledger.payments.markDelivered(current.id);
    return { state, row: current, answer: (await showTo(stored, is_buyer)).body };
  }

  /** Whether the answer may go out on the payment alone; that is counted. */
  function isOpen({ id, updated_at_ms }: PaymentRow, client: string): boolean {
    try {
      options.unproven.take({ id, settled_at_ms: updated_at_ms, client });
      return true;
    } catch (error) {
      if (error instanceof PaymentRefusal) return false;
      throw error;
    }
  }

  /**
   * Whether a payment was newly signed by the payer of a row, for the same amount to the same address. It is never
   * settled: it only shows whose wallet it is, as this node itself or the wallet's own chain says.
   */
  async function isFresh({ read, replay_key, payer }: Evidence, row: PaymentRow, client: string): Promise<boolean> {
    if (!read || payer !== row.payer || read.network.id !== row.network || replay_key === row.replay_key) return false;
    const known = await ledger.payments.find(replay_key);
    // What went on its way to the chain is public.
    if (known && known.state !== "rejected" && known.state !== "abandoned") return false;
    const { network, incoming, signed } = read;
    const is_upto = incoming.scheme === UPTO;
    const requirement: Requirement = {
      scheme: is_upto ? UPTO : "exact",
      network: network.id,
      amount: (is_upto ? (row.authorized ?? row.amount) : row.amount).toString(),
      asset: row.asset,
      payTo: row.pay_to,
      maxTimeoutSeconds: 0,
      extra: {},
    };
    const fee_payers = signed.fee_payer === null ? [] : [signed.fee_payer];
    try {
      familyOf(network).check({ requirement, payload: incoming.payload, now_ms: clock.now(), fee_payers });
    } catch (error) {
      if (isNodeError(error)) return false;
      throw error;
    }
    return (await options.isSigned(read, client)) === "yes";
  }

  return {
    async find(id, { headers, client }) {
      const evidence = readEvidence(headers);
      const name = hashName(evidence.payer, id);
      const { payments } = ledger;
      // All are looked up, and a payment that is not there is compared too: the time tells nothing. An identifier is
      // stored with the answer; until then the payment itself is found by it.
      const own = await payments.find(evidence.replay_key);
      const found = await Promise.all([payments.find(id), payments.get(id), payments.findByIdentifier(name)]);
      if (id === "" || evidence.names.identifier === name) found.push(own);
      const row = found.find((one) => one !== null) ?? null;
      const sent = isSameSecret(evidence.payload_hash, row?.payload_hash);
      const key_id = await findKeyId(ledger, headers.get("x-api-key"));
      const bought = isSameSecret(key_id, row && boughtKey(row));
      const fresh = row !== null && !sent && !bought && (await isFresh(evidence, row, client));
      if (!row || !(sent || bought || fresh)) return null;
      const names = { ...evidence.names, identifier: row.identifier === name ? name : evidence.names.identifier };
      const is_buyer = fresh || (sent && isSameBuyer(row, names));
      return tell({ row, client, is_buyer, proven: is_buyer || bought });
    },
    async findOf({ address, network }, id, client) {
      const row = await ledger.payments.get(id);
      if (row?.payer !== address || row.network !== network) return null;
      // A wallet that signs in for its purchases did not ask for a key: it may be on somebody else's screen.
      return tell({ row, client, is_buyer: false, proven: true });
    },
  };
}

async function findKeyId({ keys }: Ledger, header: string | null): Promise<string | null> {
  const given = (header ?? "").slice(0, 200);
  const key = await keys.find(hashApiKey(given));
  return key && isApiKeyForm(given) ? key.public_id : null;
}

/** The key a purchase made or topped up. */
function boughtKey({ purchase }: PaymentRow): string | null {
  if (purchase === null) return null;
  const { target } = readPurchase(purchase);
  return "key" in target ? target.key.public_id : target.public_id;
}
