import { assertInvariant } from "../../core/errors.ts";
import type { PaymentState } from "../payment-row.ts";
import { ACCOUNTS, chainAccount } from "../transfers.ts";
import { type Decision, NO_TRANSFERS, type ResultOf } from "./results.ts";

/** Before money moves: nothing was charged. */
const RUNNING: readonly PaymentState[] = ["received", "verified", "producing"];
/** From here on the chain has the word. */
const MOVING: readonly PaymentState[] = ["settling", "unknown"];
/** Ended without a charge: the same payment may start over. */
const RESTARTABLE: readonly PaymentState[] = ["rejected", "abandoned", "settle_failed"];

/** The states a payment may come from. */
const FROM = {
  rejected: RUNNING,
  abandoned: RUNNING,
  settling: RUNNING,
  settle_failed: MOVING,
  unknown: MOVING,
  settled: MOVING,
} as const satisfies Readonly<Partial<Record<PaymentState, readonly PaymentState[]>>>;

/** States a payment is moved to by a word about it, without an answer or a receipt. */
export type EndState = "rejected" | "abandoned" | "settle_failed" | "unknown";

/** @param known the state of what has this replay key already. */
export function decideBegin(known: PaymentState | null): Decision<ResultOf<"payment_begin">> {
  const result = known === null ? "started" : RESTARTABLE.includes(known) ? "restarted" : "known";
  return { result, transfers: NO_TRANSFERS };
}

interface KeepState {
  /** Of the payment itself; null when its row is not there. */
  readonly state: PaymentState | null;
  /** The payment that has the buyer's identifier; null when it is free, or the buyer gave no identifier. */
  readonly holder: { readonly id: string; readonly state: PaymentState } | null;
  /** What was signed; null when its row is not there. */
  readonly amount: bigint | null;
  /** What is charged of it; null where that is all of it by its scheme. */
  readonly charge: bigint | null;
}
interface Keeping extends Decision<ResultOf<"payment_keep">> {
  /** The payment that loses the identifier to this one. */
  readonly frees: string | null;
  /** What is taken from now on, and what was signed for it; null where the amount stays what it is. */
  readonly charged: { readonly amount: bigint; readonly authorized: bigint } | null;
}

/**
 * A buyer's own name goes over to the attempt that gets as far as being settled, from one that came to nothing. Where
 * at most an amount was signed, what is charged of it is fixed here, before anybody is asked to take it.
 * @throws InvariantError when more is charged than was signed, or nothing.
 */
export function decideKeep(id: string, { state, holder, amount, charge }: KeepState): Keeping {
  const other = holder !== null && holder.id !== id ? holder : null;
  if (other !== null && !RESTARTABLE.includes(other.state)) {
    return { result: "identifier_taken", transfers: NO_TRANSFERS, frees: null, charged: null };
  }
  const may_keep = state !== null && FROM.settling.includes(state);
  if (!may_keep) return { result: "not_taken", transfers: NO_TRANSFERS, frees: null, charged: null };
  const kept = { result: "kept", transfers: NO_TRANSFERS, frees: other?.id ?? null } as const;
  if (charge === null || amount === null) return { ...kept, charged: null };
  assertInvariant(charge > 0n && charge <= amount, `I5: payment ${id} is charged no more than was signed`);
  return { ...kept, charged: { amount: charge, authorized: amount } };
}

/** Whether a payment may become this. */
export function decideMove(to: EndState, state: PaymentState | null): Decision<ResultOf<"payment_move">> {
  const may_move = state !== null && FROM[to].includes(state);
  return { result: may_move ? "moved" : "stays", transfers: NO_TRANSFERS };
}

/**
 * The same where nothing else is possible.
 * @throws InvariantError when it stays as it is.
 */
export function assertMoves(id: string, to: EndState, state: PaymentState | null): void {
  const { result } = decideMove(to, state);
  assertInvariant(result === "moved", `payment ${id} cannot become ${to}: it is not ${FROM[to].join(" or ")}`);
}

/** What becomes of a payment that nothing works on any more; null when it has moved on. */
export function decideWake(state: PaymentState): { readonly to: EndState; readonly reason: string } | null {
  const reason = `left in ${state}`;
  if (state === "settling") return { to: "unknown", reason };
  return RUNNING.includes(state) ? { to: "abandoned", reason } : null;
}

/** What is known of a payment that was settled on the chain. */
interface SettleState {
  readonly payment: {
    readonly state: PaymentState;
    readonly receipt_id: string | null;
    readonly network: string;
    readonly amount: bigint;
    /** Whether it buys a plan: then the money goes where its grant says. */
    readonly is_purchase: boolean;
  };
  /** Another payment that the same transaction of the chain paid for. */
  readonly paid_for: string | null;
}
type Settling =
  | Decision<"settled">
  | (Decision<"settled_before"> & { readonly receipt_id: string })
  /** It becomes `unknown` instead. */
  | (Decision<"transaction_taken"> & { readonly reason: string });

/**
 * Money has moved on the chain. Two paths (the request and the reconciler) may both learn of it; the first one books
 * it. A transaction of the chain pays for one sale, whatever a facilitator says.
 * @throws InvariantError when it is in no state to settle.
 */
export function decideSettle(
  { id, chain_transaction }: { readonly id: string; readonly chain_transaction: string },
  { payment, paid_for }: SettleState,
): Settling {
  const { state, receipt_id, network, amount, is_purchase } = payment;
  if (state === "settled" && receipt_id !== null) {
    return { result: "settled_before", transfers: NO_TRANSFERS, receipt_id };
  }
  if (paid_for !== null) {
    assertMoves(id, "unknown", state);
    const reason = `transaction ${chain_transaction} paid for ${paid_for}`;
    return { result: "transaction_taken", transfers: NO_TRANSFERS, reason };
  }
  assertInvariant(FROM.settled.includes(state), `I5: payment ${id} cannot settle from ${state}`);
  if (is_purchase) return { result: "settled", transfers: NO_TRANSFERS };
  const [from, to] = [chainAccount(network), ACCOUNTS.sales];
  return { result: "settled", transfers: [{ kind: "sale", reference: id, from, to, amount }] };
}
