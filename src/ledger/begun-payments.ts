import { systemTimers } from "../core/clock.ts";
import type { NewPayment, PaymentRow } from "./payment-row.ts";

/** A payment that was taken in for the first time and is not in the file yet. */
export interface BegunPayment {
  readonly id: string;
  readonly payment: NewPayment;
  /** When it was taken in, microseconds. */
  readonly at: number;
}

/**
 * Payments between being taken in and having an answer. Nothing is charged before, so nothing is lost with them: most
 * are written once, with their answer, and only what takes longer gets a row before.
 */
export interface BegunPayments {
  add(begun: BegunPayment): void;
  find(replay_key: string): PaymentRow | null;
  /** The caller that takes one writes it. @returns null when it was taken before, or never was here. */
  take(id: string): BegunPayment | null;
  takeAll(): readonly BegunPayment[];
}

/** Until then a payment may do without a row. */
const UNWRITTEN_MS = 50;

/** @param write writes the payments that take longer; called between commits. */
export function createBegunPayments(write: (begun: readonly BegunPayment[]) => void): BegunPayments {
  /** In the order they came. */
  let by_id = new Map<string, { readonly begun: BegunPayment; readonly since_ms: number }>();
  const ids = new Map<string, string>();
  let is_waiting = false;

  const take = (id: string): BegunPayment | null => {
    const found = by_id.get(id);
    if (found === undefined) return null;
    by_id.delete(id);
    ids.delete(found.begun.payment.replay_key);
    return found.begun;
  };
  const takeAll = (): readonly BegunPayment[] => {
    const all = [...by_id.values()].map(({ begun }) => begun);
    by_id = new Map();
    ids.clear();
    return all;
  };
  const wait = (): void => {
    if (is_waiting || by_id.size === 0) return;
    is_waiting = true;
    systemTimers.after(UNWRITTEN_MS, () => {
      is_waiting = false;
      const late_ms = systemTimers.elapsed_ms() - UNWRITTEN_MS;
      const late: BegunPayment[] = [];
      for (const { begun, since_ms } of by_id.values()) {
        if (since_ms > late_ms) break;
        late.push(begun);
      }
      for (const { id } of late) take(id);
      if (late.length > 0) write(late);
      wait();
    });
  };

  return {
    add(begun) {
      by_id.set(begun.id, { begun, since_ms: systemTimers.elapsed_ms() });
      ids.set(begun.payment.replay_key, begun.id);
      wait();
    },
    find(replay_key) {
      const found = by_id.get(ids.get(replay_key) ?? "");
      return found === undefined ? null : rowOf(found.begun);
    },
    take,
    takeAll,
  };
}

const rowOf = ({ id, payment, at }: BegunPayment): PaymentRow => ({
  ...payment,
  id,
  state: "received",
  authorized: null,
  facilitator: null,
  reason: null,
  answer: null,
  chain_transaction: null,
  hint_transaction: null,
  delivered: true,
  receipt_id: null,
  identifier: null,
  proof: null,
  door: null,
  purchase: null,
  created_at_ms: Math.floor(at / 1000),
  updated_at_ms: Math.floor(at / 1000),
});
