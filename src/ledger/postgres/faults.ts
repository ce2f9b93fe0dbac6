import { SQL } from "bun";
import { messageOf } from "../../core/errors.ts";

/**
 * What an error of the database means for a batch of commands:
 * `again` it was undone because another transaction was in its way, and may simply be run again;
 * `away` the database, or the way to it, is gone: whether the batch was committed is not known;
 * `refused` it was undone, and would be again.
 */
export type PostgresFault = "again" | "away" | "refused";

/** Serialization failure, deadlock, lock not available. */
const AGAIN: ReadonlySet<string> = new Set(["40001", "40P01", "55P03"]);
/**
 * Connection exceptions, too many connections, operator intervention, a server that only reads (a standby), a
 * connection that the server closed because it held its locks too long.
 */
const AWAY = /^(?:08|53300|57P|25006|25P03|58)/;

/** The SQLSTATE of an error the server sent; empty for any other error. */
export const sqlStateOf = (error: unknown): string =>
  error instanceof SQL.PostgresError && typeof error.errno === "string" ? error.errno : "";

export function faultOf(error: unknown): PostgresFault {
  const state = sqlStateOf(error);
  if (AGAIN.has(state)) return "again";
  // What no server said came from the connection.
  return state === "" || AWAY.test(state) ? "away" : "refused";
}

export const detailOf = (error: unknown): string => (error instanceof SQL.PostgresError ? (error.detail ?? "") : "");

/** In the operator's words. */
export const renderFault = (error: unknown): string =>
  `the database of the ledger cannot be reached (${sqlStateOf(error) || messageOf(error).slice(0, 200)})`;
