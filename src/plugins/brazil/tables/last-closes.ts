import { column, defineTable } from "intel-node";

/** The last close of every symbol of the cash market; history is kept of the index's members only. */
export const table = defineTable({
  name: "brazil/last-closes",
  storage: "kept",
  columns: {
    symbol: column.text(),
    date: column.text(),
    isin: column.text(),
    close: column.real(),
    average: column.nullable(column.real()),
    low: column.nullable(column.real()),
    high: column.nullable(column.real()),
    change_pct: column.nullable(column.real()),
    trades: column.nullable(column.real()),
    shares: column.nullable(column.real()),
    turnover: column.nullable(column.real()),
  },
  key: ["symbol"],
});
