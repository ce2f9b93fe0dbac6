import type { Chart } from "intel-node";
import type { MempoolInputs } from "./fetch.ts";

const HOUR_MS = 3_600_000;

/** The fastest fee rate of each hour this node sampled, from one provider; none before the second hour. */
export function drawMempool({ inputs }: { readonly inputs: MempoolInputs }): readonly Chart[] {
  const { provider, sampled } = inputs.bitcoin;
  if (sampled.length < 2) return [];
  return [
    {
      kind: "time",
      title: "Bitcoin's fastest fee, 30 days",
      unit: "number",
      step_ms: HOUR_MS,
      filled: true,
      about: `Satoshi per virtual byte, sampled once an hour from ${provider}; an hour without a sample is a gap.`,
      lines: [{ name: "sat/vB", points: sampled.map(({ at_ms, sat_vb }): [number, number] => [at_ms, sat_vb]) }],
    },
  ];
}
