import type { Chart } from "intel-node";
import type { DefiYieldInputs, YieldHistory } from "./fetch.ts";
import { listGrowth } from "./growth.ts";

const HOUR_MS = 3_600_000;
const LINES_MAX = 4;
const DAYS = 7;
type Points = readonly (readonly [at_ms: number, pct: number])[];

function drawLines(histories: readonly YieldHistory[], pointsOf: (history: YieldHistory) => Points) {
  return histories
    .flatMap((history) => {
      const { project, symbol, chain } = history.reader;
      const points = pointsOf(history).map(([at_ms, pct]): [number, number] => [at_ms, pct]);
      return points.length < 2 ? [] : [{ name: `${project} ${symbol} ${chain}`.slice(0, 32), points }];
    })
    .sort((a, b) => (b.points.at(-1)?.[1] ?? 0) - (a.points.at(-1)?.[1] ?? 0))
    .slice(0, LINES_MAX);
}

const listRates = ({ samples }: YieldHistory): Points =>
  samples.flatMap(({ at_ms, rate_apy_pct }) => (rate_apy_pct === null ? [] : [[at_ms, rate_apy_pct] as const]));

/** Base yields by the hour, as far back as this node read them; none before it has a few. Rewards are not drawn. */
export function drawDefiYield({ histories }: Pick<DefiYieldInputs, "histories">): readonly Chart[] {
  const charts = [
    {
      title: "What lending pays",
      lines: drawLines(histories, listRates),
      about: "Base yield of a year at each hour's own rate, the four that pay most now. Rewards are not in it.",
    },
    {
      title: "What shares grew",
      lines: drawLines(histories, (history) => listGrowth(history, DAYS)),
      about: "Growth of the share price over the 7 days before each hour, in a year, the four that grew most.",
    },
  ];
  return charts.flatMap(({ lines, ...chart }) =>
    lines.length === 0 ? [] : [{ ...chart, kind: "time", unit: "percent", step_ms: HOUR_MS, lines }],
  );
}
