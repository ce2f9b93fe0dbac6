import { defineJob } from "intel-node";
import { scoreVotes } from "../votes/score-votes.ts";

/** States the outcome of expired votes; every hour, because missing prices may arrive later. */
export const job = defineJob({
  id: "votes-score",
  schedule: "10 * * * *",
  providers: [],
  at_start: false,
  deadline_ms: 60_000,
  writes_records: true,
  sandbox_days: 60,
  run: scoreVotes,
});
