import type { Chart } from "intel-node";
import { DAY_MS } from "intel-node/providers/bars";
import type { StressInputs } from "./fetch.ts";

/**
 * The value of the present positions at each close of the last year. Days on which one of them has no
 * close are left out, and so are positions without daily bars; which, is in the answer's warnings.
 */
export function drawPortfolio({ inputs }: { readonly inputs: StressInputs }): readonly Chart[] {
  const { positions, series } = inputs;
  const held = positions.flatMap(({ asset, quantity }) => {
    const bars = series.find(({ symbol }) => symbol === asset)?.bars;
    return bars ? [{ quantity, closes: new Map(bars.map(({ t_ms, close }) => [t_ms, close])) }] : [];
  });
  const [first] = held;
  if (!first) return [];
  const days = [...first.closes.keys()].filter((t_ms) => held.every(({ closes }) => closes.has(t_ms)));
  if (days.length < 2) return [];
  const worth = (t_ms: number): number =>
    held.reduce((sum, { quantity, closes }) => sum + quantity * (closes.get(t_ms) ?? Number.NaN), 0);
  return [
    {
      kind: "time",
      title: "These positions over the last year",
      unit: "usd",
      step_ms: DAY_MS,
      about: "Worth of the same quantities at each daily close. Positions without daily bars are left out.",
      lines: [{ name: "worth", points: days.map((t_ms): [number, number] => [t_ms, worth(t_ms)]) }],
    },
  ];
}
