import { assertInvariant } from "../../core/errors.ts";
import type { GrantedTo } from "../decide/grants.ts";
import type { CountedLot, LotsState } from "../decide/lots.ts";
import type { NewKey } from "../keys.ts";
import { readLots } from "../lots.ts";

/** The rows that commands which give something to keys depend on. */
export interface WantedKeys {
  readonly names: Set<string>;
  /** How many keys and lots may be made. */
  new_keys: number;
  new_lots: number;
}

export const createWantedKeys = (): WantedKeys => ({ names: new Set(), new_keys: 0, new_lots: 0 });

/** As `lock_keys` takes them; null when no row is wanted. */
export const renderWantedKeys = ({ names, new_keys, new_lots }: WantedKeys): object | null =>
  names.size + new_keys + new_lots === 0 ? null : { names: [...names], new_keys, new_lots };

/** What `lock_keys` answers. */
export interface StoredKeys {
  readonly rows: readonly StoredKey[] | null;
  /** Numbers for those that are made. */
  readonly key_ids: readonly number[];
  readonly lot_ids: readonly number[];
}

interface StoredKey extends GrantedTo {
  readonly id: number;
  readonly plan: string;
  readonly has_ended_lots: boolean;
  readonly lots: readonly { id: number; at: number; until_ms: number | null; credit: string; spent: string }[];
}

interface LockedLot {
  readonly id: number;
  readonly at: number;
  readonly until_ms: number | null;
  readonly credit: bigint;
  readonly spent: bigint;
}

export interface LockedKey extends GrantedTo {
  readonly id: number;
  readonly plan: string;
  readonly has_ended_lots: boolean;
  /** The open ones, in the order they are spent in. */
  readonly open_lots: readonly LockedLot[];
}

interface NewGrant {
  readonly key_id: number;
  readonly plan: string;
  readonly payment_id: string | null;
  readonly paid: bigint;
  readonly credit: bigint;
  readonly duration_ms: number | null;
  readonly at: number;
}

/** The members of a key, besides its lots, that a grant changed. */
type KeyChange = Partial<
  Pick<LockedKey, "plan" | "account" | "badge" | "priority" | "priority_until_ms" | "pass_until_ms">
>;

/** The keys of a batch that something is given to, as the commands decided so far leave them. */
export interface GrantRows {
  key(public_id: string): LockedKey | null;
  /** @param available what can be spent of its balance now. */
  lotsOf(key: LockedKey, available: bigint): LotsState;
  make(key: NewKey, plan: string, at: number): LockedKey;
  change(public_id: string, changed: KeyChange): void;
  /** @param written when, and the transfer that booked what was left of those that have ended. */
  writeLots(
    public_id: string,
    lots: readonly CountedLot[],
    written: { readonly at: number; readonly expiry: number | null },
  ): void;
  addLot(
    public_id: string,
    lot: { readonly credit: bigint; readonly until_ms: number | null; readonly at: number },
  ): void;
  addGrant(grant: NewGrant): void;
  /** As `write_keys` takes them; null when nothing changed. */
  renderChanges(): object | null;
}

/** The earliest end first, lots without an end last. */
const inOrder = (lots: readonly LockedLot[]): readonly LockedLot[] =>
  lots.toSorted((a, b) => {
    const [a_until, b_until] = [a.until_ms ?? Number.POSITIVE_INFINITY, b.until_ms ?? Number.POSITIVE_INFINITY];
    return a_until === b_until ? a.id - b.id : a_until - b_until;
  });

const readKey = ({ lots, ...key }: StoredKey): LockedKey => ({
  ...key,
  open_lots: inOrder(lots.map((lot) => ({ ...lot, credit: BigInt(lot.credit), spent: BigInt(lot.spent) }))),
});

/** When the first of the open lots ends and when the last does; a balance without one keeps the end it had. */
function endsOf(lots: readonly LockedLot[], key: LockedKey): Pick<LockedKey, "lot_until_ms" | "balance_until_ms"> {
  const [first] = lots;
  const last = lots.at(-1);
  if (first === undefined || last === undefined) {
    return { lot_until_ms: null, balance_until_ms: key.balance_until_ms };
  }
  return { lot_until_ms: first.until_ms, balance_until_ms: last.until_ms };
}

/** @param stored undefined when no row was asked for. */
export function createGrantRows(stored: StoredKeys | undefined): GrantRows {
  const keys = new Map((stored?.rows ?? []).map((row) => [row.public_id, readKey(row)]));
  const [key_ids, lot_ids] = [[...(stored?.key_ids ?? [])], [...(stored?.lot_ids ?? [])]];
  const changed = new Set<string>();
  const made: object[] = [];
  const new_lots = new Map<number, object>();
  const counted_lots = new Map<number, object>();
  const ended_lots: object[] = [];
  const grants: NewGrant[] = [];

  const take = (ids: number[]): number => {
    const id = ids.shift();
    assertInvariant(id !== undefined, "a number was drawn for each key and lot that is made");
    return id;
  };
  const need = (public_id: string): LockedKey => {
    const key = keys.get(public_id);
    assertInvariant(key !== undefined, `key ${public_id} is there`);
    return key;
  };
  const put = (key: LockedKey): void => {
    keys.set(key.public_id, key);
    changed.add(key.public_id);
  };
  const putLots = (key: LockedKey, lots: readonly LockedLot[]): void => {
    const open_lots = inOrder(lots);
    put({ ...key, open_lots, ...endsOf(open_lots, key) });
  };
  const insertLot = (key_id: number, lot: LockedLot): LockedLot => {
    new_lots.set(lot.id, { ...lot, key_id });
    return lot;
  };
  const countLot = (lot: LockedLot): LockedLot => {
    // One that came in this batch is written as it is at its end.
    const fresh = new_lots.get(lot.id);
    if (fresh === undefined) counted_lots.set(lot.id, lot);
    else new_lots.set(lot.id, { ...fresh, ...lot });
    return lot;
  };

  return {
    key: (public_id) => keys.get(public_id) ?? null,
    lotsOf({ open_lots }, available) {
      const rows = open_lots.map(({ id, at, until_ms, credit, spent }) => ({
        id: BigInt(id),
        at: BigInt(at),
        until: until_ms === null ? null : BigInt(until_ms),
        credit,
        spent,
        available,
      }));
      return { lots: readLots(rows), available };
    },
    make({ public_id, hash, salt, label, purchaser }, plan, at) {
      const id = take(key_ids);
      made.push({ id, public_id, hash, salt, plan, label, purchaser, at });
      const nothing = { account: null, parent: null, badge: null, revoked_at_ms: null, priority_until_ms: null };
      const ends = { pass_until_ms: null, balance_until_ms: null, lot_until_ms: null };
      const key = { id, public_id, plan, priority: 1, has_ended_lots: false, open_lots: [], ...nothing, ...ends };
      keys.set(public_id, key);
      return key;
    },
    change: (public_id, change) => put({ ...need(public_id), ...change }),
    writeLots(public_id, lots, { at, expiry }) {
      const key = need(public_id);
      const known = new Map(key.open_lots.map((lot) => [lot.id, lot]));
      const open: LockedLot[] = [];
      let has_ended_lots = key.has_ended_lots;
      for (const { id, credit, left, until_ms, has_ended } of lots) {
        const before = id === null ? undefined : known.get(id);
        const now = { id: id ?? take(lot_ids), at: before?.at ?? at, until_ms, credit, spent: credit - left };
        const lot = before === undefined ? insertLot(key.id, now) : countLot(now);
        if (!has_ended) {
          open.push(lot);
          continue;
        }
        has_ended_lots = true;
        ended_lots.push({ id: lot.id, at, transfer_id: left === 0n ? null : expiry });
      }
      putLots({ ...key, has_ended_lots }, open);
    },
    addLot(public_id, { credit, until_ms, at }) {
      const key = need(public_id);
      const lot = insertLot(key.id, { id: take(lot_ids), at, until_ms, credit, spent: 0n });
      putLots(key, [...key.open_lots, lot]);
    },
    addGrant: (grant) => void grants.push(grant),
    renderChanges() {
      if (changed.size + made.length === 0) return null;
      const after = [...changed].map((public_id) => {
        const { open_lots: _lots, ...key } = need(public_id);
        return key;
      });
      return {
        made,
        changed: after,
        new_lots: [...new_lots.values()],
        counted_lots: [...counted_lots.values()],
        ended_lots,
        grants,
      };
    },
  };
}
