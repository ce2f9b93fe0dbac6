import { defineJob, NodeError } from "intel-node";
import { SENTIMENT_COINS } from "../news/coins.ts";
import { fetchSentimentReadings, SENTIMENT_PROVIDERS } from "../scores/readings.ts";
import { writeScore } from "../scores/stored-scores.ts";
import { readSentiment, toStoredScore } from "../sentiment/compute.ts";

/** Stores every usual coin's score each hour, so that /sentiment can say how it changed. */
export const job = defineJob({
  id: "sentiment-sample",
  schedule: "25 * * * *",
  providers: SENTIMENT_PROVIDERS,
  serves: ["/sentiment"],
  at_start: false,
  deadline_ms: 60_000,
  runs_kept: 192,
  async run(context) {
    const { now_ms } = context;
    for (const readings of await fetchSentimentReadings(context, SENTIMENT_COINS)) {
      try {
        await writeScore(context, readings.scope, toStoredScore(readSentiment(readings, now_ms)));
      } catch (error) {
        // A coin without data has no score this hour; the gap stays visible.
        if (!(error instanceof NodeError)) throw error;
      }
    }
  },
});
