import { defineJob } from "intel-node";
import { getNameIndex, LIST_PROVIDERS, openLists } from "../lists/sanction-lists.ts";

/** Makes the index of a list's names as soon as there is a new version, so that no buyer waits for it. */
export const job = defineJob({
  id: "trust-name-indexes",
  schedule: "*/5 * * * *",
  providers: LIST_PROVIDERS,
  at_start: true,
  deadline_ms: 60_000,
  runs_kept: 3,
  async run(context) {
    // One after another: they share one thread.
    for (const list of await openLists(context)) await getNameIndex(list);
  },
});
