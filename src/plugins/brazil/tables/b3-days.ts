import { column, defineTable } from "intel-node";

/**
 * Days whose file was taken in whole: written last, so that what a kill -9 cut short is done again. `source` is "none"
 * for a day for which B3 no longer has a file.
 */
export const table = defineTable({
  name: "brazil/b3-days",
  storage: "kept",
  columns: { date: column.text(), source: column.text(), stored_at_ms: column.integer() },
  key: ["date"],
});
