import { defineJob } from "intel-node";
import { CANDLE_VENUES } from "intel-node/providers/candle-venues";
import { makeThesis } from "../theses/make.ts";

/**
 * Writes the thesis of the day in its last hour, so that the hour of its entry begins the next day, whose open grading
 * reads; the later marks do nothing unless the first found no bars.
 */
export const job = defineJob({
  id: "theses",
  schedule: "20,35,50 23 * * *",
  providers: [...new Set(CANDLE_VENUES.map(({ provider }) => provider))],
  asks: { "/alpha-signal": "needed", "/regime": "optional", "/macro-calendar": "optional" },
  at_start: false,
  writes_records: true,
  deadline_ms: 60_000,
  sandbox_days: 20,
  run: makeThesis,
});
