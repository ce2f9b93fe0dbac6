import { defineJob } from "intel-node";
import { getDueDay } from "../b3/stored-days.ts";
import { takeNewestDay } from "../b3/take-day.ts";
import { b3Files } from "../providers/b3-files/provider.ts";
import { b3Reports } from "../providers/b3-reports/provider.ts";
import { table as b3Days } from "../tables/b3-days.ts";

/** Stores trades and settlements of the newest day as soon as B3 calls them final: polled from 18:30 local on. */
export const job = defineJob({
  id: "brazil-b3-trade-file",
  schedule: "0,15,30,45 0-2,10,21-23 * * *",
  providers: [b3Files, b3Reports],
  at_start: true,
  deadline_ms: 180_000,
  // Of a day: the editions of the evening before are made of its file.
  runs_kept: 28,
  async run(context) {
    const date = getDueDay(context.now_ms);
    const known = await context.table(b3Days).first({ where: { date } });
    if (known?.source !== "b3_files") await takeNewestDay(context, date);
  },
});
