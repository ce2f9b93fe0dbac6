import { column, defineTable } from "../../catalog/table.ts";

/**
 * Closes of shares at B3 by symbol and day, kept for the index's members. B3 keeps its files for about a year, so they
 * are kept here.
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
