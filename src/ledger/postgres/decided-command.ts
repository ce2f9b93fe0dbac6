import type { BookRows } from "./book-rows.ts";
import type { WantedRows } from "./charge-rows.ts";

/** A command that this node decides. Its rows are locked and read first; its changes are written afterwards. */
export interface DecidedCommand {
  /** Adds what it is decided by to what is locked for its batch. */
  want(wanted: WantedRows): void;
  /**
   * Decides on the rows as the commands before it left them, and changes them.
   * @returns its answer, as JSON can hold it: a batch that is sent again gets it again.
   * @throws InvariantError, NodeError: nothing of the batch is written, and each command is retried alone.
   */
  decide(rows: BookRows): unknown;
}
