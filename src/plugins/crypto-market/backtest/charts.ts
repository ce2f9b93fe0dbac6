import type { Chart } from "intel-node";
import { DAY_MS } from "intel-node/providers/bars";
import { CAPITAL_USD } from "./engine.ts";
import type { BacktestData } from "./schema.ts";

/** The daily curve is what is sold: pictures show a point a week. */
const STEP_DAYS = 7;

type Point = NonNullable<BacktestData["equity_curve"]>[number];

const timeOf = ({ date }: Point): number => Date.parse(`${date}T00:00:00Z`);

/** The newest point, and before it one at least a week from the next; oldest first. */
function takeWeekly(curve: readonly Point[]): readonly number[] {
  const taken: number[] = [];
  let next_ms = Number.POSITIVE_INFINITY;
  for (let index = curve.length - 1; index >= 0; index -= 1) {
    const point = curve[index];
    if (!point || next_ms - timeOf(point) < STEP_DAYS * DAY_MS) continue;
    taken.push(index);
    next_ms = timeOf(point);
  }
  return taken.reverse();
}

/** Percent below the highest value so far, the start included: what max_drawdown_pct is the lowest of. */
function getDrawdowns(values: readonly number[], start: number): readonly number[] {
  let peak = start;
  return values.map((value) => {
    peak = Math.max(peak, value);
    return peak > 0 ? (value / peak - 1) * 100 : 0;
  });
}

/** Equity and drawdown of the rule and of holding; none without a curve. */
export function drawBacktest({ equity_curve, strategy, from, to }: BacktestData): readonly Chart[] {
  if (!equity_curve || equity_curve.length === 0) return [];
  const weeks = takeWeekly(equity_curve);
  const pick = (values: readonly number[]): [number, number | null][] =>
    weeks.flatMap((index): [number, number | null][] => {
      const [point, value] = [equity_curve[index], values[index]];
      return point && value !== undefined ? [[timeOf(point), value]] : [];
    });
  const rule = equity_curve.map(({ equity }) => equity);
  const held = equity_curve.map(({ benchmark }) => benchmark);
  const names = [strategy, "buy and hold"] as const;
  const common = { kind: "time", step_ms: (STEP_DAYS + 1) * DAY_MS } as const;
  const days = `${from} to ${to}, a close a week`;
  return [
    {
      ...common,
      title: "Equity",
      about: `10,000 USD at the start, after fees and slippage, ${days}. Past prices say little about later ones.`,
      unit: "usd",
      lines: [
        { name: names[0], points: pick(rule) },
        { name: names[1], points: pick(held) },
      ],
    },
    {
      ...common,
      title: "Drawdown",
      about: `How far equity was below its highest until then, ${days}: falls within a week are not all seen.`,
      unit: "percent",
      filled: true,
      lines: [
        { name: names[0], points: pick(getDrawdowns(rule, CAPITAL_USD)) },
        { name: names[1], points: pick(getDrawdowns(held, CAPITAL_USD)) },
      ],
    },
  ];
}
