import { assertInvariant } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import {
  assertMoves,
  decideBegin,
  decideKeep,
  decideMove,
  decideSettle,
  decideWake,
  type EndState,
} from "../decide/payments.ts";
import { canonicalTransaction, identifierTaken, notTaken } from "../payment-moves.ts";
import type { BookedSale, Kept, NewPayment, SettledPayment } from "../payment-row.ts";
import type { UnknownSettlement } from "../payments.ts";
import { readPurchase } from "../purchase.ts";
import type { BookRows } from "./book-rows.ts";
import type { DecidedCommand } from "./decided-command.ts";
import { applyPurchase } from "./grant-commands.ts";
import type { LockedPayment } from "./payment-rows.ts";

/** What `beginOn` answers. */
export interface Begun {
  readonly started: boolean;
  readonly id: string;
  /** Payments that other nodes have in flight for the same payer and request. */
  readonly older: readonly string[];
}

// Ages of payments are compared with the clock, so they use the clock and not ledger time.
const wall = ({ now_ms }: BookRows): number => now_ms * 1000;

/** @param id of a payment that is new. */
export const beginOn = (id: string, payment: NewPayment): DecidedCommand => ({
  want({ payments }) {
    payments.replay_keys.add(payment.replay_key);
    payments.begun.push([payment.payer, payment.fingerprint]);
  },
  decide(rows): Begun {
    const { payments } = rows;
    const known = payments.byReplayKey(payment.replay_key);
    const { result } = decideBegin(known?.state ?? null);
    if (known === null) payments.begin(id, payment, wall(rows));
    else if (result === "restarted") payments.restart(known.id, payment, wall(rows));
    else return { started: false, id: known.id, older: [] };
    const own = known?.id ?? id;
    const older = payments.older(payment.payer, payment.fingerprint).filter((other) => other !== own);
    return { started: true, id: own, older };
  },
});

/** Ends an attempt in which nothing was charged; one that has moved on stays as it is. */
export const dropOn = (
  id: string,
  { state, reason }: { readonly state: "rejected" | "abandoned"; readonly reason: string },
): DecidedCommand => ({
  want: ({ payments }) => void payments.ids.add(id),
  decide(rows): boolean {
    const { result } = decideMove(state, rows.payments.get(id)?.state ?? null);
    if (result !== "moved") return false;
    rows.payments.move({ id, to: state, reason, at: wall(rows) });
    return true;
  },
});

/** Moves a payment where nothing else is possible. */
export const moveOn = (
  id: string,
  to: EndState,
  { reason, known = {} }: { readonly reason: string; readonly known?: UnknownSettlement },
): DecidedCommand => ({
  want: ({ payments }) => void payments.ids.add(id),
  decide(rows): null {
    assertMoves(id, to, rows.payments.get(id)?.state ?? null);
    const { facilitator, transaction } = known;
    rows.payments.move({ id, to, reason, facilitator, hint: transaction, at: wall(rows) });
    return null;
  },
});

/** A payment that nothing works on; one that another node works on is left alone. */
export const wakeOn = (id: string): DecidedCommand => ({
  want: ({ payments }) => void payments.ids.add(id),
  decide(rows): boolean {
    const payment = rows.payments.get(id);
    if (payment === null) return false;
    const left = payment.is_elsewhere ? null : decideWake(payment.state);
    if (left !== null) rows.payments.move({ id, ...left, at: wall(rows) });
    return true;
  },
});

export const keepOn = (id: string, answer: string, kept: Kept): DecidedCommand => ({
  want({ payments }) {
    payments.ids.add(id);
    if (kept.identifier) payments.identifiers.add(kept.identifier);
  },
  decide(rows): null {
    const { payments } = rows;
    const { purchase = null, identifier = null, proof = null, facilitator = null, door = null } = kept;
    const holder = identifier === null ? null : payments.byIdentifier(identifier);
    const { state = null, amount = null } = payments.get(id) ?? {};
    const { result, frees, charged } = decideKeep(id, { state, holder, amount, charge: kept.charge ?? null });
    if (result === "identifier_taken") throw identifierTaken();
    if (result === "not_taken") throw notTaken();
    if (frees !== null) payments.freeIdentifier(frees);
    payments.keep({ id, answer, purchase, identifier, proof, facilitator, door, charged, at: wall(rows) });
    return null;
  },
});

export const settleOn = (id: string, settled: SettledPayment): DecidedCommand => {
  const chain = canonicalTransaction(settled.chain_transaction);
  return {
    want({ payments }) {
      payments.settling.add(id);
      payments.transactions.add(chain);
    },
    decide(rows): BookedSale | null {
      const payment = rows.payments.get(id);
      assertInvariant(payment !== null, `payment ${id} exists`);
      const is_purchase = payment.purchase !== null;
      const paid_for = rows.payments.paidFor(payment, chain);
      const decided = decideSettle(
        { id, chain_transaction: chain },
        { payment: { ...payment, is_purchase }, paid_for },
      );
      if (decided.result === "settled_before") {
        return { receipt_id: decided.receipt_id, changed_key: is_purchase };
      }
      if (decided.result === "transaction_taken") {
        rows.payments.move({ id, to: "unknown", reason: decided.reason, at: wall(rows) });
        return null;
      }
      const settled_at = rows.tick();
      const bought = payment.purchase === null ? null : readPurchase(payment.purchase);
      const receipt_id = bought?.receipt_id ?? newId("rcp", settled_at / 1000);
      const { network, amount: paid } = payment;
      const funding = { by: "payment" as const, payment_id: id, network, paid };
      const transfer_id = bought === null ? rows.tick() : applyPurchase(rows, bought, { funding, at: rows.tick() });
      rows.post(decided.transfers, transfer_id);
      const { label, delivered, facilitator = null } = settled;
      rows.payments.settle({
        id,
        chain,
        delivered: delivered ? 1 : 0,
        facilitator,
        purchase: forgetSalt(payment),
        receipt_id,
        transfer_id,
        label,
        settled_at,
        at: wall(rows),
      });
      return { receipt_id, changed_key: bought !== null, settled_at_ms: Math.floor(settled_at / 1000) };
    },
  };
};

/** From the settlement on, the key's own row holds the salt, and drops it in time. */
function forgetSalt({ purchase }: LockedPayment): string | null {
  if (purchase === null) return null;
  const stored = JSON.parse(purchase) as { target: { key?: { salt?: string } } };
  if (stored.target.key === undefined) return purchase;
  delete stored.target.key.salt;
  return JSON.stringify(stored);
}

/** Notes whether the buyer got his answer. It decides nothing, and goes with what does. */
export const deliverOn = (id: string, delivered: boolean): DecidedCommand => ({
  want: () => undefined,
  decide(rows): null {
    rows.payments.deliver(id, delivered ? 1 : 0);
    return null;
  },
});
