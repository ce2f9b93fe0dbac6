import { column, defineTable } from "intel-node";

/** Closes of the index's members by symbol and day. B3 keeps its files for about a year, so they are kept here. */
export const table = defineTable({
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
