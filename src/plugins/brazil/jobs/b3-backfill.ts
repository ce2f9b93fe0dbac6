import { defineJob } from "intel-node";
import { B3_CALENDAR, getDueDay } from "../b3/stored-days.ts";
import { takePastDay } from "../b3/take-day.ts";
import { b3Files } from "../providers/b3-files/provider.ts";
import { table as b3Days } from "../tables/b3-days.ts";

/** A year of trading, and what a year's change needs. */
const DAYS_WANTED = 260;
/** One file in 20 seconds; the sandbox's are small and free. */
const FILES_PER_RUN = { real: 3, simulated: 24 } as const;

/**
 * Fetches past days, newest first, a few in every run, until a year is there. It continues where it was: a day counts
 * as stored once all of it is. It stops at an error and is tried again.
 */
export const job = defineJob({
  id: "brazil-b3-backfill",
  schedule: "* * * * *",
  providers: [b3Files],
  at_start: true,
  deadline_ms: 170_000,
  runs_kept: 12,
  async run(context) {
    const stored = await context.table(b3Days).find({ order: ["-date"], limit: 10_000 });
    const known = new Set(stored.map(({ date }) => date));
    let date = getDueDay(context.now_ms);
    let left: number = context.simulated ? FILES_PER_RUN.simulated : FILES_PER_RUN.real;
    for (let back = 0; back < DAYS_WANTED && left > 0; back++) {
      const before = B3_CALENDAR.previousTradingDay(date);
      if (before === null) return;
      date = before;
      if (known.has(date)) continue;
      await takePastDay(context, date);
      left--;
    }
  },
});
