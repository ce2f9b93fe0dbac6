import { column, defineTable, type RowOf } from "intel-node";

/** Transfers of 100,000 US dollars and more, each log once. */
export const transfers = defineTable({
  name: "tokens/transfers",
  storage: "disposable",
  columns: {
    chain: column.text(),
    tx: column.text(),
    log_index: column.integer(),
    block: column.integer(),
    block_hash: column.text(),
    token: column.text(),
    asset: column.text(),
    from: column.text(),
    to: column.text(),
    /** In the smallest unit. */
    amount: column.text(),
    usd: column.real(),
    /** Time of the newest block when it was read: it happened before. */
    at_ms: column.integer(),
  },
  key: ["chain", "tx", "log_index"],
  indexes: [["at_ms"], ["chain", "block"]],
  retention: { column: "at_ms", keep: "8d" },
});
export type TransferRow = RowOf<typeof transfers.columns>;

/** Stretches of blocks that were read whole. */
export const scans = defineTable({
  name: "tokens/scans",
  storage: "disposable",
  columns: {
    chain: column.text(),
    from_block: column.integer(),
    to_block: column.integer(),
    at_ms: column.integer(),
  },
  indexes: [["chain", "to_block"], ["at_ms"]],
  retention: { column: "at_ms", keep: "8d" },
});
