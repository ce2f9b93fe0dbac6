import type { BookRows } from "./book-rows.ts";
import type { WantedRows } from "./charge-rows.ts";

/** A command that this node decides. What it is decided by is locked and read first, what it changes written after. */
export interface DecidedCommand {
  /** Adds what it is decided by to what is locked for its batch. */
  want(wanted: WantedRows): void;
  /**
   * Decides on the rows as the commands before it left them, and changes them.
   * @returns its answer. JSON can hold it: a batch that is sent again is answered with it.
   * @throws InvariantError, NodeError: nothing of the batch is written, and each of its commands goes alone.
   */
  decide(rows: BookRows): unknown;
}
