import { decideGrant, decidePaidGrant, type Granted } from "../decide/grants.ts";
import { decideExpiry } from "../decide/lots.ts";
import type { DecidedTransfer } from "../decide/results.ts";
import type { Funding, Grant } from "../grant.ts";
import { KEY_REFUSALS, type NewKey, type PaidPurchase, type Purchase } from "../keys.ts";
import type { BookRows } from "./book-rows.ts";
import type { WantedRows } from "./charge-rows.ts";
import type { DecidedCommand } from "./decided-command.ts";
import type { LockedKey } from "./grant-rows.ts";

/** A grant on its way into the books. */
interface Gift {
  readonly grant: Grant;
  readonly funding: Funding;
  /** Ledger time, microseconds. */
  readonly at: number;
}

/** A grant makes one lot, and one more for what came back after all there was had ended. */
const LOTS_MAX = 2;

const factsOf = (rows: BookRows, key: LockedKey, { grant, funding, at }: Gift) => ({
  // Not the ledger's time: that never goes back, so a clock that was wrong for a moment would stretch every pass.
  command: { grant, funding, now_ms: rows.now_ms, gift_reference: `grant:${at}` },
  state: { key, ...rows.grants.lotsOf(key, rows.available(key.account)) },
});

const post = (rows: BookRows, transfers: readonly DecidedTransfer[]) =>
  transfers.map((transfer) => {
    const id = rows.tick();
    rows.post([transfer], id);
    return { id, kind: transfer.kind };
  });

/** @returns the transfer that carries what was paid, or 0. */
function writeGrant(rows: BookRows, key: LockedKey, gift: Gift & { readonly decided: Granted }): number {
  const { grant, funding, at, decided } = gift;
  const { grants } = rows;
  const posted = post(rows, decided.transfers);
  const expiry = posted.find(({ kind }) => kind === "expiry")?.id ?? null;
  if (decided.lots.length > 0) grants.writeLots(key.public_id, decided.lots, { at, expiry });
  grants.change(key.public_id, decided.key);
  if (decided.new_lot !== null) grants.addLot(key.public_id, { ...decided.new_lot, at });
  const is_paid = funding.by !== "operator";
  grants.addGrant({
    key_id: key.id,
    plan: decided.key.plan,
    payment_id: funding.by === "payment" ? funding.payment_id : null,
    paid: is_paid ? funding.paid : 0n,
    credit: grant.credit,
    duration_ms: grant.duration_ms,
    at,
  });
  return is_paid ? (posted.find(({ kind }) => kind === "plan")?.id ?? 0) : 0;
}

/** To a key that was paid for, or has just been made. */
function give(rows: BookRows, key: LockedKey, gift: Gift): number {
  const { command, state } = factsOf(rows, key, gift);
  return writeGrant(rows, key, { ...gift, decided: decidePaidGrant(command, state) });
}

/**
 * What a payment bought, in the commit that settles it, or a voucher, in the commit that earns it.
 * @returns the transfer that carries the payment.
 */
export function applyPurchase(rows: BookRows, { grant, target }: Purchase, { funding, at }: PaidPurchase): number {
  const key = "key" in target ? rows.grants.make(target.key, grant.plan, at) : rows.grants.key(target.public_id);
  if (key === null) throw KEY_REFUSALS.no_key();
  return give(rows, key, { grant, funding, at });
}

/** What has to be locked for a purchase that the rows do not name. */
export function wantPurchase({ keys_given: keys }: WantedRows, { target }: Purchase): void {
  keys.new_lots += LOTS_MAX;
  if ("key" in target) keys.new_keys += 1;
  else keys.names.add(target.public_id);
}

/** Its answer is the key's public id. */
export const issueOn = (key: NewKey, grant: Grant, funding: Funding): DecidedCommand => ({
  want({ keys_given: keys }) {
    keys.new_keys += 1;
    keys.new_lots += LOTS_MAX;
  },
  decide(rows): string {
    const at = rows.tick();
    give(rows, rows.grants.make(key, grant.plan, at), { grant, funding, at });
    return key.public_id;
  },
});

/** Its answer is the key's public id. */
export const grantOn = (public_id: string, grant: Grant, funding: Funding): DecidedCommand => ({
  want({ keys_given: keys }) {
    keys.names.add(public_id);
    keys.new_lots += LOTS_MAX;
  },
  decide(rows): string {
    const key = rows.grants.key(public_id);
    if (key === null) throw KEY_REFUSALS.no_key();
    const gift = { grant, funding, at: rows.tick() };
    const { command, state } = factsOf(rows, key, gift);
    const decided = decideGrant(command, state);
    if (decided.result !== "granted") throw KEY_REFUSALS[decided.result]();
    writeGrant(rows, key, { ...gift, decided });
    return public_id;
  },
});

/** Its answer is what was booked, atomic USDC. */
export const expireOn = (public_id: string): DecidedCommand => ({
  want({ keys_given: keys }) {
    keys.names.add(public_id);
    keys.new_lots += 1;
  },
  decide(rows): string {
    const key = rows.grants.key(public_id);
    if (key === null) throw KEY_REFUSALS.no_key();
    const { has_ended_lots } = key;
    const lots = rows.grants.lotsOf(key, rows.available(key.account));
    const decided = decideExpiry(rows.now_ms, { key, has_ended_lots, ...lots });
    if (decided.result === "not_ended") throw KEY_REFUSALS.not_ended();
    const at = rows.tick();
    const [expiry] = post(rows, decided.transfers);
    rows.grants.writeLots(public_id, decided.lots, { at, expiry: expiry?.id ?? null });
    return String(decided.transfers.reduce((sum, { amount }) => sum + amount, 0n));
  },
});
