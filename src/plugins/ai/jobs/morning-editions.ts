import { defineJob } from "intel-node";
import { editions, product } from "../global-morning-brief/product.ts";

/** Makes /global-morning-brief at 05:30 and 11:30 UTC; one that cannot be made is tried again for three hours. */
export const job = defineJob({
  id: "morning-editions",
  schedule: "0,15,30,45 5-8,11-14 * * *",
  providers: [],
  asks: product.asks ?? {},
  serves: ["/global-morning-brief"],
  at_start: false,
  deadline_ms: 280_000,
  // Of a day: only the newest is sold.
  runs_kept: 32,
  run: async (context) => {
    await editions.makeDue(context);
  },
});
