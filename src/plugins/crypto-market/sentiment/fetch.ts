import { type FetchContext, NodeError } from "intel-node";
import { SENTIMENT_COINS } from "../shared/news/coins.ts";
import { fetchSentimentReadings, type SentimentReadings } from "../shared/sentiment/readings.ts";
import { readScoreOfYesterday, readScores, type StoredScore } from "../shared/sentiment/stored-scores.ts";

export interface SentimentInputs {
  readonly readings: SentimentReadings;
  readonly yesterday: StoredScore | null;
  /** Of the last seven days, oldest first. */
  readonly stored: readonly { readonly at_ms: number; readonly score: number }[];
}

/** A coin outside the usual ones is answered for when this many headlines name it. */
const HEADLINES_MIN = 3;

function assertCovered({ scope, headlines }: SentimentReadings): void {
  if (SENTIMENT_COINS.some((symbol) => symbol === scope)) return;
  if (headlines === null) {
    throw new NodeError("upstream_unavailable", "No headlines could be read. Nothing was charged.", {
      retry_after_s: 60,
    });
  }
  if (headlines.length >= HEADLINES_MIN) return;
  const message = `No coverage: fewer than ${HEADLINES_MIN} headlines of the last 48 h name ${scope}.`;
  throw new NodeError("invalid_parameter", `${message} Always covered: ${SENTIMENT_COINS.join(", ")}.`, {
    param: "symbol",
    details: { parameter: "symbol", got: scope, allowed: SENTIMENT_COINS, reason: "no_coverage" },
  });
}

/**
 * What is known about one coin.
 * @throws NodeError invalid_parameter when too little is written about it, upstream_unavailable.
 */
export async function fetchSentiment(
  context: FetchContext,
  { symbol }: { readonly symbol: string },
): Promise<SentimentInputs> {
  const [readings] = await fetchSentimentReadings(context, [symbol]);
  if (!readings) throw new RangeError("one scope has one reading");
  assertCovered(readings);
  const [yesterday, stored] = [await readScoreOfYesterday(context, symbol), await readScores(context, symbol)];
  return { readings, yesterday, stored };
}
