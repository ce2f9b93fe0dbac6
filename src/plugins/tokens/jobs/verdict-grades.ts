import { defineJob } from "intel-node";
import { dexscreener } from "intel-node/providers/dexscreener/provider";
import { gradeVerdicts } from "../calibration/grade.ts";

/** Grades verdicts on launches after 1, 7 and 30 days, on a record that nobody can edit. */
export const job = defineJob({
  id: "verdict-grades",
  schedule: "23 * * * *",
  providers: [dexscreener],
  at_start: false,
  deadline_ms: 60_000,
  writes_records: true,
  runs_kept: 3,
  run: gradeVerdicts,
});
