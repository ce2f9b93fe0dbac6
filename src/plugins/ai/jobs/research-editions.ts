import { defineJob } from "intel-node";
import { editions, product } from "../research-brief/product.ts";

/** Makes /research-brief every three hours; one that cannot be made is tried again until the next is due. */
export const job = defineJob({
  id: "research-editions",
  schedule: "30,50 */3 * * *",
  providers: product.providers,
  asks: product.asks ?? {},
  serves: ["/research-brief"],
  at_start: false,
  deadline_ms: 280_000,
  // Of two days: the newest is sold, and its topic differs from the two before it.
  runs_kept: 32,
  run: async (context) => {
    await editions.makeDue(context);
  },
});
