import type { Clock } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { PaymentRow } from "../ledger/payment-row.ts";

import type { ReceiptLabel } from "../ledger/receipts.ts";
import { isRefusalForGood, speaksForSettled } from "./facilitators/read-words.ts";
import type { SettleOutcome } from "./facilitators/types.ts";
import { type ChainReader, createChainReader } from "./landing/chain-reader.ts";
import { NOT_CONFIRMED } from "./landing/with-confirmation.ts";
import { networkById } from "./networks/table.ts";
import type { ChainVerdict } from "./types.ts";

/** A payment after it was looked up. */
export interface ResolvedPayment extends PaymentRow {
  /**
   * Set for an `unknown` one that can land no more, and of which nobody could say, asked after its end, what became of
   * it: it holds up no other payment of its wallet.
   */
  readonly given_up?: true;
}

/** Finds out from the chain what became of payments whose settlement is not known. */
export interface Reconciler {
  /**
   * Looks one payment up now, at most once per 2 s (buyers who retry must not multiply chain reads). When its buyer is
   * there and the chain has not seen it for a while, the same payload is posted once more to the same facilitator:
   * harmless if the first settle is still under way, because what was signed can be used only once. Without the buyer
   * it is never posted again: who left without data shall not be charged. When it can land no more, it is posted for
   * the last time.
   * @returns the row as it is afterwards.
   */
  resolve(payment: PaymentRow, buyer_is_there: boolean): Promise<ResolvedPayment>;
  /** One pass over the open ones. Returns how many are still unknown. */
  resolveAll(): Promise<number>;
}

export interface ReconcilerOptions {
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** RPC endpoints by chain name; read by `chain` when that is given. */
  readonly rpc_urls: (chain: string) => readonly string[];
  readonly chain?: ChainReader;
  /** As of the chain reader. */
  readonly second_look_ms?: number;
  readonly labelOf: (payer: string) => ReceiptLabel;
  /** Posts a stored payment to the facilitator that had it; null when it is not there any more. */
  readonly settleAgain: (payment: PaymentRow) => Promise<SettleOutcome | null>;
  readonly log: (event: Readonly<Record<string, unknown>>) => void;
}

const PAUSE_MS = 2_000;
/** After a payment's end, until it counts as one that can land no more: our clock and the chain's differ. */
const END_MARGIN_MS = 30_000;
/** The same where a chain is still to be read, or something speaks for a payment that landed. */
const DOUBT_MS = { data: 600_000, purchase: 86_400_000 } as const;
/** How long a settle may take to reach the chain before it is posted again. */
const SETTLE_AGAIN_AFTER_MS = 10_000;
/** What the ledger writes when a facilitator names a transaction that paid for something else. */
const NAMED_TWICE = "transaction ";
const PASS_MAX = 200;
/** Of one pass. */
const PARALLEL = 8;
/** So many payments in a row that could not be looked up end a pass. */
const FAILURES_MAX = 10;
const RECENT_MAX = 10_000;

/** Whether a payment is open although a facilitator said that it was settled. */
const isReport = (reason: string): boolean => reason === NOT_CONFIRMED || reason.startsWith(NAMED_TWICE);

export function createReconciler(options: ReconcilerOptions): Reconciler {
  const { ledger, clock, labelOf, log } = options;
  const chain = options.chain ?? createChainReader(options);
  const asked = new Map<string, number>();
  const running = new Map<string, Promise<ResolvedPayment>>();

  async function askChain(payment: PaymentRow): Promise<ChainVerdict> {
    const network = networkById(payment.network);
    if (!network) return { paid: false, final: false, reason: `network ${payment.network} is not known any more` };
    if (!chain.canRead(network)) {
      return { paid: false, final: false, reason: `no [chains.${network.chain}] rpc configured` };
    }
    return chain.ask({
      network,
      payload: JSON.parse(payment.payload),
      amount: payment.amount,
      pay_to: payment.pay_to,
      since_ms: payment.created_at_ms,
      hint_transaction: payment.hint_transaction ?? undefined,
    });
  }

  /** Asked once more by this process: while a payment can land, and after its end. Names both. */
  const posted_again = new Set<string>();
  /** Payments of which a facilitator, asked again, said what speaks for one that landed. */
  const landed_words = new Set<string>();
  /** Payments that can land no more, whatever became of them. */
  const given_up = new Set<string>();
  const note = (ids: Set<string>, id: string): void => {
    if (ids.size >= RECENT_MAX) ids.clear();
    ids.add(id);
  };

  async function settleAgain(
    payment: PaymentRow,
    { said, is_over }: { readonly said: ChainVerdict | null; readonly is_over: boolean },
  ): Promise<ChainVerdict | null> {
    const { id, updated_at_ms } = payment;
    const name = is_over ? `${id} after its end` : id;
    if (posted_again.has(name) || (!is_over && clock.now() - updated_at_ms < SETTLE_AGAIN_AFTER_MS)) return null;
    note(posted_again, name);
    const outcome = await options.settleAgain(payment);
    log({ event: "settled_again", payment: id, network: payment.network, ...outcome });
    if (outcome?.kind === "settled") return { paid: true, transaction: outcome.transaction };
    if (outcome?.kind === "unknown" && (outcome.transaction !== undefined || speaksForSettled(outcome.cause))) {
      note(landed_words, id);
    }
    // A refusal ends it, unless the first settle may be what it comes from.
    const is_ended = outcome?.kind === "refused" && isRefusalForGood(outcome.reason) && !mayHaveLanded(payment, said);
    return is_ended ? { paid: false, final: true, reason: outcome.reason } : null;
  }

  /** Whether something was said of a payment that speaks for one that landed. */
  const mayHaveLanded = ({ id, reason, hint_transaction }: PaymentRow, said: ChainVerdict | null): boolean =>
    (said?.paid === false && said.reason.startsWith("used")) ||
    hint_transaction !== null ||
    landed_words.has(id) ||
    isReport(reason ?? "") ||
    speaksForSettled(reason ?? "");

  /** Whether a payment can land no more, as far as can be known without the chain's last word. */
  function isOver(payment: PaymentRow, said: ChainVerdict | null): boolean {
    const network = networkById(payment.network);
    const is_doubted = (network !== undefined && chain.canRead(network)) || mayHaveLanded(payment, said);
    const wait_ms = is_doubted ? DOUBT_MS[payment.purchase === null ? "data" : "purchase"] : END_MARGIN_MS;
    return clock.now() > payment.valid_until_ms + wait_ms;
  }

  /** Writes down what the chain says. It looked for some seconds: who is not `unknown` any more is left alone. */
  async function record(payment: PaymentRow, verdict: ChainVerdict, from_chain: boolean): Promise<void> {
    const { id, network, facilitator } = payment;
    const current = await ledger.payments.get(id);
    if (current?.state !== "unknown") return;
    if (verdict.paid) {
      const settled = { chain_transaction: verdict.transaction, label: labelOf(payment.payer), delivered: false };
      const booked = ledger.payments.settle(id, settled);
      // In the same commit: what the chain itself showed needs no other look.
      const confirmed = from_chain ? ledger.landings.confirmPayment(id, clock.now()) : null;
      await Promise.all([booked, confirmed]);
    } else if (verdict.final) {
      const ended = ledger.payments.end(id, "settle_failed", verdict.reason);
      const report = { network, facilitator: current.facilitator ?? facilitator ?? "", at_ms: clock.now() };
      const counted = isReport(current.reason ?? "") ? ledger.landings.countDisbelieved(report) : null;
      await Promise.all([ended, counted]);
    }
  }

  /** Those whose last look nobody answered. */
  const failed = new Set<string>();
  const noteFailed = ({ id, network }: PaymentRow, error: unknown): null => {
    if (failed.size < RECENT_MAX) failed.add(id);
    log({ event: "reconcile_failed", payment: id, network, error: messageOf(error) });
    return null;
  };

  async function lookUp(payment: PaymentRow, buyer_is_there: boolean): Promise<ResolvedPayment> {
    const { id, network } = payment;
    failed.delete(id);
    const said = await askChain(payment).catch((error: unknown) => noteFailed(payment, error));
    try {
      const is_open = said === null || (!said.paid && !said.final);
      const is_over = is_open && isOver(payment, said);
      const again = is_open && buyer_is_there ? await settleAgain(payment, { said, is_over }) : null;
      const verdict = again ?? said;
      log({ event: "reconciled", payment: id, network, ...verdict });
      if (verdict !== null) await record(payment, verdict, again === null);
      // What the last question brought to light may speak for a payment that landed.
      if (again === null && is_over && buyer_is_there && isOver(payment, said)) giveUp(payment);
    } catch (error) {
      noteFailed(payment, error);
    }
    return withEnd((await ledger.payments.get(id)) ?? payment);
  }

  function giveUp({ id, network }: PaymentRow): void {
    if (!given_up.has(id)) log({ event: "payment_given_up", payment: id, network });
    note(given_up, id);
  }

  const withEnd = (row: PaymentRow): ResolvedPayment =>
    row.state === "unknown" && given_up.has(row.id) ? { ...row, given_up: true } : row;

  const resolve: Reconciler["resolve"] = (payment, buyer_is_there) => {
    const { id } = payment;
    const already = running.get(id);
    if (already) return already;
    const last = asked.get(id);
    const now = clock.now();
    if (payment.state !== "unknown" || (last !== undefined && now >= last && now - last < PAUSE_MS)) {
      return Promise.resolve(withEnd(payment));
    }
    if (asked.size >= RECENT_MAX) asked.clear();
    asked.set(id, now);
    const look = lookUp(payment, buyer_is_there).finally(() => running.delete(id));
    running.set(id, look);
    return look;
  };

  /** Oldest first, and on from there in the next pass: what stays open for ever must not hide what came later. */
  let next_ms = 0;
  const nextPage = async (): Promise<readonly PaymentRow[]> => {
    const page = await ledger.payments.listUnknown(PASS_MAX, next_ms);
    const last_ms = page.at(-1)?.created_at_ms ?? 0;
    next_ms = page.length < PASS_MAX ? 0 : Math.max(last_ms, next_ms + 1);
    return page;
  };

  return {
    resolve,
    async resolveAll() {
      const due = [...(await nextPage())];
      let open = 0;
      let failures = 0;
      const work = async () => {
        for (let payment = due.shift(); payment; payment = due.shift()) {
          if (failures < FAILURES_MAX) payment = await resolve(payment, false);
          failures = failed.has(payment.id) ? failures + 1 : failures;
          if (payment.state === "unknown") open += 1;
        }
      };
      await Promise.all(Array.from({ length: PARALLEL }, work));
      return open;
    },
  };
}
