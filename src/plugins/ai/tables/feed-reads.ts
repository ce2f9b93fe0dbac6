import { column, defineTable } from "intel-node";

/** When each feed was last read, and when it last failed. */
export const table = defineTable({
  name: "ai/feed-reads",
  storage: "disposable",
  columns: {
    feed: column.text(),
    read_at_ms: column.nullable(column.integer()),
    failed_at_ms: column.nullable(column.integer()),
  },
  key: ["feed"],
});
