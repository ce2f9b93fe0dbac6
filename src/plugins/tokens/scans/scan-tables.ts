import { type Columns, column, defineTable } from "intel-node";

/**
 * Declares a table of the stretches of blocks of each chain that were read whole.
 * @param keep for how long, such as "8d"
 * @param told further columns of such a scan, before the time
 */
export const defineScans = <const C extends Columns = Record<never, never>>(name: string, keep: string, told?: C) =>
  defineTable({
    name,
    storage: "disposable",
    columns: {
      chain: column.text(),
      from_block: column.integer(),
      to_block: column.integer(),
      /** Of the last block: another one there later means that the chain was reorganised. */
      to_hash: column.text(),
      ...(told as C),
      at_ms: column.integer(),
    },
    indexes: [["chain", "to_block"], ["chain", "at_ms"], ["at_ms"]],
    retention: { column: "at_ms", keep },
  });

/** Declares a table of failed scans of a chain, and of rows taken back: answers about that time mention them. */
export const defineNotes = (name: string, keep: string) =>
  defineTable({
    name,
    storage: "disposable",
    columns: { chain: column.text(), at_ms: column.integer(), what: column.text() },
    indexes: [["chain", "at_ms"], ["at_ms"]],
    retention: { column: "at_ms", keep },
  });
