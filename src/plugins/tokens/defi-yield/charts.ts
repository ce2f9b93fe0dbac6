import type { Chart } from "intel-node";
import type { DefiYieldInputs } from "./fetch.ts";

const HOUR_MS = 3_600_000;
const LINES_MAX = 4;

/** Rates of lending markets and savings by the hour, as far back as this node read them; none before it has a few. */
export function drawDefiYield({ histories }: DefiYieldInputs): readonly Chart[] {
  const lines = histories
    .flatMap(({ reader, samples }) => {
      const points = samples.flatMap(({ at_ms, rate_apy_pct }) =>
        rate_apy_pct === null ? [] : [[at_ms, rate_apy_pct] as [number, number]],
      );
      const name = `${reader.project} ${reader.symbol} ${reader.chain}`.slice(0, 32);
      return points.length < 2 ? [] : [{ name, points, last: points.at(-1)?.[1] ?? 0 }];
    })
    .sort((a, b) => b.last - a.last)
    .slice(0, LINES_MAX)
    .map(({ name, points }) => ({ name, points }));
  if (lines.length === 0) return [];
  return [
    {
      ...{ kind: "time", title: "What lending pays", unit: "percent", step_ms: HOUR_MS, lines },
      about: "Yield of a year at each hour's own rate, the four that pay most now. Growth of shares is not drawn.",
    },
  ];
}
