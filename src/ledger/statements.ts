import type { Promised } from "./promised.ts";
import type { StatementOf, StatementPage } from "./statement-pages.ts";

/** A call of a key. Times in ms. */
export interface CallLine {
  readonly id: number;
  readonly at_ms: number;
  readonly key: string;
  readonly product: string;
  readonly access: "debit" | "pass";
  /** Number of calls on this line: those of a pass are added up by the minute. */
  readonly times: number;
  readonly amount: bigint;
  /** Given back since. */
  readonly refunded: boolean;
}

export interface GrantLine {
  readonly at_ms: number;
  readonly plan: string;
  readonly paid: bigint;
  readonly credit: bigint;
  readonly duration_ms: number | null;
  readonly payment_id: string | null;
}

export interface KeptCall {
  readonly product: string;
  readonly amount: bigint;
  /** Null when it was dropped after the replay window. */
  readonly answer: string | null;
}

/** What a key was given and how it was used. Reads only. */
export interface StatementQueries {
  /**
   * What moved a balance, newest first: grants, debits, refunded calls, expired credit; also calls of a pass, which
   * move nothing. `opening` plus the changes of the lines is `closing`; the oldest page opens with 0, the newest one
   * closes with the posted balance. A running call's hold is not listed until it is debited.
   * For a child key: its own calls alone, so that the newest page closes with minus what it spent.
   */
  page(of: StatementOf, page: { before?: number | undefined; limit: number }): StatementPage;
  /** Calls of a key, newest first, older than a call id. */
  calls(key_id: number, page: { before?: number | undefined; limit: number }): readonly CallLine[];
  grants(key_id: number): readonly GrantLine[];
  /** Credit granted in all. */
  granted(key_id: number): bigint;
  /** One call of this key with its stored answer, or null. */
  call(key_id: number, call_id: number): KeptCall | null;
}

export type Statements = Promised<StatementQueries>;
