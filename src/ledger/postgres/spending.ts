import type { CallName, Charge } from "../charge.ts";
import type { DecidedTransfer } from "../decide/results.ts";
import {
  type DaySpend,
  dayOf,
  decideDebit,
  decideGiveBack,
  decideHold,
  decidePost,
  decideRefund,
} from "../decide/spending.ts";
import type { AnswerBytes, ChargeRows, WantedRows } from "./charge-rows.ts";
import type { DecidedCommand } from "./decided-command.ts";

/** The answer to a charge. */
export interface Stored {
  readonly ok: boolean;
  /** Why it was refused; `answer_gone`: the named bytes are not kept any more, and nothing was done. */
  readonly why?: "insufficient_credits" | "daily_cap" | "named_before" | "answer_gone";
  /** What can be spent after it. Atomic USDC. */
  readonly available: string;
  readonly call_id?: number;
  /** Where its bytes are kept. */
  readonly answer_id?: number;
  /** Of a hold. */
  readonly id?: number;
}

/** What a call answers with. */
export interface NamedBytes {
  readonly bytes: AnswerBytes;
  readonly name: CallName | null;
}

function wantCharge(wanted: WantedRows, { key, root }: Charge, name: string | null): void {
  if (root.account !== null) wanted.accounts.add(root.account);
  wanted.keys.add(key.id);
  if (name === null) return;
  const names = wanted.names.get(key.id);
  if (names === undefined) wanted.names.set(key.id, new Set([name]));
  else names.add(name);
}

function wantBytes({ kept, hashes }: WantedRows, bytes: AnswerBytes): void {
  if ("id" in bytes) kept.add(bytes.id);
  else hashes.add(bytes.sha256);
}

const stateOf = (rows: ChargeRows, { key, root }: Charge, name: string | null) => {
  const { day, spent_today } = rows.day(key.id);
  const is_named = name !== null && rows.isNamed(key.id, name);
  return { available: rows.available(root.account), is_named, day, spent_today };
};

interface Decided {
  readonly transfers: readonly DecidedTransfer[];
  readonly after: DaySpend & { readonly available: bigint };
}

/** Books a call that was decided on: its transfer, what it counts for, its answer. */
function book(
  rows: ChargeRows,
  call: { readonly charge: Charge; readonly answer: NamedBytes },
  decided: Decided,
): Stored {
  const { key, product, amount, door = null } = call.charge;
  const { bytes, name } = call.answer;
  const at = rows.tick();
  const available = String(decided.after.available);
  const answer_id = rows.keepAnswer(bytes, at);
  if (answer_id === null) return { ok: false, why: "answer_gone", available };
  rows.post(decided.transfers, at);
  rows.recordCall({ at, key_id: key.id, product, amount, answer_id, door });
  if (name !== null) rows.keepName(key.id, name, at);
  return { ok: true, call_id: at, available, answer_id };
}

export const debitOn = (charge: Charge, answer: NamedBytes): DecidedCommand => {
  const name = answer.name?.name ?? null;
  return {
    want(wanted) {
      wantCharge(wanted, charge, name);
      wantBytes(wanted, answer.bytes);
    },
    decide(rows): Stored {
      const decided = decideDebit(charge, stateOf(rows, charge, name));
      if (decided.result !== "charged") {
        return { ok: false, why: decided.result, available: String(decided.after.available) };
      }
      const stored = book(rows, { charge, answer }, decided);
      if (stored.ok) rows.setDay(charge.key.id, decided.after);
      return stored;
    },
  };
};

export const holdOn = (charge: Charge, name: CallName | null): DecidedCommand => ({
  want: (wanted) => wantCharge(wanted, charge, name?.name ?? null),
  decide(rows): Stored {
    const { key, root, product, amount, now_ms } = charge;
    const decided = decideHold(charge, stateOf(rows, charge, name?.name ?? null));
    const available = String(decided.after.available);
    if (decided.result !== "held") return { ok: false, why: decided.result, available };
    const account = root.account ?? "";
    const id = rows.tick();
    rows.setDay(key.id, decided.after);
    rows.setAside(account, decided.set_aside);
    rows.addHold({ id, key_id: key.id, account, product, amount, day: dayOf(now_ms) });
    return { ok: true, id, available };
  },
});

export const postOn = (id: number, charge: Charge, answer: NamedBytes): DecidedCommand => ({
  want(wanted) {
    wantCharge(wanted, charge, null);
    wantBytes(wanted, answer.bytes);
    wanted.holds.add(id);
  },
  decide(rows): Stored {
    const hold = rows.hold(id);
    const counted_for = hold?.key_id ?? charge.key.id;
    const { day, spent_today } = rows.day(counted_for);
    const available = rows.available(hold?.account ?? null);
    const decided = decidePost({ id, charge }, { hold, available, day, spent_today });
    const stored = book(rows, { charge, answer }, decided);
    if (!stored.ok) return stored;
    rows.endHold(id, "posted", decided.charged_less);
    rows.setAside(hold?.account ?? "", -decided.freed);
    rows.setDay(counted_for, decided.after);
    return stored;
  },
});

/** @returns whether it was open. */
function giveBack(rows: ChargeRows, id: number, state: "voided" | "expired"): boolean {
  const hold = rows.hold(id);
  if (hold === null) return false;
  const { day, spent_today } = rows.day(hold.key_id);
  const { result, freed, after } = decideGiveBack({ hold, day, spent_today });
  if (result !== "given_back") return false;
  rows.endHold(id, state, null);
  rows.setAside(hold.account, -freed);
  rows.setDay(hold.key_id, after);
  return true;
}

export const voidOn = (id: number): DecidedCommand => ({
  want: ({ holds }) => void holds.add(id),
  decide: (rows) => giveBack(rows, id, "voided"),
});

/** Gives back every hold that was left open. Its answer is how many there were. */
export const recoverHolds: DecidedCommand = {
  want(wanted) {
    wanted.left_holds = true;
  },
  decide: (rows) => rows.leftHolds().filter(({ id }) => giveBack(rows, id, "expired")).length,
};

/** Its answer is what was given back, atomic USDC. */
export const refundOn = (call_id: number): DecidedCommand => ({
  want: ({ debits }) => void debits.add(call_id),
  decide(rows): string {
    const debit = rows.debit(call_id);
    const { result, transfers } = decideRefund(call_id, { debit, is_refunded: debit?.is_refunded === true });
    if (result === "refunded") rows.post(transfers, rows.tick());
    return String(transfers.reduce((sum, { amount }) => sum + amount, 0n));
  },
});
