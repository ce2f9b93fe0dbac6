import { defineJob } from "intel-node";
import { CANDLE_VENUES } from "intel-node/providers/candle-venues";
import { scoreSignals } from "../signals/score.ts";

/** Grades signals whose horizon has ended, every hour once its bars are there. */
export const job = defineJob({
  id: "signals-score",
  schedule: "10 * * * *",
  providers: CANDLE_VENUES.map(({ provider }) => provider),
  at_start: true,
  deadline_ms: 60_000,
  writes_records: true,
  sandbox_days: 60,
  run: scoreSignals,
});
