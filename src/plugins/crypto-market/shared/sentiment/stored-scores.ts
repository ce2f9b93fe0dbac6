import { Type } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import type { FetchContext, WritableHistory } from "../../../../catalog/context.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const KEPT_MS = 8 * DAY_MS;

/** A score of one hour; comparable with another only if it was made of the same parts. */
export interface StoredScore {
  readonly score: number;
  /** Names of the components that had a value. */
  readonly parts: readonly string[];
  readonly lexicon_version: string;
}

const Stored = TypeCompiler.Compile(
  Type.Object({
    score: Type.Number({ minimum: -100, maximum: 100 }),
    parts: Type.Array(Type.String()),
    lexicon_version: Type.String(),
  }),
);

const seriesOf = (symbol: string): string => `crypto-market/sentiment-1h/${symbol}`;

/** One score per hour; a second one in the same hour replaces the first. */
export async function writeScore(
  history: WritableHistory,
  symbol: string,
  { score, now_ms }: { score: StoredScore; now_ms: number },
): Promise<void> {
  const at_ms = Math.floor(now_ms / HOUR_MS) * HOUR_MS;
  await history.write(seriesOf(symbol), [{ at_ms, value: score }]);
  await history.prune(seriesOf(symbol), at_ms - KEPT_MS);
}

/** The score stored closest to 24 hours ago, at most an hour off; null when there is none. */
export async function readScoreOfYesterday(
  { history, now_ms }: Pick<FetchContext, "history" | "now_ms">,
  symbol: string,
): Promise<StoredScore | null> {
  const wanted_ms = now_ms - DAY_MS;
  const near = await history.read(seriesOf(symbol), { since_ms: wanted_ms - HOUR_MS, until_ms: wanted_ms + HOUR_MS });
  const [closest] = [...near].sort((a, b) => Math.abs(a.at_ms - wanted_ms) - Math.abs(b.at_ms - wanted_ms));
  return closest && Stored.Check(closest.value) ? closest.value : null;
}
