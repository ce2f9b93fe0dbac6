import { defineJob } from "intel-node";
import { sec } from "../providers/sec/provider.ts";
import { countItems, cutWindow } from "../sec-filing/compute.ts";
import { fetchWatched, itemCounts } from "../sec-filing/fetch.ts";

/** Stores each weekday, after EDGAR closed, how many filings had each item, so that /sec-filing knows what is usual. */
export const job = defineJob({
  id: "sec-items",
  schedule: "30 3 * * 2-6",
  providers: [sec],
  at_start: false,
  deadline_ms: 60_000,
  sandbox_days: 10,
  async run(context) {
    const window = cutWindow(await fetchWatched(context));
    // The day that just ended in New York.
    if (window) await itemCounts.write(context, countItems(window.filings), { at_ms: context.now_ms - 86_400_000 });
  },
});
