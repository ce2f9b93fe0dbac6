import { type FetchContext, type Outcome, outcomeOf } from "intel-node";
import { readStoredBreadth, type StoredBreadth } from "../breadth/stored-breadth.ts";
import { fetchPublisher, type PublisherIndex } from "../fear-greed/fetch.ts";
import { fetchSentimentReadings, type SentimentReadings } from "../scores/readings.ts";
import { SCOPES } from "./schema.ts";

export interface SentimentConsensusInputs {
  readonly publisher: Outcome<PublisherIndex>;
  /** In the order of the scopes. */
  readonly readings: readonly SentimentReadings[];
  readonly breadth: StoredBreadth | null;
}

/** Every source at once; each can be missing. */
export async function fetchSentimentConsensus(context: FetchContext): Promise<SentimentConsensusInputs> {
  const [publisher, readings, breadth] = await Promise.all([
    outcomeOf(fetchPublisher(context)),
    fetchSentimentReadings(context, SCOPES),
    readStoredBreadth(context),
  ]);
  return { publisher, readings, breadth: breadth?.today ?? null };
}
