import { getPearson, getSpearman } from "intel-node/quant/correlation";
import { getFisherInterval } from "intel-node/quant/intervals";
import { isConstant } from "intel-node/quant/moments";
import type { DailyPoint } from "intel-node/series/daily-series";

/** A daily series with the minute its days are observed at. */
export interface CrossSeries {
  readonly id: string;
  /** Log returns, or differences of a yield. */
  readonly move: "log" | "bp";
  readonly points: readonly DailyPoint[];
  /** When the value of a day was observed, ms UTC. */
  readonly observedAt: (date: string) => number;
}

export interface CrossCell {
  readonly a: string;
  readonly b: string;
  readonly n: number;
  readonly pearson: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly spearman: number | null;
  /** Of overlapping returns of two days, for pairs that are observed hours apart. */
  readonly pearson_2d: number | null;
  readonly common_end: string | null;
  readonly asynchronous: boolean;
  readonly null_reason: string | null;
}

const N_MIN = 20;
/** Two markets observed further apart than this share less of the same day: their daily correlation is too low. */
const APART_MAX_MS = 4 * 3_600_000;

const moveBetween = (from: number, to: number, move: CrossSeries["move"]): number =>
  move === "log" ? Math.log(to / from) : to - from;

/** Returns over `step` common days: a gap is one longer return on both sides. */
const returnsOf = (values: readonly number[], step: number, move: CrossSeries["move"]): number[] =>
  values.slice(step).map((value, index) => moveBetween(values[index] ?? Number.NaN, value, move));

/** A series by day, each once, oldest first: it is put in order once, however many pairs it is part of. */
type Days = readonly DailyPoint[];

const days_of = new WeakMap<CrossSeries, Days>();

/** Whether each is a number, of a later day than the one before: years of days are seldom anything else. */
function isInOrder(points: readonly DailyPoint[]): boolean {
  let last = "";
  for (const [date, value] of points) {
    if (!(date > last) || !Number.isFinite(value)) return false;
    last = date;
  }
  return true;
}

/** If a date comes twice the last one counts, and values that are not numbers are left out. */
function readDays(series: CrossSeries): Days {
  const known = days_of.get(series);
  if (known) return known;
  const { points } = series;
  const days = isInOrder(points)
    ? points
    : [...new Map(points.filter(([, value]) => Number.isFinite(value)))].sort(([a], [b]) => (a < b ? -1 : 1));
  days_of.set(series, days);
  return days;
}

interface Common {
  readonly dates: readonly string[];
  /** Values of those days, one list a side. */
  readonly x: readonly number[];
  readonly y: readonly number[];
}

/** The newest days that both have, oldest first. */
function findCommon(left: Days, right: Days, count: number): Common {
  const common: { readonly date: string; readonly a: number; readonly b: number }[] = [];
  let [i, j] = [left.length - 1, right.length - 1];
  while (i >= 0 && j >= 0 && common.length < count) {
    const [[date, a], [other, b]] = [left[i] as DailyPoint, right[j] as DailyPoint];
    if (date === other) common.push({ date, a, b });
    if (date >= other) i -= 1;
    if (other >= date) j -= 1;
  }
  common.reverse();
  return { dates: common.map(({ date }) => date), x: common.map(({ a }) => a), y: common.map(({ b }) => b) };
}

/**
 * How two series of different markets move together: of the last `window` returns between days that both have. Nothing
 * is filled. Null below `n_min` returns, or when one of them does not move.
 */
export function correlateAcross(
  a: CrossSeries,
  b: CrossSeries,
  { window, n_min = N_MIN }: { readonly window: number; readonly n_min?: number },
): CrossCell {
  const { dates, x, y } = findCommon(readDays(a), readDays(b), window + 1);
  const common_end = dates.at(-1) ?? null;
  const returns = (step: number) => [returnsOf(x, step, a.move), returnsOf(y, step, b.move)] as const;
  const [p, q] = returns(1);
  const asynchronous =
    common_end !== null && Math.abs(a.observedAt(common_end) - b.observedAt(common_end)) > APART_MAX_MS;
  const nothing = { pearson: null, low: null, high: null, spearman: null, pearson_2d: null };
  const cell = { a: a.id, b: b.id, n: p.length, common_end, asynchronous };
  if (p.length < n_min) return { ...cell, ...nothing, null_reason: `${p.length} common returns, ${n_min} are needed` };
  const still = isConstant(p) ? a.id : isConstant(q) ? b.id : null;
  if (still !== null) return { ...cell, ...nothing, null_reason: `${still} did not move` };
  const pearson = getPearson(p, q);
  const interval = pearson === null ? null : getFisherInterval(pearson, p.length);
  const [p2, q2] = returns(2);
  return {
    ...cell,
    pearson,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    spearman: getSpearman(p, q),
    pearson_2d: asynchronous ? getPearson(p2, q2) : null,
    null_reason: pearson === null ? "a return is no number" : null,
  };
}

/** Every pair of the first list with the second, once, and none with itself. */
export function correlateAll(
  first: readonly CrossSeries[],
  second: readonly CrossSeries[],
  window: number,
): CrossCell[] {
  const cells: CrossCell[] = [];
  const seen = new Set<string>();
  for (const a of first) {
    for (const b of second) {
      const key = [a.id, b.id].sort().join(" ");
      if (a.id === b.id || seen.has(key)) continue;
      seen.add(key);
      cells.push(correlateAcross(a, b, { window }));
    }
  }
  return cells;
}
