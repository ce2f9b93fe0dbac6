import { addDays, defineJob, outcomeOf, toLocal } from "intel-node";
import { ZONE } from "../b3/stored-days.ts";
import { cropEstimates, ibgeCalendar, ibgeSeries } from "../documents/stored.ts";
import { fetchAggregate, IPCA_MONTH, UNEMPLOYMENT } from "../providers/ibge/fetch-aggregate.ts";
import { fetchCalendar } from "../providers/ibge/fetch-calendar.ts";
import { fetchCrop } from "../providers/ibge/fetch-crop.ts";
import { ibge } from "../providers/ibge/provider.ts";

const MONTHS = 26;
const CALENDAR_DAYS = 30;
/** This month's survey, the one before it, and the one of a year ago. */
const SURVEYS = 13;

/** IBGE's own inflation and unemployment, its calendar of releases and the crop survey. */
export const job = defineJob({
  id: "brazil-ibge",
  schedule: "10 9,12 * * *",
  providers: [ibge],
  at_start: true,
  deadline_ms: 120_000,
  runs_kept: 1,
  async run(context) {
    const { date } = toLocal(ZONE, context.now_ms);
    const errors: unknown[] = [];
    const attempt = async (work: Promise<unknown>) => {
      const outcome = await outcomeOf(work);
      if (!outcome.ok) errors.push(outcome.error);
    };
    for (const [of, table] of [
      ["ipca", IPCA_MONTH],
      ["unemployment", UNEMPLOYMENT],
    ] as const) {
      const fetch = async () =>
        (await fetchAggregate(context, table, MONTHS)).map(([day, value]): [string, number] => [day, value]);
      await attempt(ibgeSeries.refresh(context, fetch, { of }));
    }
    const window = { from: date, to: addDays(date, CALENDAR_DAYS) };
    await attempt(ibgeCalendar.refresh(context, async () => [...(await fetchCalendar(context, window))]));
    for (const of of ["production", "area"] as const) {
      await attempt(cropEstimates.refresh(context, async () => [...(await fetchCrop(context, of, SURVEYS))], { of }));
    }
    if (errors.length > 0) throw errors.at(-1);
  },
});
