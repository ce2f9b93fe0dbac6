import { defineTable, OFFICIAL_RATE_COLUMNS } from "intel-node";

/** Official daily rates against the dollar, as they were published: the operator's sales are converted by them. */
export const table = defineTable({
  name: "brazil/official-rates",
  storage: "kept",
  columns: OFFICIAL_RATE_COLUMNS,
  key: ["currency", "kind", "date"],
});
