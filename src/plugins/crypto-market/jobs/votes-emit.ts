import { defineJob } from "intel-node";
import { alternativeMe } from "intel-node/providers/alternative-me/provider";
import { CANDLE_VENUES } from "intel-node/providers/candle-venues";
import { emitVotes } from "../votes/emit-votes.ts";

/** Writes the day's votes right after midnight; what failed is tried again within the half hour. */
export const job = defineJob({
  id: "votes-emit",
  schedule: "6,12,18,24 0 * * *",
  providers: [...CANDLE_VENUES.map(({ provider }) => provider), alternativeMe],
  at_start: false,
  deadline_ms: 60_000,
  writes_records: true,
  sandbox_days: 60,
  run: emitVotes,
});
