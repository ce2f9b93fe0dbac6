import type { Clock } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { PaymentRow } from "../ledger/payment-row.ts";

import type { ReceiptLabel } from "../ledger/receipts.ts";
import type { SettleOutcome } from "./facilitators/types.ts";
import { type ChainReader, createChainReader } from "./landing/chain-reader.ts";
import { NOT_CONFIRMED } from "./landing/with-confirmation.ts";
import { networkById } from "./networks/table.ts";
import type { ChainVerdict } from "./types.ts";

/** Finds out from the chain what became of payments whose settlement is not known. */
export interface Reconciler {
  /**
   * Looks one payment up now, at most once per 2 s (buyers who retry must not multiply chain reads). When its buyer is
   * there and the chain has not seen it for a while, the same payload is posted once more to the same facilitator:
   * harmless if the first settle is still under way, because what was signed can be used only once. Without the buyer
   * it is never posted again: who left without data shall not be charged.
   * @returns the row as it is afterwards.
   */
  resolve(payment: PaymentRow, buyer_is_there: boolean): Promise<PaymentRow>;
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
  const running = new Map<string, Promise<PaymentRow>>();

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

  /** Posted again once per process: what that did not settle, the chain decides when the payment has expired. */
  const posted_again = new Set<string>();
  async function settleAgain(payment: PaymentRow): Promise<ChainVerdict | null> {
    const { id, updated_at_ms } = payment;
    if (posted_again.has(id) || clock.now() - updated_at_ms < SETTLE_AGAIN_AFTER_MS) return null;
    if (posted_again.size >= RECENT_MAX) posted_again.clear();
    posted_again.add(id);
    const outcome = await options.settleAgain(payment);
    log({ event: "settled_again", payment: id, network: payment.network, ...outcome });
    return outcome?.kind === "settled" ? { paid: true, transaction: outcome.transaction } : null;
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
  async function lookUp(payment: PaymentRow, buyer_is_there: boolean): Promise<PaymentRow> {
    const { id } = payment;
    try {
      let verdict = await askChain(payment);
      let from_chain = true;
      if (!verdict.paid && !verdict.final && buyer_is_there) {
        const again = await settleAgain(payment);
        from_chain = again === null;
        verdict = again ?? verdict;
      }
      log({ event: "reconciled", payment: id, network: payment.network, ...verdict });
      await record(payment, verdict, from_chain);
      failed.delete(id);
    } catch (error) {
      if (failed.size < RECENT_MAX) failed.add(id);
      log({ event: "reconcile_failed", payment: id, network: payment.network, error: messageOf(error) });
    }
    return (await ledger.payments.get(id)) ?? payment;
  }

  const resolve: Reconciler["resolve"] = (payment, buyer_is_there) => {
    const { id } = payment;
    const already = running.get(id);
    if (already) return already;
    const last = asked.get(id);
    const now = clock.now();
    if (payment.state !== "unknown" || (last !== undefined && now >= last && now - last < PAUSE_MS)) {
      return Promise.resolve(payment);
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
