import { column, defineTable, type RowOf } from "intel-node";
import { defineNotes, defineScans } from "../scans/scan-tables.ts";

/** Pools whose swaps are read; those of the newest `chosen_at_ms` of a chain are the ones of today. */
export const tradePools = defineTable({
  name: "tokens/trade-pools",
  storage: "disposable",
  columns: {
    chain: column.text(),
    /** Hexadecimal in lower case. */
    pool: column.text(),
    /** What is traded for a stablecoin or the chain's wrapped coin. */
    token: column.text(),
    symbol: column.text(),
    decimals: column.integer(),
    /** Pools sort their two tokens by address. */
    is_token_0: column.boolean(),
    quote: column.text(),
    quote_decimals: column.integer(),
    liquidity_usd: column.real(),
    pool_created_at_ms: column.nullable(column.integer()),
    chosen_at_ms: column.integer(),
  },
  key: ["chain", "pool"],
  indexes: [["chosen_at_ms"]],
  retention: { column: "chosen_at_ms", keep: "31d" },
});
export type TradePoolRow = RowOf<typeof tradePools.columns>;

/** Swaps of 1,000 US dollars and more, each log once, by who signed the transaction. */
export const trades = defineTable({
  name: "tokens/trades",
  storage: "disposable",
  columns: {
    chain: column.text(),
    tx: column.text(),
    /** Of Solana a number of the pool: a transaction may trade in several. */
    log_index: column.integer(),
    pool: column.text(),
    token: column.text(),
    /** Hexadecimal in lower case. */
    wallet: column.text(),
    is_buy: column.boolean(),
    /** Whole tokens. */
    qty: column.real(),
    usd: column.real(),
    /** Of Solana the slot. */
    block: column.integer(),
    /** Time of the newest block when it was read: it happened before. */
    at_ms: column.integer(),
  },
  key: ["chain", "tx", "log_index"],
  // Trades are read by block, so that a page of them needs no sort.
  indexes: [["at_ms"], ["chain", "block", "log_index"], ["chain", "wallet", "block", "log_index"]],
  retention: { column: "at_ms", keep: "30d" },
});
export type TradeRow = RowOf<typeof trades.columns>;

/** Stretches of blocks whose swaps were read whole. */
export const tradeScans = defineScans("tokens/trade-scans", "30d", { pools: column.integer() });

/** Failures of scans of swaps, and rows taken back: answers about that time mention them. */
export const tradeNotes = defineNotes("tokens/trade-notes", "30d");

/** Which part of a watched pool's transactions on Solana was read, by run. */
export const tradePoolScans = defineTable({
  name: "tokens/trade-pool-scans",
  storage: "disposable",
  columns: {
    pool: column.text(),
    name: column.text(),
    /** The newest signature that was listed: the next run asks for those after it. */
    signature: column.text(),
    slot: column.integer(),
    /** Finalized transactions since the run before that went through. */
    listed: column.integer(),
    read: column.integer(),
    at_ms: column.integer(),
  },
  indexes: [["pool", "slot"], ["at_ms"]],
  retention: { column: "at_ms", keep: "30d" },
});
