import { column, defineTable, type RowOf } from "intel-node";
import { defineNotes, defineScans } from "../scans/scan-tables.ts";

/** Pools that watched factories made, each once. */
export const createdPools = defineTable({
  name: "tokens/created-pools",
  storage: "disposable",
  columns: {
    chain: column.text(),
    /** Address, or the number of a pool of Uniswap v4. */
    pool: column.text(),
    factory: column.text(),
    /** EIP-55; empty when it is not known which of the two is new. */
    token: column.text(),
    /** Symbol of the side that is known. */
    quote: column.nullable(column.text()),
    /** Whether no earlier pool of the token is known: then this one launched it. */
    is_launch: column.boolean(),
    tx: column.text(),
    log_index: column.integer(),
    block: column.integer(),
    /** By its height, counted back from the newest block. */
    at_ms: column.integer(),
  },
  key: ["chain", "pool"],
  indexes: [
    ["chain", "at_ms"],
    ["chain", "token"],
    ["chain", "block"],
  ],
  retention: { column: "at_ms", keep: "2d" },
});
export type CreatedPoolRow = RowOf<typeof createdPools.columns>;

/** Stretches of blocks whose factories' logs were read whole. */
export const factoryScans = defineScans("tokens/factory-scans", "3d");

/** What went wrong with these scans, and what was taken back. */
export const factoryNotes = defineNotes("tokens/factory-notes", "3d");
