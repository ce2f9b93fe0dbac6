import { defineJob, outcomeOf, toLocal } from "intel-node";
import { ZONE } from "../b3/stored-days.ts";
import { macroSeries } from "../documents/stored.ts";
import { SGS_SERIES } from "../macro/series.ts";
import { fetchSeries } from "../providers/bcb-sgs/fetch-series.ts";
import { bcbSGS } from "../providers/bcb-sgs/provider.ts";

/** All series of the central bank, each separately: one that fails keeps its data, and all are tried again. */
export const job = defineJob({
  id: "brazil-sgs",
  schedule: "15 12,16,22 * * *",
  providers: [bcbSGS],
  at_start: true,
  deadline_ms: 120_000,
  // Of a day: editions made in between are of figures that are not too old.
  runs_kept: 3,
  async run(context) {
    const { date } = toLocal(ZONE, context.now_ms);
    const errors: unknown[] = [];
    for (const series of SGS_SERIES) {
      const refreshed = macroSeries.refresh(
        context,
        async () => (await fetchSeries(context, series, date)).map(([day, value]): [string, number] => [day, value]),
        { of: series.id },
      );
      const outcome = await outcomeOf(refreshed);
      if (!outcome.ok) errors.push(outcome.error);
    }
    if (errors.length > 0) throw errors.at(-1);
  },
});
