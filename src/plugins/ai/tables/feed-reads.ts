import { column, defineTable } from "intel-node";

/** When each feed was last read, when it last failed, and since when its failures are in one row. */
export const table = defineTable({
  name: "ai/feed-reads",
  storage: "disposable",
  columns: {
    feed: column.text(),
    read_at_ms: column.nullable(column.integer()),
    failed_at_ms: column.nullable(column.integer()),
    /** The first failure after the last read; null after a read. */
    failing_since_ms: column.nullable(column.integer()),
    /** Whether its host's robots.txt asks not to read it. */
    barred: column.boolean(),
  },
  key: ["feed"],
});
