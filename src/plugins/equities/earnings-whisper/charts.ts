import type { Chart } from "intel-node";
import type { EarningsWhisperData } from "./schema.ts";

const QUARTER_MS = 92 * 86_400_000;
const QUARTERS_MIN = 2;

/** Earnings per share and what the model expected before each; none in calendar mode. */
export function drawSurprises({ symbol, history }: EarningsWhisperData): readonly Chart[] {
  if (symbol === null || history.length < QUARTERS_MIN) return [];
  const quarters = history.toReversed();
  const line = (name: string, pick: (quarter: (typeof quarters)[number]) => number | null) => ({
    name,
    points: quarters.map((one): [number, number | null] => [Date.parse(one.period_end), pick(one)]),
  });
  return [
    {
      kind: "time",
      title: `${symbol}: earnings per share and the model`,
      about:
        "Diluted, by the end of each quarter, US dollars. The model knew only earlier quarters; it is not an analyst.",
      unit: "usd",
      step_ms: QUARTER_MS,
      lines: [line("reported", ({ eps }) => eps), line("expected before", ({ model_expected }) => model_expected)],
    },
  ];
}
