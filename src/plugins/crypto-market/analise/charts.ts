import type { Chart } from "intel-node";
import { DAY_MS } from "intel-node/providers/bars";
import { computeSMA } from "intel-node/quant/indicators";
import type { AnaliseInputs } from "./fetch.ts";

const DAYS_SHOWN = 200;
const AVERAGES = [50, 200] as const;

/** Daily closes with their moving averages of 50 and 200 days; an average begins where it has all of its days. */
export function drawAnalise({ inputs }: { readonly inputs: AnaliseInputs }): readonly Chart[] {
  const { symbol, daily } = inputs;
  const closes = daily.bars.map(({ close }) => close);
  const shown = daily.bars.slice(-DAYS_SHOWN);
  if (shown.length < 2) return [];
  const first = daily.bars.length - shown.length;
  const averages = AVERAGES.map((days) => {
    const readings = computeSMA(closes, days);
    const points = shown.map(({ t_ms }, index): [number, number | null] => [t_ms, readings[first + index] ?? null]);
    return { name: `average of ${days} days`, points };
  });
  return [
    {
      kind: "time",
      title: `${symbol}, closes of ${shown.length} days`,
      unit: "usd",
      step_ms: DAY_MS,
      about: `Closed daily bars (UTC, ${daily.provider}) with their simple moving averages.`,
      lines: [{ name: "close", points: shown.map(({ t_ms, close }) => [t_ms, close]) }, ...averages],
    },
  ];
}
