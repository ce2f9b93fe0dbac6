import { defineJob, toLocal, yearOf } from "intel-node";
import { ZONE } from "../b3/stored-days.ts";
import { indexLevels, indexMembers } from "../documents/stored.ts";
import { fetchLevels, fetchMembers } from "../providers/b3-index/fetch-index.ts";
import { b3Index } from "../providers/b3-index/provider.ts";

/** Members and levels of the Ibovespa, this year's and the last's. */
export const job = defineJob({
  id: "brazil-b3-index",
  schedule: "30 12,22 * * *",
  providers: [b3Index],
  at_start: true,
  deadline_ms: 60_000,
  runs_kept: 1,
  async run(context) {
    const year = yearOf(toLocal(ZONE, context.now_ms).date);
    await indexMembers.refresh(context, async () =>
      (await fetchMembers(context)).map(({ symbol, weight_pct }): [string, number] => [symbol, weight_pct]),
    );
    await indexLevels.refresh(context, async () => {
      const before = await fetchLevels(context, year - 1);
      // On the first days of January the new year has no level yet.
      const now = await fetchLevels(context, year).catch(() => []);
      return [...before, ...now].map(([date, points]): [string, number] => [date, points]);
    });
  },
});
