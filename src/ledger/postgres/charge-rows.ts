import { assertInvariant } from "../../core/errors.ts";
import type { CallName } from "../charge.ts";
import type { NewCorrection } from "../corrections.ts";
import type { DecidedTransfer } from "../decide/results.ts";
import type { SaleRefund } from "../decide/sale-refunds.ts";
import type { DaySpend, Hold } from "../decide/spending.ts";
import { createWantedChannels, renderWantedChannels, type WantedChannels } from "./channel-rows.ts";
import { createWantedCoupons, renderWantedCoupons, type WantedCoupons } from "./coupon-rows.ts";
import { createWantedKeys, renderWantedKeys, type WantedKeys } from "./grant-rows.ts";
import { dropEmpty, renderArguments } from "./json.ts";
import { parseList, quote, renderColumn, renderList } from "./lists.ts";
import { createWantedPayments, renderWantedPayments, type WantedPayments } from "./payment-rows.ts";

/** Moments of one lane are so far apart, microseconds. */
const TICK_US = 16;

/** The bytes of an answer; those the database has are named. */
export type AnswerBytes = { readonly id: number } | { readonly body: string; readonly sha256: string };

/** The rows that the commands of a batch depend on. */
export interface WantedRows {
  readonly accounts: Set<string>;
  readonly keys: Set<number>;
  readonly holds: Set<number>;
  /** Calls that are to be given back. */
  readonly debits: Set<number>;
  /** Names of calls, by key. */
  readonly names: Map<number, Set<string>>;
  /** Kept answers that are used again. */
  readonly kept: Set<number>;
  /** SHA-256 of answers that may be kept already. */
  readonly hashes: Set<string>;
  /** Whether every hold is wanted that this node, or a node that is gone, left open. */
  left_holds: boolean;
  /** Sales of which something is to be given back, each with the name of its refund. */
  readonly refunds: SaleRefund[];
  /** Sales that are to be corrected, each with the name of its correction. */
  readonly corrections: NewCorrection[];
  readonly payments: WantedPayments;
  readonly coupons: WantedCoupons;
  readonly keys_given: WantedKeys;
  readonly channels: WantedChannels;
}

export const createWantedRows = (): WantedRows => ({
  accounts: new Set(),
  keys: new Set(),
  holds: new Set(),
  debits: new Set(),
  names: new Map(),
  kept: new Set(),
  hashes: new Set(),
  left_holds: false,
  refunds: [],
  corrections: [],
  payments: createWantedPayments(),
  coupons: createWantedCoupons(),
  keys_given: createWantedKeys(),
  channels: createWantedChannels(),
});

/** As `lock_batch` takes it. Balances are locked in the order of their names. */
export const renderWanted = (wanted: WantedRows): string => {
  const { accounts, keys, holds, debits, names, kept, hashes, left_holds } = wanted;
  const others = renderWantedOthers(wanted);
  return renderArguments({
    accounts: renderList([...accounts].sort().map(quote)),
    keys: renderList(keys),
    holds: renderList(holds),
    debits: renderList(debits),
    kept: renderList(kept),
    names: [...names].flatMap(([key, own]) => [...own].map((name) => [key, name])),
    hashes: [...hashes],
    left_holds,
    ...(others === null ? {} : { others }),
  });
};

const namedSales = (named: readonly { readonly receipt_id: string; readonly reference: string }[]): object | null =>
  named.length === 0 ? null : named.map(({ receipt_id, reference }) => [receipt_id, reference]);

/** The rows for commands other than charges; null when no such row is wanted. */
function renderWantedOthers(wanted: WantedRows): object | null {
  const { refunds, corrections, payments, coupons, keys_given, channels } = wanted;
  const parts = {
    refunds: namedSales(refunds),
    corrections: namedSales(corrections),
    payments: renderWantedPayments(payments),
    coupons: renderWantedCoupons(coupons),
    keys: renderWantedKeys(keys_given),
    channels: renderWantedChannels(channels),
  };
  return dropEmpty(parts);
}

/** What `lock_charges` answers. */
interface StoredRows {
  /** The first moment that is free. */
  readonly at: number;
  readonly accounts: readonly string[];
  readonly available: string;
  readonly keys: string;
  readonly days: string;
  readonly todays: string;
  readonly kept: string;
  readonly bodies?: Readonly<Record<string, number>>;
  readonly names?: readonly (readonly [key: number, name: string])[];
  readonly holds?: readonly StoredHold[];
  readonly debits?: readonly { id: number; account: string; amount: string; is_refunded: boolean }[];
}

interface StoredHold {
  readonly id: number;
  readonly key_id: number;
  readonly account: string;
  readonly amount: string;
  readonly day: number;
  readonly is_open: boolean;
}

type LockedHold = Hold & { readonly id: number; readonly key_id: number };
interface LockedDebit {
  readonly account: string;
  readonly amount: bigint;
  readonly is_refunded: boolean;
}

/** A call that was charged. */
interface NewCall {
  readonly at: number;
  readonly key_id: number;
  readonly product: string;
  readonly amount: bigint;
  readonly answer_id: number;
  readonly door: string | null;
}

interface NewHold {
  readonly id: number;
  readonly key_id: number;
  readonly account: string;
  readonly product: string;
  readonly amount: bigint;
  readonly day: number;
}

/**
 * The rows that charges of a batch depend on, locked in the database, as the commands decided so far leave them; and
 * their changes, added up.
 */
export interface ChargeRows {
  /** The next moment: of a transfer, a call, a hold. Ledger time, microseconds. */
  tick(): number;
  /** What can be spent of a balance; 0 of one that was never opened. */
  available(account: string | null): bigint;
  /** @throws InvariantError when the key has no count. */
  day(key_id: number): DaySpend;
  isNamed(key_id: number, name: string): boolean;
  hold(id: number): LockedHold | null;
  /** The holds that were left open. */
  leftHolds(): readonly LockedHold[];
  debit(call_id: number): LockedDebit | null;
  setDay(key_id: number, day: DaySpend): void;
  /** Makes some of a balance pending, or less of it. */
  setAside(account: string, amount: bigint): void;
  post(transfers: readonly DecidedTransfer[], at: number): void;
  /** @returns where the bytes are kept; null when the named bytes are not kept any more. */
  keepAnswer(bytes: AnswerBytes, at: number): number | null;
  recordCall(call: NewCall): void;
  keepName(key_id: number, name: CallName, call_id: number): void;
  addHold(hold: NewHold): void;
  endHold(id: number, state: "posted" | "voided" | "expired", charged: bigint | null): void;
  /**
   * As `write_batch` takes them.
   * @param others what commands that are no charges change; null for nothing.
   */
  renderChanges(others: object | null): string;
}

interface Balance {
  readonly account: string;
  available: bigint;
  posted: bigint;
  pending: bigint;
  is_changed: boolean;
}

interface Usage {
  readonly key_id: number;
  day: number;
  spent_today: bigint;
  calls: number;
  spent: bigint;
  /** Its last call of this batch: its moment, and its place among all of the batch. */
  last: number;
  last_place: number;
  /** Its own place among the keys that change; 0 while it does not. */
  place: number;
}

interface WrittenCall extends NewCall {
  readonly key_place: number;
  readonly before_place: number;
}

const nameOf = (key_id: number, name: string): string => `${key_id} ${name}`;

/** @param read what `lock_charges` answered. */
export function createChargeRows(read: unknown): ChargeRows {
  const stored = read as StoredRows;
  const balances = readBalances(stored);
  const usages = readUsages(stored);
  const names = new Set((stored.names ?? []).map(([key_id, name]) => nameOf(key_id, name)));
  const holds = new Map((stored.holds ?? []).map((hold) => [hold.id, { ...hold, amount: BigInt(hold.amount) }]));
  const debits = new Map((stored.debits ?? []).map((debit) => [debit.id, { ...debit, amount: BigInt(debit.amount) }]));
  const kept = new Set(parseList(stored.kept).map(Number));
  const bodies = new Map(Object.entries(stored.bodies ?? {}));
  const changes: Changes = {
    first: stored.at,
    next: stored.at,
    balances: [],
    usages: [],
    calls: [],
    transfers: [],
    answers: [],
    names: [],
    holds: [],
    ended_holds: [],
  };

  const balanceOf = (account: string): Balance => {
    let balance = balances.get(account);
    if (balance === undefined) {
      balance = { account, available: 0n, posted: 0n, pending: 0n, is_changed: false };
      balances.set(account, balance);
    }
    if (!balance.is_changed) {
      balance.is_changed = true;
      changes.balances.push(balance);
    }
    return balance;
  };
  const move = (account: string, amount: bigint): void => {
    const balance = balanceOf(account);
    balance.posted += amount;
    balance.available += amount;
  };
  const usageOf = (key_id: number): Usage => {
    const usage = usages.get(key_id);
    assertInvariant(usage !== undefined, `key ${key_id} has a count of its usage`);
    return usage;
  };
  const change = (key_id: number): Usage => {
    const usage = usageOf(key_id);
    if (usage.place === 0) usage.place = changes.usages.push(usage);
    return usage;
  };

  return {
    tick() {
      const at = changes.next;
      changes.next += TICK_US;
      return at;
    },
    available: (account) => (account === null ? 0n : (balances.get(account)?.available ?? 0n)),
    day: usageOf,
    isNamed: (key_id, name) => names.has(nameOf(key_id, name)),
    hold: (id) => holds.get(id) ?? null,
    leftHolds: () => [...holds.values()].filter(({ is_open }) => is_open),
    debit: (call_id) => debits.get(call_id) ?? null,
    setDay(key_id, { day, spent_today }) {
      const usage = change(key_id);
      usage.day = day;
      usage.spent_today = spent_today;
    },
    setAside(account, amount) {
      const balance = balanceOf(account);
      balance.pending += amount;
      balance.available -= amount;
    },
    post(transfers, at) {
      for (const { kind, reference, from, to, amount } of transfers) {
        assertInvariant(amount > 0n, "I1: a transfer moves a positive amount");
        move(from.id, -amount);
        move(to.id, amount);
        changes.transfers.push({ kind, reference, source: from.id, target: to.id, amount, at });
        if (kind === "refund") markRefunded(debits, reference);
      }
    },
    keepAnswer(bytes, at) {
      if ("id" in bytes) return kept.has(bytes.id) ? bytes.id : null;
      const found = bodies.get(bytes.sha256);
      if (found !== undefined) return found;
      bodies.set(bytes.sha256, at);
      changes.answers.push({ id: at, body: bytes.body, sha256: bytes.sha256 });
      return at;
    },
    recordCall({ key_id, ...call }) {
      const usage = change(key_id);
      const [key_place, before_place] = [usage.place, usage.last_place];
      usage.last_place = changes.calls.push({ ...call, key_id, key_place, before_place });
      usage.last = call.at;
      usage.calls += 1;
      usage.spent += call.amount;
    },
    keepName(key_id, { name, fingerprint }, call_id) {
      names.add(nameOf(key_id, name));
      changes.names.push({ key_id, name, fingerprint, call_id });
    },
    addHold: (hold) => void changes.holds.push(hold),
    endHold(id, state, charged) {
      const hold = holds.get(id);
      if (hold !== undefined) holds.set(id, { ...hold, is_open: false });
      changes.ended_holds.push({ id, state, charged });
    },
    renderChanges: (others) => renderChanges(changes, others),
  };
}

function readBalances({ accounts, available }: StoredRows): Map<string, Balance> {
  const rest = parseList(available);
  const read = (account: string, n: number): readonly [string, Balance] => [
    account,
    { account, available: BigInt(rest[n] ?? 0), posted: 0n, pending: 0n, is_changed: false },
  ];
  return new Map(accounts.map(read));
}

function readUsages(stored: StoredRows): Map<number, Usage> {
  const days = parseList(stored.days);
  const todays = parseList(stored.todays);
  const usages = new Map<number, Usage>();
  parseList(stored.keys).forEach((key, n) => {
    const [day, spent_today] = [Number(days[n]), BigInt(todays[n] ?? 0)];
    usages.set(Number(key), {
      key_id: Number(key),
      day,
      spent_today,
      calls: 0,
      spent: 0n,
      last: 0,
      last_place: 0,
      place: 0,
    });
  });
  return usages;
}

function markRefunded(debits: Map<number, LockedDebit & { readonly id: number }>, reference: string): void {
  const debit = debits.get(Number(reference.slice("call:".length)));
  if (debit !== undefined) debits.set(debit.id, { ...debit, is_refunded: true });
}

interface WrittenTransfer {
  readonly kind: string;
  readonly reference: string;
  readonly source: string;
  readonly target: string;
  readonly amount: bigint;
  readonly at: number;
}

interface Changes {
  readonly first: number;
  /** The first moment that is left free. */
  next: number;
  readonly balances: Balance[];
  readonly usages: Usage[];
  readonly calls: WrittenCall[];
  readonly transfers: WrittenTransfer[];
  readonly answers: object[];
  readonly names: object[];
  readonly holds: NewHold[];
  readonly ended_holds: object[];
}

const renderChanges = ({ balances, usages, calls, transfers, ...rest }: Changes, others: object | null): string =>
  renderArguments({
    ...rest,
    ...(others === null ? {} : { others }),
    balances: {
      accounts: renderColumn(balances, ({ account }) => account),
      posted: renderColumn(balances, ({ posted }) => posted),
      pending: renderColumn(balances, ({ pending }) => pending),
    },
    keys: {
      ids: renderColumn(usages, ({ key_id }) => key_id),
      days: renderColumn(usages, ({ day }) => day),
      todays: renderColumn(usages, ({ spent_today }) => spent_today),
      calls: renderColumn(usages, (usage) => usage.calls),
      spent: renderColumn(usages, ({ spent }) => spent),
      lasts: renderColumn(usages, ({ last }) => last),
    },
    calls: {
      ids: renderColumn(calls, ({ at }) => at),
      places: renderColumn(calls, ({ key_place }) => key_place),
      befores: renderColumn(calls, ({ before_place }) => before_place),
      products: renderColumn(calls, ({ product }) => product),
      amounts: renderColumn(calls, ({ amount }) => amount),
      answers: renderColumn(calls, ({ answer_id }) => answer_id),
      // Nobody says: an empty one, because a shorter list has one value for all.
      doors: renderColumn(calls, ({ door }) => door ?? ""),
    },
    transfers: {
      ids: renderColumn(transfers, ({ at }) => at),
      kinds: renderColumn(transfers, ({ kind }) => kind),
      references: renderColumn(transfers, ({ reference }) => reference),
      sources: renderColumn(transfers, ({ source }) => source),
      targets: renderColumn(transfers, ({ target }) => target),
      amounts: renderColumn(transfers, ({ amount }) => amount),
    },
  });
