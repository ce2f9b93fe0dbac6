import { Type } from "@sinclair/typebox";
import { defineSeries, type FetchContext, type JobContext } from "intel-node";

const DAY_MS = 86_400_000;

/** A score of one hour; comparable with another only if it was made of the same parts. */
export interface StoredScore {
  readonly score: number;
  /** Names of the components that had a value. */
  readonly parts: readonly string[];
  readonly lexicon_version: string;
}

const scores = defineSeries({
  name: "crypto-market/sentiment-1h",
  value: Type.Object({
    score: Type.Number({ minimum: -100, maximum: 100 }),
    parts: Type.Array(Type.String()),
    lexicon_version: Type.String(),
  }),
  every: "1h",
  keep: "8d",
  storage: "kept",
});

/** One score per hour; a second one in the same hour replaces the first. */
export const writeScore = (context: JobContext, symbol: string, { parts, ...score }: StoredScore): Promise<void> =>
  scores.write(context, { ...score, parts: [...parts] }, { of: symbol });

/** The scores of the last seven days, oldest first. */
export async function readScores(
  context: Pick<FetchContext, "history" | "now_ms">,
  symbol: string,
): Promise<{ readonly at_ms: number; readonly score: number }[]> {
  const found = await scores.read(context, { of: symbol, last: "7d" });
  return found.map(({ at_ms, value }) => ({ at_ms, score: value.score }));
}

/** The score stored closest to 24 hours ago, at most an hour off; null without one. */
export async function readScoreOfYesterday(
  context: Pick<FetchContext, "history" | "now_ms">,
  symbol: string,
): Promise<StoredScore | null> {
  const sample = await scores.nearest(context, { of: symbol, at_ms: context.now_ms - DAY_MS, within: "1h" });
  return sample?.value ?? null;
}
