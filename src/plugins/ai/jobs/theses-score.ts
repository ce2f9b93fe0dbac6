import { defineJob } from "intel-node";
import { CANDLE_VENUES } from "intel-node/providers/candle-venues";
import { gradeTheses } from "../theses/grade.ts";

/** Grades the theses whose horizon has ended, each horizon separately. */
export const job = defineJob({
  id: "theses-score",
  schedule: "40 0 * * *",
  providers: [...new Set(CANDLE_VENUES.map(({ provider }) => provider))],
  at_start: false,
  writes_records: true,
  deadline_ms: 60_000,
  sandbox_days: 20,
  run: gradeTheses,
});
