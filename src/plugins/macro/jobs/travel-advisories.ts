import { defineJob } from "intel-node";
import { fetchAdvisories } from "../providers/state-advisories/advisories.ts";
import { stateAdvisories } from "../providers/state-advisories/provider.ts";
import { advisoryLevels, advisoryPages } from "../theatres/geo-series.ts";

/** Stores every country's level of the day. */
export const job = defineJob({
  id: "travel-advisories",
  schedule: "12 * * * *",
  providers: [stateAdvisories],
  serves: ["/geo-alpha"],
  at_start: true,
  deadline_ms: 30_000,
  async run(context) {
    const advisories = await fetchAdvisories(context);
    await advisoryLevels.write(context, Object.fromEntries(advisories.map(({ country, level }) => [country, level])));
    await advisoryPages.write(context, Object.fromEntries(advisories.map(({ country, url }) => [country, url])));
  },
});
