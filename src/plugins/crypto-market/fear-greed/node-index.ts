import { roundTo } from "intel-node";
import { getMovingAverage, getPercentileRank, getRealisedVolatility, getTrailing } from "intel-node/quant/stats";
import { COMPONENTS, type FearGreedComponent, type NodeIndexData } from "./schema.ts";

/** The inputs of the node's own index. Closes are daily, oldest first. */
export interface NodeIndexInputs {
  readonly btc_closes: readonly number[];
  /** Closes of the larger coins, Bitcoin included; only those that are up to date. */
  readonly universe_closes: readonly (readonly number[])[];
  /** Weighted funding of each 24 hours, newest first; empty unless the newest is current. */
  readonly funding_days: readonly number[];
}

export type ComponentValues = Readonly<Record<FearGreedComponent, number | null>>;

const WEIGHTS: Readonly<Record<FearGreedComponent, number>> = {
  momentum: 0.25,
  volatility: 0.25,
  breadth: 0.2,
  drawdown: 0.15,
  funding: 0.15,
};

const RANK_DAYS = 365;
const MOMENTUM_DAYS = 90;
const VOLATILITY_DAYS = 30;
const BREADTH_DAYS = 50;
const BREADTH_COINS_MIN = 12;
const FUNDING_DAYS_MIN = 60;

/** Rank of the newest of the last 365 daily readings; null when one of them lacks bars. */
function rankNewest(closes: readonly number[], read: (until: readonly number[]) => number | null): number | null {
  const readings = getTrailing(closes, RANK_DAYS, read);
  const newest = readings?.at(-1);
  return readings && newest !== undefined ? getPercentileRank(readings, newest) : null;
}

const lastOf = (values: readonly number[]): number => values.at(-1) ?? Number.NaN;

function readMomentum(until: readonly number[]): number | null {
  const average = getMovingAverage(until, MOMENTUM_DAYS);
  return average === null ? null : lastOf(until) / average - 1;
}

/** The close as a share of the year's highest. */
const readDrawdown = (until: readonly number[]): number | null =>
  until.length < RANK_DAYS ? null : lastOf(until) / Math.max(...until.slice(-RANK_DAYS));

function getBreadth(universe: NodeIndexInputs["universe_closes"]): number | null {
  const above = universe.flatMap((closes) => {
    const average = getMovingAverage(closes, BREADTH_DAYS);
    return average === null ? [] : [lastOf(closes) > average];
  });
  return above.length < BREADTH_COINS_MIN ? null : (100 * above.filter(Boolean).length) / above.length;
}

/** Each component, 0 (fear) to 100 (greed); null where the history is too short. */
export function getComponents({ btc_closes, universe_closes, funding_days }: NodeIndexInputs): ComponentValues {
  const volatility = rankNewest(btc_closes, (until) => getRealisedVolatility(until, VOLATILITY_DAYS));
  const [funding] = funding_days;
  return {
    momentum: rankNewest(btc_closes, readMomentum),
    // Much movement is fear.
    volatility: volatility === null ? null : 100 - volatility,
    breadth: getBreadth(universe_closes),
    drawdown: rankNewest(btc_closes, readDrawdown),
    funding:
      funding === undefined || funding_days.length < FUNDING_DAYS_MIN ? null : getPercentileRank(funding_days, funding),
  };
}

/** The weighted mean of the components that have a value; their weights are scaled to 1. Null when none has one. */
export function weighComponents(values: ComponentValues): NodeIndexData | null {
  const total = COMPONENTS.reduce((sum, name) => sum + (values[name] === null ? 0 : WEIGHTS[name]), 0);
  if (total === 0) return null;
  const components = COMPONENTS.map((name) => {
    const value = values[name];
    return { name, weight: value === null ? 0 : WEIGHTS[name] / total, value };
  });
  const index = components.reduce((sum, { weight, value }) => sum + weight * (value ?? 0), 0);
  return {
    // The band is named after the figure that is shown: one of 24.96 reads 25, and that is no extreme fear.
    value: roundTo(index, 1),
    components,
  };
}

const FEAR = 25;
const NEUTRAL = 45;
const GREED = 55;
const EXTREME_GREED = 75;

/** The band of the node's own index. */
export function classify(value: number): string {
  if (value < FEAR) return "extreme_fear";
  if (value < NEUTRAL) return "fear";
  if (value <= GREED) return "neutral";
  return value <= EXTREME_GREED ? "greed" : "extreme_greed";
}
