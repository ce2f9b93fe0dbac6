import { type FetchContext, listClosest, NodeError } from "intel-node";
import { NAMED_COINS, SENTIMENT_COINS } from "../news/coins.ts";
import { fetchSentimentReadings, type SentimentReadings } from "../scores/readings.ts";
import { readScoreOfYesterday, readScores, type StoredScore } from "../scores/stored-scores.ts";

export interface SentimentInputs {
  readonly readings: SentimentReadings;
  readonly yesterday: StoredScore | null;
  /** Of the last seven days, oldest first. */
  readonly stored: readonly { readonly at_ms: number; readonly score: number }[];
}

/** A coin outside the usual ones is answered for when this many headlines name it. */
const HEADLINES_MIN = 3;
const NEAR_MAX = 3;

/** Whether anything but a headline says that there is such a coin. */
const isCoin = ({ scope, positioning, stories }: SentimentReadings): boolean =>
  NAMED_COINS.includes(scope) || positioning !== null || (stories.ok && stories.value.length > 0);

/** @throws NodeError for a coin outside the usual ones with too few headlines, or none readable. */
function assertCovered(readings: SentimentReadings): void {
  const { scope, headlines } = readings;
  if (SENTIMENT_COINS.some((symbol) => symbol === scope)) return;
  if (headlines === null && isCoin(readings)) {
    throw new NodeError("upstream_unavailable", "No headlines could be read. Nothing was charged.", {
      retry_after_s: 60,
    });
  }
  if (headlines !== null && headlines.length >= HEADLINES_MIN) return;
  const read = headlines === null ? "nothing that was read names" : `fewer than ${HEADLINES_MIN} headlines name`;
  const near = listClosest(scope, NAMED_COINS, NEAR_MAX);
  const hint = near.length > 0 ? ` Near: ${near.join(", ")}.` : "";
  const message = `No coverage: ${read} ${scope} within 48 h.${hint} Always covered: ${SENTIMENT_COINS.join(", ")}.`;
  throw new NodeError("invalid_parameter", message, {
    param: "symbol",
    details: { parameter: "symbol", got: scope, allowed: SENTIMENT_COINS, near, reason: "no_coverage" },
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
