import { assertInvariant } from "../../core/errors.ts";
import type { Charge, ChargeRefusal } from "../charge.ts";
import { ACCOUNTS, type Account } from "../transfers.ts";
import { type DecidedTransfer, type Decision, NO_TRANSFERS, type ResultOf } from "./results.ts";

const DAY_MS = 86_400_000;

/** The UTC day of a time, counted from 1970. */
export const dayOf = (now_ms: number): number => Math.floor(now_ms / DAY_MS);

/** What a key spent or set aside on the UTC day of its last charge. Atomic USDC. */
export interface DaySpend {
  readonly day: number;
  readonly spent_today: bigint;
}

/** The state that decides about a charge. */
export interface Spending extends DaySpend {
  /** What can be spent of the balance: posted minus pending, atomic USDC. */
  readonly available: bigint;
  /** Whether a call of this key has the name that this one comes with. */
  readonly is_named: boolean;
}

/** What a charge leaves behind. */
type Spent = Omit<Spending, "is_named">;

interface Refused extends Decision<ChargeRefusal> {
  readonly after: Spent;
}
interface DebitBooked extends Decision<"charged"> {
  readonly after: Spent;
}
interface HoldMade extends Decision<"held"> {
  /** What becomes pending of the balance. */
  readonly set_aside: bigint;
  readonly after: Spent;
}

/** A hold as it is stored. */
export interface Hold {
  readonly is_open: boolean;
  readonly account: string;
  readonly amount: bigint;
  /** The UTC day it was counted on. */
  readonly day: number;
}

interface HoldPosted extends Decision<"charged"> {
  /** The amount that is not pending any more: the whole hold. */
  readonly freed: bigint;
  /** What was charged, when it is less than was set aside. */
  readonly charged_less: bigint | null;
  readonly after: Spent;
}
interface HoldGivenBack extends Decision<ResultOf<"give_back">> {
  readonly freed: bigint;
  readonly after: DaySpend;
}

const balanceOf = (account: string): Account => ({ id: account, kind: "credit" });

const debitOf = ({ product, amount }: Charge, account: string): DecidedTransfer => ({
  kind: "debit",
  reference: product,
  from: balanceOf(account),
  to: ACCOUNTS.calls,
  amount,
});

/** What a key has spent today with a charge. A day that is not the stored one, even an earlier one, starts at zero. */
const spentWith = ({ amount }: Charge, today: number, { day, spent_today }: DaySpend): bigint =>
  today === day ? spent_today + amount : amount;

/** The first reason that holds, in this order: a repeated call gets its answer, whatever is left. */
function refusalOf({ key, amount }: Charge, state: Spending, spent_today: bigint): ChargeRefusal | null {
  if (state.is_named) return "named_before";
  if (state.available < amount) return "insufficient_credits";
  return key.daily_cap !== null && spent_today > key.daily_cap ? "daily_cap" : null;
}

const refused = (result: ChargeRefusal, { available, day, spent_today }: Spending): Refused => ({
  result,
  transfers: NO_TRANSFERS,
  after: { available, day, spent_today },
});

/** A call that is paid at once: its price leaves the balance and counts against the key's day. */
export function decideDebit(charge: Charge, state: Spending): DebitBooked | Refused {
  const day = dayOf(charge.now_ms);
  const spent_today = spentWith(charge, day, state);
  const why = refusalOf(charge, state, spent_today);
  if (why !== null) return refused(why, state);
  const after = { available: state.available - charge.amount, day, spent_today };
  return { result: "charged", transfers: [debitOf(charge, charge.root.account ?? "")], after };
}

/** A call whose answer is still to be produced: its price is set aside and counts against the key's day. */
export function decideHold(charge: Charge, state: Spending): HoldMade | Refused {
  const day = dayOf(charge.now_ms);
  const spent_today = spentWith(charge, day, state);
  const why = refusalOf(charge, state, spent_today);
  if (why !== null) return refused(why, state);
  const after = { available: state.available - charge.amount, day, spent_today };
  return { result: "held", transfers: NO_TRANSFERS, set_aside: charge.amount, after };
}

/** Takes an uncharged amount off the day's count; a later day has its own count. */
function uncount({ day, spent_today }: DaySpend, hold: Hold, amount: bigint): DaySpend {
  if (day !== hold.day) return { day, spent_today };
  return { day, spent_today: spent_today > amount ? spent_today - amount : 0n };
}

/**
 * The answer of a hold is there: what was set aside is charged, or less of it, and the rest can be spent again.
 * @throws InvariantError when the hold was ended before, or less was set aside than is charged.
 */
export function decidePost(
  { id, charge }: { readonly id: number; readonly charge: Charge },
  { hold, ...state }: { readonly hold: Hold | null } & Spent,
): HoldPosted {
  assertInvariant(hold?.is_open === true, `I4: hold ${id} was ended before`);
  const { amount } = charge;
  assertInvariant(amount <= hold.amount, `I4: hold ${id} is charged no more than was held`);
  const rest = hold.amount - amount;
  return {
    result: "charged",
    transfers: [debitOf(charge, hold.account)],
    freed: hold.amount,
    charged_less: rest > 0n ? amount : null,
    after: { available: state.available + rest, ...uncount(state, hold, rest) },
  };
}

/** The call of a hold came to nothing: all of it can be spent again. Once: a hold ends one time. */
export function decideGiveBack({ hold, ...state }: { readonly hold: Hold | null } & DaySpend): HoldGivenBack {
  if (!hold?.is_open) return { result: "ended_before", transfers: NO_TRANSFERS, freed: 0n, after: state };
  return {
    result: "given_back",
    transfers: NO_TRANSFERS,
    freed: hold.amount,
    after: uncount(state, hold, hold.amount),
  };
}

/** What is known of the debit that is to be taken back. */
interface RefundState {
  readonly debit: { readonly account: string; readonly amount: bigint } | null;
  readonly is_refunded: boolean;
}

/** Gives back what a call cost, once. */
export function decideRefund(call_id: number, { debit, is_refunded }: RefundState): Decision<ResultOf<"refund">> {
  if (debit === null) return { result: "no_debit", transfers: NO_TRANSFERS };
  if (is_refunded) return { result: "refunded_before", transfers: NO_TRANSFERS };
  const { account, amount } = debit;
  const transfer: DecidedTransfer = {
    kind: "refund",
    reference: `call:${call_id}`,
    from: ACCOUNTS.calls,
    to: balanceOf(account),
    amount,
  };
  return { result: "refunded", transfers: [transfer] };
}
