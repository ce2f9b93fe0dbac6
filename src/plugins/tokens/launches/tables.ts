import { Type } from "@sinclair/typebox";
import { column, defineTable } from "intel-node";

/** Tokens as they were launched; a later look replaces an earlier one. */
export const launches = defineTable({
  name: "tokens/launches",
  storage: "disposable",
  columns: {
    chain: column.text(),
    token: column.text(),
    name: column.text(),
    symbol: column.text(),
    creator: column.nullable(column.text()),
    created_at_ms: column.integer(),
    source: column.text(),
    /** Whole tokens the creator bought at once. */
    initial_buy: column.nullable(column.real()),
    v_sol: column.nullable(column.real()),
    v_tokens: column.nullable(column.real()),
    is_complete: column.boolean(),
    /** When it was first seen to have left the curve. */
    migrated_at_ms: column.nullable(column.integer()),
    pool: column.nullable(column.text()),
    last_trade_at_ms: column.nullable(column.integer()),
    seen_at_ms: column.integer(),
  },
  key: ["chain", "token"],
  indexes: [["created_at_ms"], ["creator"], ["migrated_at_ms"]],
  retention: { column: "created_at_ms", keep: "8d" },
});

/** Periods in which launches may have been missed, and the start of the watch. */
export const watches = defineTable({
  name: "tokens/launch-watches",
  storage: "disposable",
  columns: { from_ms: column.integer(), to_ms: column.integer(), is_gap: column.boolean(), at_ms: column.integer() },
  indexes: [["at_ms"]],
  retention: { column: "at_ms", keep: "3d" },
});

/** Each source's last reading of a judged token; it stays valid for a day when the source falls silent. */
export const readings = defineTable({
  name: "tokens/readings",
  storage: "disposable",
  columns: {
    chain: column.text(),
    token: column.text(),
    fact: column.text(),
    source: column.text(),
    value: column.real(),
    at_ms: column.integer(),
  },
  key: ["chain", "token", "fact", "source"],
  indexes: [["at_ms"]],
  retention: { column: "at_ms", keep: "25h" },
});

/** Verdicts as they were given, with what they are sold as. */
export const assessments = defineTable({
  name: "tokens/assessments",
  storage: "kept",
  columns: {
    chain: column.text(),
    token: column.text(),
    at_ms: column.integer(),
    created_at_ms: column.integer(),
    verdict: column.text(),
    basis: column.text(),
    risk: column.real(),
    /** Of the readings it was made of. */
    inputs_sha256: column.text(),
    price_usd: column.nullable(column.real()),
    liquidity_usd: column.nullable(column.real()),
    item: column.json(Type.Unknown()),
    extra: column.json(Type.Unknown()),
    sources: column.json(Type.Array(Type.Unknown(), { maxItems: 100 })),
  },
  key: ["chain", "token", "at_ms"],
  indexes: [["at_ms"], ["created_at_ms"]],
  retention: { column: "at_ms", keep: "45d" },
});
