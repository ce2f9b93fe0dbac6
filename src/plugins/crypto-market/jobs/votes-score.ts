import { defineJob } from "intel-node";
import { scoreVotes } from "../shared/votes/score-votes.ts";

/** States what became of votes whose time is over; every hour, because what is missing then may be there later. */
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
