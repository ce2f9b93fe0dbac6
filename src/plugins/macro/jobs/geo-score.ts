import { Type } from "@sinclair/typebox";
import { defineJob } from "intel-node";
import { gdeltEvents } from "../providers/gdelt-events/provider.ts";
import { geoScores } from "../theatres/geo-series.ts";

/** Writes down what /geo-alpha says at the end of each day, so that later days can be compared with it. */
export const job = defineJob({
  id: "geo-score",
  schedule: "50 23 * * *",
  providers: [gdeltEvents],
  asks: { "/geo-alpha": "needed" },
  at_start: false,
  deadline_ms: 30_000,
  // Of a time that is skipped only the newest event file is taken: earlier days have no score.
  runs_kept: 1,
  async run(context) {
    const { data } = await context.ask("/geo-alpha", {}, Type.Object({ score: Type.Number() }));
    await geoScores.write(context, data.score);
  },
});
