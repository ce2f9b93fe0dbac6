import { ACCOUNTS } from "../transfers.ts";
import { type DecidedTransfer, type Decision, NO_TRANSFERS, type ResultOf } from "./results.ts";

/** What one grant brought to a balance, with its own end. Amounts in atomic USDC, times in ms. */
export interface Lot {
  readonly id: number;
  /** When it was granted. */
  readonly at_ms: number;
  /** It can be spent until then; null is for ever. */
  readonly until_ms: number | null;
  readonly credit: bigint;
  /** What of it can still be spent. */
  readonly left: bigint;
}

/** A lot that is to be written: what is left of it now, when it ends, and whether it has ended. */
export interface CountedLot extends Pick<Lot, "credit" | "left" | "until_ms"> {
  /** Null for a new lot: for money that came back after all lots had ended. */
  readonly id: number | null;
  readonly has_ended: boolean;
}

/** The state from which the lots of a balance are counted. */
export interface LotsState {
  /** The open ones, in the order they are spent in, with what is left of each. */
  readonly lots: readonly Lot[];
  /** What can be spent of the balance, atomic USDC. */
  readonly available: bigint;
}

/** A balance, by its key. */
interface BalanceOf {
  readonly public_id: string;
  readonly account: string | null;
  readonly balance_until_ms: number | null;
}

/**
 * What is left of each lot, when this much can be spent in all: what was drawn since the last count came from the first
 * of them; what came back meanwhile, such as a refund, lives as long as the last. The sum is what can be spent.
 * @param lefts in the order they are spent in, as of the last count.
 */
export function spreadOverLots(lefts: readonly bigint[], available: bigint): readonly bigint[] {
  let drawn = lefts.reduce((sum, left) => sum + left, 0n) - available;
  const after = lefts.map((left) => {
    const taken = drawn < left ? (drawn > 0n ? drawn : 0n) : left;
    drawn -= taken;
    return left - taken;
  });
  const last = after.at(-1);
  return last === undefined || drawn === 0n ? after : [...after.slice(0, -1), last - drawn];
}

/** Whether a lot with this end has ended. */
type IsOver = (until_ms: number | null) => boolean;
export const overAt =
  (now_ms: number): IsOver =>
  (until_ms) =>
    until_ms !== null && until_ms <= now_ms;

/** The lots of a balance as they are now, those that are over among them. */
export function countLots(
  { balance_until_ms }: Pick<BalanceOf, "balance_until_ms">,
  { lots, available }: LotsState,
  isOver: IsOver,
): readonly CountedLot[] {
  if (lots.length > 0) return lots.map((lot) => ({ ...lot, has_ended: isOver(lot.until_ms) }));
  if (available <= 0n) return [];
  // It came back after all there was had ended: it has ended as well.
  const has_ended = isOver(balance_until_ms);
  return [{ id: null, credit: 0n, left: available, until_ms: balance_until_ms, has_ended }];
}

/** What is left of lots that have ended is income. Empty when nothing is left. */
export function expireLots({ public_id, account }: BalanceOf, lots: readonly CountedLot[]): readonly DecidedTransfer[] {
  const amount = lots.reduce((sum, { has_ended, left }) => (has_ended ? sum + left : sum), 0n);
  if (amount === 0n) return NO_TRANSFERS;
  const from = { id: account ?? "", kind: "credit" as const };
  return [{ kind: "expiry", reference: public_id, from, to: ACCOUNTS.expired, amount }];
}

interface ExpiryState extends LotsState {
  readonly key: BalanceOf & {
    readonly parent: number | null;
    readonly revoked_at_ms: number | null;
    /** When the first open lot ends. */
    readonly lot_until_ms: number | null;
  };
  /** Whether any lot of it has ended before: it may have been booked by the job, or for another call, a moment ago. */
  readonly has_ended_lots: boolean;
}

interface Expiry extends Decision<ResultOf<"expire">> {
  readonly lots: readonly CountedLot[];
}

/** Books what is left of lots that have ended, or of all when the key was revoked. */
export function decideExpiry(now_ms: number, { key, has_ended_lots, ...state }: ExpiryState): Expiry {
  const is_revoked = key.revoked_at_ms !== null;
  const has_ended = has_ended_lots || (key.lot_until_ms !== null && key.lot_until_ms <= now_ms);
  if (key.parent !== null || key.account === null || !(has_ended || is_revoked)) {
    return { result: "not_ended", transfers: NO_TRANSFERS, lots: [] };
  }
  const lots = countLots(key, state, is_revoked ? () => true : overAt(now_ms));
  const transfers = expireLots(key, lots);
  return { result: transfers.length > 0 ? "expired" : "nothing_left", transfers, lots };
}
