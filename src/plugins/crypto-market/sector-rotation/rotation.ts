import { mean, sampleStandardDeviation } from "simple-statistics";
import type { Quadrant } from "./schema.ts";

/** Days back of the returns. */
export const HORIZONS = [7, 30, 90] as const;
export type Horizon = (typeof HORIZONS)[number];
/** Simple returns, fractions, by days back. */
export type Returns = Readonly<Record<Horizon, number>>;

export interface SectorMember {
  readonly symbol: string;
  /** Above 0; only their ratios matter. */
  readonly weight: number;
  readonly returns: Returns;
}

export interface Group {
  readonly id: string;
  readonly members: readonly SectorMember[];
}

/** All fractions. */
export interface SectorRotation {
  readonly id: string;
  readonly returns: Returns;
  /** ln((1 + r30) / (1 + the market's r30)). */
  readonly rs30: number;
  readonly momentum: number;
  readonly quadrant: Quadrant;
}

export interface Rotations {
  readonly market: Returns;
  /** In the order of the groups. */
  readonly groups: readonly SectorRotation[];
}

const SHORT_OF_LONG = 7 / 30;

/** Return of a basket that held the members by weight at its start. */
export function getWeightedReturns(members: readonly SectorMember[]): Returns {
  const whole = members.reduce((sum, { weight }) => sum + weight, 0);
  const over = (days: Horizon) => members.reduce((sum, { weight, returns }) => sum + weight * returns[days], 0) / whole;
  return { 7: over(7), 30: over(30), 90: over(90) };
}

/** Relative strength and its momentum, as in relative rotation graphs but without their proprietary smoothing. */
export function getQuadrant(rs30: number, momentum: number): Quadrant {
  if (rs30 > 0) return momentum > 0 ? "leading" : "weakening";
  return momentum > 0 ? "improving" : "lagging";
}

/** Each group compared with all members together. */
export function computeRotations(groups: readonly Group[]): Rotations {
  const market = getWeightedReturns(groups.flatMap(({ members }) => members));
  const rotations = groups.map(({ id, members }) => {
    const returns = getWeightedReturns(members);
    const strength = (days: Horizon) => Math.log((1 + returns[days]) / (1 + market[days]));
    const rs30 = strength(30);
    const momentum = strength(7) - rs30 * SHORT_OF_LONG;
    return { id, returns, rs30, momentum, quadrant: getQuadrant(rs30, momentum) };
  });
  return { market, groups: rotations };
}

/** Spreads below this are rounding. */
const SIGMA_MIN = 1e-12;

/** Sample standard deviations from the mean; null for fewer than two values or equal ones. */
export function getZScores(values: readonly number[]): readonly (number | null)[] {
  const sigma = values.length < 2 ? 0 : sampleStandardDeviation([...values]);
  if (sigma < SIGMA_MIN) return values.map(() => null);
  const middle = mean([...values]);
  return values.map((value) => (value - middle) / sigma);
}
