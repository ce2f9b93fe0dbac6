import { column, defineTable } from "intel-node";

/** Headlines, each once by its canonical address. */
export const table = defineTable({
  name: "ai/news",
  storage: "disposable",
  columns: {
    /** The canonical form: it distinguishes two links to one page from two pages. */
    canonical: column.text(),
    url: column.text(),
    title: column.text(),
    feed: column.text(),
    published_at_ms: column.integer(),
    first_seen_ms: column.integer(),
  },
  key: ["canonical"],
  indexes: [["published_at_ms"]],
  retention: { column: "published_at_ms", keep: "15d" },
});
