import type { Funding, Grant } from "../grant.ts";
import type { KeyRow } from "../key-rows.ts";
import { ACCOUNTS, type Account, chainAccount, creditAccount } from "../transfers.ts";
import { type CountedLot, countLots, expireLots, type LotsState, overAt } from "./lots.ts";
import { type DecidedTransfer, type Decision, NO_TRANSFERS, type ResultOf } from "./results.ts";

/** The longest wait for a grant that the buyer was told begins at once. */
const TOLD_MS_MAX = 60_000;

/** What is given, and by whom. */
interface GrantCommand {
  readonly grant: Grant;
  readonly funding: Funding;
  /** By the clock. The ledger's time never goes back: a clock wrong for a moment would stretch every pass. */
  readonly now_ms: number;
  /** The reference in the transfers of an operator's gift, and of what a voucher bought. */
  readonly gift_reference: string;
}

/** The part of a key that a grant depends on. */
export type GrantedTo = Pick<
  KeyRow,
  | ("public_id" | "parent" | "revoked_at_ms" | "account" | "badge" | "priority" | "priority_until_ms")
  | ("pass_until_ms" | "balance_until_ms" | "lot_until_ms")
>;

interface GrantState extends LotsState {
  readonly key: GrantedTo;
}

/** The key afterwards. An existing badge stays. */
type GrantedKey = Pick<KeyRow, "plan" | "account" | "pass_until_ms" | "priority" | "priority_until_ms" | "badge">;

export interface Granted extends Decision<"granted"> {
  readonly key: GrantedKey;
  /** The lots it already has, as they are to be written; empty when they do not change. */
  readonly lots: readonly CountedLot[];
  readonly new_lot: { readonly credit: bigint; readonly until_ms: number | null } | null;
}
type GrantRefused = Decision<Exclude<ResultOf<"grant">, "granted">>;

const startOf = ({ from_ms = 0 }: Grant, now_ms: number): number =>
  now_ms >= from_ms && now_ms - from_ms < TOLD_MS_MAX ? from_ms : now_ms;

/** A grant to a key that is there: one that can hold it, and was not revoked. */
export function decideGrant(command: GrantCommand, state: GrantState): Granted | GrantRefused {
  if (state.key.parent !== null) return { result: "child_key", transfers: NO_TRANSFERS };
  if (state.key.revoked_at_ms !== null) return { result: "revoked", transfers: NO_TRANSFERS };
  return decidePaidGrant(command, state);
}

/** The same for what was paid already: whatever became of its key, the buyer gets what he paid for. */
export function decidePaidGrant(command: GrantCommand, { key, ...state }: GrantState): Granted {
  const { grant } = command;
  const { credit, duration_ms, pass, plan, badge } = grant;
  const now_ms = startOf(grant, command.now_ms);
  const ends = (from_ms: number): number | null => (duration_ms === null ? null : from_ms + duration_ms);
  const account = key.account ?? (credit > 0n ? creditAccount(key.public_id).id : null);
  // A pass is paid for by its length: a second one begins where the first ends.
  const from_ms = pass ? Math.max(now_ms, key.pass_until_ms ?? 0) : now_ms;
  const lots = changeLots(key, state, { grant, now_ms });
  return {
    result: "granted",
    transfers: [...expireLots(key, lots), ...moveMoney(command, account)],
    key: {
      plan,
      account,
      pass_until_ms: pass ? ends(from_ms) : key.pass_until_ms,
      ...mergePriority(key, { priority: grant.priority, until_ms: ends(from_ms), now_ms }),
      badge: key.badge ?? badge,
    },
    lots,
    new_lot: credit > 0n ? { credit, until_ms: ends(now_ms) } : null,
  };
}

/** What a grant does to the lots that are there. */
function changeLots(
  key: GrantedTo,
  state: LotsState,
  { grant, now_ms }: { readonly grant: Grant; readonly now_ms: number },
): readonly CountedLot[] {
  const { credit, pass, duration_ms } = grant;
  if (key.account === null) return [];
  // What has ended does not live again, and what was spent until now was not spent of what comes.
  if (credit > 0n) return countLots(key, state, overAt(now_ms));
  if (pass || duration_ms === null) return [];
  // The operator gives a balance more time, and no credit: what is open lasts until then at least.
  const until_ms = now_ms + duration_ms;
  return countLots(key, state, () => false).map((lot) => ({
    ...lot,
    until_ms: lot.until_ms === null ? null : Math.max(lot.until_ms, until_ms),
  }));
}

/** The amount paid goes to the balance; what the plan adds on top is the node's own expense. */
function moveMoney({ grant, funding, gift_reference }: GrantCommand, balance: string | null): DecidedTransfer[] {
  const { credit } = grant;
  const account: Account | null = balance !== null && credit > 0n ? { id: balance, kind: "credit" } : null;
  const is_paid = funding.by !== "operator";
  const reference = funding.by === "payment" ? funding.payment_id : gift_reference;
  const paid = is_paid ? funding.paid : 0n;
  const transfers: DecidedTransfer[] = [];
  if (is_paid) {
    // What a voucher earned a moment ago is no income while it is owed as credit.
    const from = funding.by === "payment" ? chainAccount(funding.network) : ACCOUNTS.channels;
    transfers.push({ kind: "plan", reference, from, to: account ?? ACCOUNTS.plans, amount: paid });
  }
  if (account === null) return transfers;
  const rest = credit - paid;
  const giver = is_paid ? ACCOUNTS.bonus : ACCOUNTS.goodwill;
  if (rest > 0n) transfers.push({ kind: "bonus", reference, from: giver, to: account, amount: rest });
  if (rest < 0n) transfers.push({ kind: "plan", reference, from: account, to: ACCOUNTS.plans, amount: -rest });
  return transfers;
}

/** The higher priority while it lasts; of equal ones the one that lasts longer. */
function mergePriority(
  key: Pick<KeyRow, "priority" | "priority_until_ms">,
  given: { readonly priority: number; readonly until_ms: number | null; readonly now_ms: number },
): Pick<KeyRow, "priority" | "priority_until_ms"> {
  const { priority, priority_until_ms } = key;
  const running = priority_until_ms === null || priority_until_ms > given.now_ms ? priority : 1;
  if (running > given.priority) return { priority, priority_until_ms };
  const end_ms =
    running < given.priority
      ? given.until_ms
      : given.until_ms === null || priority_until_ms === null
        ? null
        : Math.max(given.until_ms, priority_until_ms);
  return { priority: given.priority, priority_until_ms: end_ms };
}
