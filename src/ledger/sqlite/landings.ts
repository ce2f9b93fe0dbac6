import type { Database } from "bun:sqlite";
import {
  ALL_TIME,
  type CountRow,
  type DueRow,
  fromCounts,
  fromDueRow,
  hourOf,
  type LandingCommands,
  type LandingDoubts,
  type LandingQueries,
  type MissingRow,
} from "../landings.ts";
import type { Writer } from "../writer.ts";
import { listIncome } from "./list-income.ts";

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
