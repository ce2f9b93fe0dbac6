import type { Grant } from "../../src/ledger/keys.ts";

/** Numbers from a seed (mulberry32): the same ones every time. */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n: number): number => Math.floor(next() * n);
  return { next, below, pick: <T>(list: readonly T[]): T => list[below(list.length)] as T };
}
export type Random = ReturnType<typeof createRandom>;

export interface ModelHold {
  readonly id: number;
  readonly amount: bigint;
  readonly key: ModelKey;
  readonly day: number;
}

export interface ModelLot {
  left: bigint;
  until_ms: number | null;
}

/** What a key should be, kept in plain variables. */
export interface ModelKey {
  readonly public_id: string;
  readonly parent: ModelKey | null;
  readonly daily_cap: bigint | null;
  has_balance: boolean;
  balance: bigint;
  pending: bigint;
  pass_until_ms: number | null;
  balance_until_ms: number | null;
  /** In the order they are spent in; `left` as of the last count. */
  lots: ModelLot[];
  has_ended: boolean;
  revoked: boolean;
  calls: number;
  spent: bigint;
  day: number;
  spent_today: bigint;
  granted: bigint;
}

const DAY_MS = 86_400_000;

/** The rules of the books in their plainest form: what the ledger has to agree with. */
export function createModel() {
  const keys: ModelKey[] = [];
  const holds: ModelHold[] = [];
  const debits: { readonly call_id: number; readonly root: ModelKey; readonly amount: bigint; refunded: boolean }[] =
    [];
  const rootOf = (key: ModelKey): ModelKey => key.parent ?? key;
  const today = (key: ModelKey, now_ms: number): bigint =>
    key.day === Math.floor(now_ms / DAY_MS) ? key.spent_today : 0n;

  const add = (public_id: string, parent: ModelKey | null = null, daily_cap: bigint | null = null): ModelKey => {
    const key: ModelKey = {
      public_id,
      parent,
      daily_cap,
      has_balance: false,
      balance: 0n,
      pending: 0n,
      pass_until_ms: null,
      balance_until_ms: null,
      lots: [],
      has_ended: false,
      revoked: false,
      calls: 0,
      spent: 0n,
      day: 0,
      spent_today: 0n,
      granted: 0n,
    };
    keys.push(key);
    return key;
  };

  /** Spends what was drawn since the last count from the first lots, then ends those whose time is over. */
  const endLots = (key: ModelKey, until_ms: number | null): bigint => {
    const available = key.balance - key.pending;
    if (key.lots.length === 0 && available > 0n) key.lots.push({ left: 0n, until_ms: key.balance_until_ms });
    let drawn = key.lots.reduce((sum, { left }) => sum + left, 0n) - available;
    for (const lot of key.lots) {
      let taken = drawn > 0n ? drawn : 0n;
      if (taken > lot.left) taken = lot.left;
      lot.left -= taken;
      drawn -= taken;
    }
    const last = key.lots.at(-1);
    if (last) last.left -= drawn;
    const over = (lot: ModelLot) => until_ms === null || (lot.until_ms !== null && lot.until_ms <= until_ms);
    const ended = key.lots.filter(over).reduce((sum, { left }) => sum + left, 0n);
    key.has_ended ||= key.lots.some(over);
    key.lots = key.lots.filter((lot) => !over(lot));
    if (key.lots.length > 0) key.balance_until_ms = key.lots.at(-1)?.until_ms ?? null;
    key.balance -= ended;
    return ended;
  };

  return {
    keys,
    holds,
    endLots,
    debits,
    rootOf,
    add,
    grant(key: ModelKey, { credit, duration_ms, pass }: Grant, now_ms: number) {
      const end = (from_ms: number) => (duration_ms === null ? null : from_ms + duration_ms);
      if (credit > 0n) {
        if (key.has_balance) endLots(key, now_ms);
        const ends = (lot: ModelLot) => lot.until_ms ?? Number.POSITIVE_INFINITY;
        key.lots = [...key.lots, { left: credit, until_ms: end(now_ms) }].sort((a, b) =>
          ends(a) === ends(b) ? 0 : ends(a) - ends(b),
        );
        key.balance_until_ms = key.lots.at(-1)?.until_ms ?? null;
        key.has_balance = true;
        key.balance += credit;
        key.granted += credit;
      }
      if (pass) key.pass_until_ms = end(Math.max(now_ms, key.pass_until_ms ?? 0));
    },
    /** What the ledger should say to a call of this price. */
    canPay(key: ModelKey, amount: bigint, now_ms: number): "ok" | "insufficient_credits" | "daily_cap" {
      const root = rootOf(key);
      if (root.balance - root.pending < amount) return "insufficient_credits";
      const cap = key.daily_cap;
      return cap !== null && today(key, now_ms) + amount > cap ? "daily_cap" : "ok";
    },
    count(key: ModelKey, amount: bigint, now_ms: number) {
      key.spent_today = today(key, now_ms) + amount;
      key.day = Math.floor(now_ms / DAY_MS);
    },
    debit(key: ModelKey, amount: bigint, call_id: number) {
      rootOf(key).balance -= amount;
      key.calls += 1;
      key.spent += amount;
      debits.push({ call_id, root: rootOf(key), amount, refunded: false });
    },
    giveBack(hold: ModelHold) {
      rootOf(hold.key).pending -= hold.amount;
      if (hold.key.day === hold.day) {
        const rest = hold.key.spent_today - hold.amount;
        hold.key.spent_today = rest < 0n ? 0n : rest;
      }
    },
  };
}
export type Model = ReturnType<typeof createModel>;
