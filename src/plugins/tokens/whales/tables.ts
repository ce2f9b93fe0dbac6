import { column, defineTable, type RowOf } from "intel-node";
import { defineNotes, defineScans } from "../scans/scan-tables.ts";

/** Movements of 100,000 US dollars and more, each log once: of Bitcoin each transaction, of Solana each trade. */
export const transfers = defineTable({
  name: "tokens/transfers",
  storage: "disposable",
  columns: {
    chain: column.text(),
    tx: column.text(),
    /** Of Bitcoin the number of the output; -1 for what a transaction moves of ether itself. */
    log_index: column.integer(),
    block: column.integer(),
    block_hash: column.text(),
    /** Contract or mint; of Bitcoin its name; "native" for ether itself. */
    token: column.text(),
    asset: column.text(),
    /** Empty where the block does not prove who paid: Bitcoin's inputs of several addresses, or of none they show. */
    from: column.text(),
    to: column.text(),
    /** In the smallest unit. */
    amount: column.text(),
    usd: column.real(),
    /** Of Bitcoin, all outputs of the transaction, change among them; null elsewhere. */
    total_usd: column.nullable(column.real()),
    /** Time of the newest block when it was read: it happened before. Of Bitcoin and ether itself the block's own. */
    at_ms: column.integer(),
  },
  key: ["chain", "tx", "log_index"],
  indexes: [["at_ms"], ["chain", "block"], ["chain", "at_ms"]],
  retention: { column: "at_ms", keep: "8d" },
});
export type TransferRow = RowOf<typeof transfers.columns>;

/** Stretches of blocks that were read whole. */
export const scans = defineScans("tokens/scans", "8d");

/**
 * Stretches of blocks of which all, or an even sample, were read whole for what transactions moved of ether itself:
 * `blocks` is how many of them were read, `to_hash` is of the last block, read or not.
 */
export const nativeScans = defineScans("tokens/native-scans", "8d", { blocks: column.integer() });

/** Failed scans, and rows taken back: answers about that time mention them. */
export const scanNotes = defineNotes("tokens/scan-notes", "8d");

/** Which part of a watched pool's transactions was read, by run. */
export const poolScans = defineTable({
  name: "tokens/pool-scans",
  storage: "disposable",
  columns: {
    chain: column.text(),
    pool: column.text(),
    /** Its two tokens. */
    name: column.text(),
    /** The newest signature that was listed: the next run asks for those after it. */
    signature: column.text(),
    slot: column.integer(),
    /** Signatures listed since the run before; at most 1,000, so there may have been more. */
    listed: column.integer(),
    read: column.integer(),
    at_ms: column.integer(),
  },
  indexes: [["chain", "pool", "at_ms"], ["at_ms"]],
  retention: { column: "at_ms", keep: "8d" },
});
