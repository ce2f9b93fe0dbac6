import { addDays, defineJob, outcomeOf, toLocal, yearOf } from "intel-node";
import { ZONE } from "../b3/stored-days.ts";
import { focusInflation12, focusMeetings, focusYears } from "../documents/stored.ts";
import {
  FOCUS_INDICATORS,
  type FocusIndicator,
  fetchAnnual,
  fetchInflation12,
  fetchMeetings,
} from "../providers/bcb-olinda/fetch-focus.ts";
import { bcbOlinda } from "../providers/bcb-olinda/provider.ts";

/** Far enough back for the survey of four weeks ago. */
const DAYS = 45;

/** The Focus survey: published on Mondays, with answers of every day. */
export const job = defineJob({
  id: "brazil-focus",
  schedule: "40 11,12 * * 1-5",
  providers: [bcbOlinda],
  at_start: true,
  deadline_ms: 120_000,
  runs_kept: 1,
  async run(context) {
    const { date } = toLocal(ZONE, context.now_ms);
    const since = addDays(date, -DAYS);
    const errors: unknown[] = [];
    const attempt = async (work: Promise<unknown>) => {
      const outcome = await outcomeOf(work);
      if (!outcome.ok) errors.push(outcome.error);
    };
    for (const [name, of] of Object.entries(FOCUS_INDICATORS)) {
      const asked = { since, year: yearOf(date) };
      await attempt(
        focusYears.refresh(context, async () => [...(await fetchAnnual(context, name as FocusIndicator, asked))], {
          of,
        }),
      );
    }
    await attempt(focusInflation12.refresh(context, () => fetchInflation12(context, since)));
    await attempt(focusMeetings.refresh(context, async () => [...(await fetchMeetings(context, since))]));
    if (errors.length > 0) throw errors.at(-1);
  },
});
