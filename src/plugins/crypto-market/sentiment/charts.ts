import type { Chart } from "intel-node";
import type { SentimentInputs } from "./fetch.ts";

const HOUR_MS = 3_600_000;

/** The score of each hour that is stored, with zero for the eye; none before the second hour. */
export function drawSentiment({ inputs }: { readonly inputs: SentimentInputs }): readonly Chart[] {
  const { stored, readings } = inputs;
  if (stored.length < 2) return [];
  return [
    {
      kind: "time",
      title: `Sentiment of ${readings.scope}, 7 days`,
      unit: "number",
      step_ms: HOUR_MS,
      filled: true,
      about: "-100 is bearish, 100 bullish; scored by this node every hour. An hour without a score is a gap.",
      lines: [{ name: "score", points: stored.map(({ at_ms, score }): [number, number] => [at_ms, score]) }],
    },
  ];
}
