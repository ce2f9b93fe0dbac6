import type { PaymentRow } from "./payment-row.ts";

export interface UpkeepQueries {
  /** Oldest first, from a time on (ms). */
  listUnknown(limit: number, from_ms?: number): readonly PaymentRow[];
}

/** What jobs and the start do with payments. */
export interface UpkeepCommands {
  /** After a start: in-flight rows become `abandoned`, `settling` rows `unknown`. Returns how many of each. */
  recover(): Promise<{ abandoned: number; unknown: number }>;
  /** Drops stored answers older than this; the payment itself stays, so it can never be used again. */
  pruneAnswers(before_ms: number): Promise<number>;
  /**
   * Drops payments that were rejected or abandoned and died before a time; beyond a number of them the oldest, however
   * young. They never block the same payment, so nothing is lost with them; their counts stay. Returns how many.
   */
  pruneEnded(before_ms: number): Promise<number>;
}
