import type { Chart } from "intel-node";
import { path12 } from "../macro/transforms.ts";
import type { MacroInputs } from "./fetch.ts";
import type { MacroData } from "./schema.ts";

const MONTH_MS = 31 * 86_400_000;
const toMs = (date: string): number => Date.parse(`${date}T00:00:00Z`);

/** Inflation of 12 months between the ends of its band. */
export function drawMacro({
  data,
  inputs,
}: {
  readonly data: MacroData;
  readonly inputs: MacroInputs;
}): readonly Chart[] {
  const rows = inputs.ibge_ipca.length > 0 ? inputs.ibge_ipca : (inputs.series.ipca ?? []);
  const path = path12(rows);
  if (path.length < 2) return [];
  const level = (name: string, value: number) => ({
    name,
    points: path.map(([date]): [number, number] => [toMs(date), value]),
  });
  const { band_low, band_high } = data.inflation;
  return [
    {
      kind: "time",
      title: "IPCA of 12 months against the band of the target",
      about:
        "Product of 12 monthly changes, by the first day of the newest month. Source: IBGE, Banco Central do Brasil.",
      unit: "percent",
      step_ms: MONTH_MS,
      lines: [
        { name: "IPCA, 12 months", points: path.map(([date, rate]): [number, number] => [toMs(date), rate]) },
        level("upper end of the band", band_high),
        level("lower end of the band", band_low),
      ],
    },
  ];
}
