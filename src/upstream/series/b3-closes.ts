import { column, defineTable } from "../../catalog/table.ts";

/**
 * Closes of the index's shares at B3, by symbol and day. They are stored because B3 keeps its files only for about a
 * year.
 */
export const b3Closes = defineTable({
  name: "brazil/closes",
  storage: "kept",
  columns: {
    symbol: column.text(),
    date: column.text(),
    close: column.real(),
    /** B3's own change to the day before, percent. */
    change_pct: column.nullable(column.real()),
  },
  key: ["symbol", "date"],
});
