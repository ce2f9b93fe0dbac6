import type { Database } from "bun:sqlite";
import { type IncomePeriod, type IncomeRow, listIncome } from "./list-income.ts";
import type { Promised } from "./promised.ts";
import type { Writer } from "./writer.ts";

/** What the chain says of a settlement that a facilitator reported. */
export type LandingState = "pending" | "confirmed" | "missing";

/** A reported settlement that is to be looked up, with what the chain is asked by. */
export interface Landing {
  readonly receipt_id: string;
  readonly payment_id: string;
  readonly network: string;
  readonly facilitator: string;
  readonly state: LandingState;
  readonly looks: number;
  readonly chain_transaction: string;
  readonly amount: bigint;
  readonly pay_to: string;
  /** The signed payload as canonical JSON. */
  readonly payload: string;
  readonly created_at_ms: number;
  /** When it was reported. */
  readonly settled_at_ms: number;
  readonly doubted: boolean;
}

/** What a look found. */
export interface LandingLook {
  readonly state: LandingState;
  readonly checked_at_ms: number;
  /** When to look again; null is never. */
  readonly due_at_ms: number | null;
  /** The chain does not know it although it should by now. Stays so until it is confirmed. */
  readonly doubted?: boolean;
}

/** One facilitator on one network. */
export interface LandingCounts {
  readonly network: string;
  readonly facilitator: string;
  readonly pending: number;
  readonly confirmed: number;
  /** Booked, and not on the chain. */
  readonly missing: number;
  /** Reported as settled, and found never to have been before it was booked. */
  readonly disbelieved: number;
}

/** Reports of one facilitator on one network that the chain does not bear out. */
export interface LandingDoubts {
  readonly network: string;
  readonly facilitator: string;
  readonly count: number;
}

export interface MissingLanding {
  readonly receipt_id: string;
  readonly payment_id: string;
  readonly network: string;
  readonly facilitator: string;
  readonly chain_transaction: string;
  readonly amount: bigint;
  readonly checked_at_ms: number | null;
}

/** Whether settlements that were reported did land. Every receipt has one of these from its first moment on. */
export interface LandingQueries {
  /** Those whose time has come, oldest first. */
  listDue(network: string, now_ms: number, limit: number): readonly Landing[];
  /** Of all time, or of settlements since the start of the hour of a time (ms). */
  counts(since_ms?: number): readonly LandingCounts[];
  /** Open doubts about settlements since the start of the hour of a time (ms). */
  doubts(since_ms: number): readonly LandingDoubts[];
  /** Newest first. */
  listMissing(limit: number): readonly MissingLanding[];
  /** Payments whose settlement is not known. */
  countUnknown(): number;
  /** What came in through networks in a period of ledger time. */
  listIncome(period: IncomePeriod): readonly IncomeRow[];
}

/** What was found out about them. Each promise resolves when the change is on disk. */
export interface LandingCommands {
  /** Writes down a look. What was confirmed once stays confirmed, whatever an endpoint says later. */
  note(receipt_id: string, look: LandingLook): Promise<void>;
  /** Only puts the next look off: nothing was seen. */
  postpone(receipt_id: string, due_at_ms: number): Promise<void>;
  /** The chain itself showed that this payment was taken. */
  confirmPayment(payment_id: string, checked_at_ms: number): Promise<void>;
  /** Counts a report of a settlement that the chain contradicts and that was never booked. */
  countDisbelieved(report: { network: string; facilitator: string; at_ms: number }): Promise<void>;
}

export type Landings = LandingCommands & Promised<LandingQueries>;

interface DueRow extends Omit<Landing, "looks" | "created_at_ms" | "settled_at_ms" | "doubted"> {
  looks: bigint;
  doubted: bigint;
  created_at: bigint;
  settled_at: bigint;
}
interface CountRow {
  network: string;
  facilitator: string;
  pending: bigint;
  confirmed: bigint;
  missing: bigint;
  disbelieved: bigint;
}
interface MissingRow extends Omit<MissingLanding, "checked_at_ms"> {
  checked_at: bigint | null;
}

/** What either engine gives. */
export interface LandingRows {
  readonly due: DueRow;
  readonly counts: CountRow;
  readonly missing: MissingRow;
}

const HOUR_MS = 3_600_000;
export const ALL_TIME = -1;
export const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS);

export const fromCounts = (row: CountRow): LandingCounts => ({
  network: row.network,
  facilitator: row.facilitator,
  pending: Number(row.pending),
  confirmed: Number(row.confirmed),
  missing: Number(row.missing),
  disbelieved: Number(row.disbelieved),
});

export const fromDueRow = ({ looks, created_at, settled_at, doubted, ...rest }: DueRow): Landing => ({
  ...rest,
  looks: Number(looks),
  created_at_ms: Math.floor(Number(created_at) / 1000),
  doubted: doubted === 1n,
  settled_at_ms: Math.floor(Number(settled_at) / 1000),
});

export function createLandingQueries(db: Database): LandingQueries {
  const sql = prepareQueries(db);
  return {
    listDue: (network, now_ms, limit) => sql.due.all(network, now_ms, limit).map(fromDueRow),
    counts: (since_ms) =>
      (since_ms === undefined ? sql.counts_all.all(ALL_TIME) : sql.counts_since.all(hourOf(since_ms))).map(fromCounts),
    doubts: (since_ms) => sql.doubts.all(hourOf(since_ms)).map((row) => ({ ...row, count: Number(row.count) })),
    listMissing: (limit) =>
      sql.missing.all(limit).map(({ checked_at, ...rest }) => ({
        ...rest,
        checked_at_ms: checked_at === null ? null : Number(checked_at),
      })),
    countUnknown: () => Number(sql.unknown.get()?.n ?? 0n),
    listIncome: (period) => listIncome(db, period),
  };
}

export function createLandingCommands({
  db,
  writer,
}: {
  readonly db: Database;
  readonly writer: Writer;
}): LandingCommands {
  const sql = prepareCommands(db);
  return {
    note: (receipt_id, { state, checked_at_ms, due_at_ms, doubted = false }) => {
      const values = { $id: receipt_id, $state: state, $at: checked_at_ms, $due: due_at_ms };
      return writer.write(() => void sql.note.run({ ...values, $doubted: doubted ? 1 : 0 }));
    },
    postpone: (receipt_id, due_at_ms) =>
      writer.write(() => void sql.postpone.run({ $id: receipt_id, $due: due_at_ms })),
    confirmPayment: (payment_id, at_ms) =>
      writer.write(() => void sql.confirm_payment.run({ $payment: payment_id, $at: at_ms })),
    countDisbelieved: ({ network, facilitator, at_ms }) =>
      writer.write(() => {
        for (const hour of [hourOf(at_ms), ALL_TIME]) {
          sql.disbelieve.run({ $hour: hour, $network: network, $facilitator: facilitator });
        }
      }),
  };
}

function prepareQueries(db: Database) {
  const states = ["pending", "confirmed", "missing", "disbelieved"] as const;
  const sums = states.map((state) => `sum(iif(state = '${state}', count, 0)) AS ${state}`).join(", ");
  const counts = (condition: string) =>
    db.query<CountRow, [number]>(
      `SELECT network, facilitator, ${sums} FROM landing_counts WHERE ${condition}
       GROUP BY network, facilitator ORDER BY network, facilitator`,
    );
  return {
    due: db.query<DueRow, [string, number, number]>(
      `SELECT l.receipt_id, r.payment_id, l.network, l.facilitator, l.state, l.looks, l.doubted, r.chain_transaction,
         r.amount, r.pay_to, p.payload, p.created_at, p.updated_at AS settled_at
       FROM landings l JOIN receipts r ON r.id = l.receipt_id JOIN payments p ON p.id = r.payment_id
       WHERE l.network = ? AND l.due_at <= ? ORDER BY l.due_at LIMIT ?`,
    ),
    counts_all: counts("hour = ?"),
    counts_since: counts("hour >= ?"),
    doubts: db.query<Omit<LandingDoubts, "count"> & { count: bigint }, [number]>(
      `SELECT network, facilitator, count(*) AS count FROM landings WHERE doubted = 1 AND hour >= ?
       GROUP BY network, facilitator`,
    ),
    missing: db.query<MissingRow, [number]>(
      `SELECT l.receipt_id, r.payment_id, l.network, l.facilitator, r.chain_transaction, r.amount, l.checked_at
       FROM landings l JOIN receipts r ON r.id = l.receipt_id
       WHERE l.state = 'missing' ORDER BY l.checked_at DESC LIMIT ?`,
    ),
    unknown: db.query<{ n: bigint }, []>("SELECT count(*) AS n FROM payments WHERE state = 'unknown'"),
  };
}

function prepareCommands(db: Database) {
  return {
    note: db.query(
      `UPDATE landings SET state = $state, looks = looks + 1, checked_at = $at, due_at = $due,
         doubted = iif($state = 'confirmed', 0, max(doubted, $doubted))
       WHERE receipt_id = $id AND state <> 'confirmed'`,
    ),
    postpone: db.query("UPDATE landings SET due_at = $due WHERE receipt_id = $id AND state <> 'confirmed'"),
    confirm_payment: db.query(
      `UPDATE landings SET state = 'confirmed', looks = looks + 1, checked_at = $at, due_at = NULL, doubted = 0
       WHERE receipt_id = (SELECT id FROM receipts WHERE payment_id = $payment) AND state <> 'confirmed'`,
    ),
    disbelieve: db.query(
      `INSERT INTO landing_counts (hour, network, facilitator, state, count)
       VALUES ($hour, $network, $facilitator, 'disbelieved', 1)
       ON CONFLICT (hour, network, facilitator, state) DO UPDATE SET count = count + 1`,
    ),
  };
}
