import type { CallName, Charge, Charged, ChargeResult, HoldResult } from "./charge.ts";
import type { PassCall } from "./pass-calls.ts";
import type { Promised } from "./promised.ts";

export type { CallName, Charge, Charged, ChargeResult, HoldResult } from "./charge.ts";

export interface NamedCall {
  readonly fingerprint: string;
  readonly call_id: number;
  readonly product: string;
  readonly amount: bigint;
  /** Null when it was dropped after the replay window. */
  readonly body: string | null;
}

export interface ChargeQueries {
  findNamed(key_id: number, name: string): NamedCall | null;
}

/** Debits and holds on prepaid balances. Each promise resolves only when the change is on disk. */
export interface ChargeCommands {
  /** One commit: the balance goes down, the call and its answer are kept. For an answer that exists already. */
  debit(charge: Charge, answer: { body: string; name: CallName | null }): Promise<ChargeResult>;
  /** Sets the price aside while an answer is produced. */
  hold(charge: Charge, name: CallName | null): Promise<HoldResult>;
  /** Turns a hold into a debit of the charge's amount: what was held, or less, and the rest is given back. */
  post(hold: number, charge: Charge, answer: { body: string; name: CallName | null }): Promise<Charged>;
  /** Releases a hold. A hold that cannot be released now is released at the next start. */
  void(hold: number): Promise<void>;
  /**
   * Notes a call of a pass, without waiting for the disk: no money depends on it. Calls of one product in one minute
   * are one row, however many there are. Nobody need wait.
   */
  pass(call: PassCall): Promise<void>;
  /** Gives back what a call cost, once. @returns the amount, 0 when it was given back before or cost nothing. */
  refund(call_id: number): Promise<bigint>;
  /** After a start: what was held belongs to calls that never ended. Returns how many. */
  recover(): Promise<number>;
  /** Drops answers and names older than this. */
  pruneAnswers(before_ms: number): Promise<number>;
}

export type Charges = ChargeCommands & Promised<ChargeQueries>;
