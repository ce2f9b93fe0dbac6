import type { Clock } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { PaymentRow } from "../ledger/payments.ts";
import type { ReceiptLabel } from "../ledger/receipts.ts";
import type { SettleOutcome } from "./facilitators/types.ts";
import { familyOf } from "./networks/families.ts";
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
  /** RPC endpoints by chain name. */
  readonly rpc_urls: (chain: string) => readonly string[];
  readonly labelOf: (payer: string) => ReceiptLabel;
  /** Posts a stored payment to the facilitator that had it; null when it is not there any more. */
  readonly settleAgain: (payment: PaymentRow) => Promise<SettleOutcome | null>;
  readonly log: (event: Readonly<Record<string, unknown>>) => void;
}

const PAUSE_MS = 2_000;
/** How long a settle may take to reach the chain before it is posted again. */
const SETTLE_AGAIN_AFTER_MS = 10_000;
const PASS_MAX = 200;
const RECENT_MAX = 10_000;

export function createReconciler(options: ReconcilerOptions): Reconciler {
  const { ledger, clock, rpc_urls, labelOf, log } = options;
  const asked = new Map<string, number>();
  const running = new Map<string, Promise<PaymentRow>>();

  async function askChain(payment: PaymentRow): Promise<ChainVerdict> {
    const network = networkById(payment.network);
    if (!network) return { paid: false, final: false, reason: `network ${payment.network} is not known any more` };
    const urls = rpc_urls(network.chain);
    if (urls.length === 0) return { paid: false, final: false, reason: `no [chains.${network.chain}] rpc configured` };
    return familyOf(network).askChain({
      network,
      payload: JSON.parse(payment.payload),
      amount: payment.amount,
      pay_to: payment.pay_to,
      since_ms: payment.created_at_ms,
      hint_transaction: payment.hint_transaction ?? undefined,
      rpc_urls: urls,
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

  async function lookUp(payment: PaymentRow, buyer_is_there: boolean): Promise<PaymentRow> {
    const { id } = payment;
    try {
      let verdict = await askChain(payment);
      if (!verdict.paid && !verdict.final && buyer_is_there) verdict = (await settleAgain(payment)) ?? verdict;
      log({ event: "reconciled", payment: id, network: payment.network, ...verdict });
      if (verdict.paid) {
        const label = labelOf(payment.payer);
        await ledger.payments.settle(id, { chain_transaction: verdict.transaction, label, delivered: false });
      } else if (verdict.final) {
        await ledger.payments.end(id, "settle_failed", verdict.reason);
      }
    } catch (error) {
      log({ event: "reconcile_failed", payment: id, network: payment.network, error: messageOf(error) });
    }
    return ledger.payments.get(id) ?? payment;
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

  return {
    resolve,
    async resolveAll() {
      let open = 0;
      for (const payment of ledger.payments.listUnknown(PASS_MAX)) {
        const { state } = await resolve(payment, false);
        if (state === "unknown") open += 1;
      }
      return open;
    },
  };
}
