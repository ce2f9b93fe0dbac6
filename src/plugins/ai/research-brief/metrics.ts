import { getWilsonInterval } from "intel-node/quant/intervals";
import { getMovingAverage, getRealisedVolatility, getTrailing, mad, median } from "intel-node/quant/stats";
import type { BarSeries } from "intel-node/series/bar-series";

/** Days of history a metric is judged by. */
const HISTORY_DAYS = 365;
/** For a metric whose first reading takes its own bars, fewer are enough. */
const HISTORY_MIN = 300;
const RETURN_DAYS = 5;
const VOLATILITY_DAYS = 30;
const AVERAGE_DAYS = 50;
/** A median absolute deviation of a normal distribution in standard deviations: 1 / 0.6745. */
const MAD_SCALE = 1.4826;
const COINS_MIN = 5;

/** One reading a day, the newest last, and the closes of the coin it is about, of the same days. */
export interface Metric {
  readonly id: string;
  readonly label: string;
  readonly about: string;
  readonly history: readonly number[];
  readonly closes: readonly number[];
}

/** A metric today; without its own history it has none here. */
export interface Candidate {
  readonly id: string;
  readonly label: string;
  readonly about: string;
  readonly value: number;
  readonly unit: "pct" | "number";
  /** Robust standard deviations off the median. */
  readonly z: number;
  readonly metric: Metric | null;
}

const closesOf = ({ bars }: BarSeries): readonly number[] => bars.map(({ close }) => close);

/** Percent over five days, on each of the last days. */
const listReturns = (closes: readonly number[]): number[] =>
  closes.slice(RETURN_DAYS).map((close, index) => 100 * (close / (closes[index] ?? Number.NaN) - 1));

/** Share of the coins above their 50-day average, percent, on each of the last days. */
function listBreadth(all: readonly (readonly number[])[]): number[] {
  const days = Math.min(...all.map((closes) => closes.length)) - AVERAGE_DAYS;
  return Array.from({ length: Math.max(0, days) }, (_, index) => {
    const back = days - 1 - index;
    const above = all.filter((closes) => {
      const until = closes.slice(0, closes.length - back);
      return (until.at(-1) ?? 0) > (getMovingAverage(until, AVERAGE_DAYS) ?? Number.POSITIVE_INFINITY);
    });
    return (100 * above.length) / all.length;
  });
}

/** Every metric of the coins' daily bars: five-day changes, volatility, and how many are above their average. */
export function listMetrics(series: readonly BarSeries[]): readonly Metric[] {
  const own = series.flatMap((one): Metric[] => {
    const closes = closesOf(one);
    const about = one.symbol;
    const id = about.toLowerCase();
    const volatility =
      getTrailing(closes, HISTORY_DAYS, (until) => getRealisedVolatility(until, VOLATILITY_DAYS)) ?? [];
    return [
      { id: `${id}_return_5d`, label: `${about} change, 5d`, about, closes, history: listReturns(closes) },
      {
        id: `${id}_vol_30d`,
        label: `${about} volatility, 30d`,
        about,
        closes,
        history: volatility.map((one) => 100 * one),
      },
    ];
  });
  const bitcoin = series.find(({ symbol }) => symbol === "BTC");
  if (!bitcoin || series.length < COINS_MIN) return own;
  const history = listBreadth(series.map(closesOf));
  const breadth = { id: "breadth", label: "share of coins above their 50-day average", about: "BTC", history };
  return [...own, { ...breadth, closes: closesOf(bitcoin) }];
}

/** How far a reading is off the median of all, in robust standard deviations; null when all are equal. */
export function getRobustZ(history: readonly number[], value = history.at(-1)): number | null {
  const [middle, spread] = [median(history), mad(history)];
  if (value === undefined || middle === null || spread === null || spread === 0) return null;
  return (value - middle) / (MAD_SCALE * spread);
}

export const toCandidate = (metric: Metric): Candidate[] => {
  const history = metric.history.slice(-HISTORY_DAYS);
  const [value, z] = [history.at(-1), history.length >= HISTORY_MIN ? getRobustZ(history) : null];
  if (value === undefined || z === null) return [];
  const { id, label, about } = metric;
  return [{ id, label, about, value, unit: "pct", z, metric: { ...metric, history } }];
};

export interface BriefTopic {
  readonly id: string;
  readonly z: number;
}

/** From here on a day is unusual. */
const UNUSUAL = 2;
/** How much a topic of the last two editions must have grown to be one again. */
const GROWN = 0.5;
const RUNNERS_UP = 2;

/**
 * The most unusual of some metrics, and the next two. One that the last two editions had is taken again only when it
 * has grown. Null when nothing is unusual.
 */
export function pickTopic<T extends BriefTopic>(candidates: readonly T[], previous: readonly BriefTopic[]) {
  const isNew = ({ id, z }: T) => {
    const last = previous.find((one) => one.id === id);
    return last === undefined || Math.abs(z) >= Math.abs(last.z) + GROWN;
  };
  const unusual = candidates
    .filter(({ z }) => Math.abs(z) >= UNUSUAL)
    .toSorted((a, b) => Math.abs(b.z) - Math.abs(a.z) || (a.id < b.id ? -1 : 1));
  const topic = unusual.find(isNew) ?? null;
  return { topic, runners_up: unusual.filter((one) => one !== topic).slice(0, RUNNERS_UP) };
}

/** A coin's own metrics, the furthest off first, however usual; null without metrics. */
export function pickOfCoin<T extends BriefTopic & { readonly about: string }>(
  candidates: readonly T[],
  symbol: string,
) {
  const own = candidates.filter(({ about, id }) => about === symbol && id !== "breadth");
  const [topic = null, ...others] = own.toSorted((a, b) => Math.abs(b.z) - Math.abs(a.z) || (a.id < b.id ? -1 : 1));
  return topic === null ? null : { topic, runners_up: others.slice(0, RUNNERS_UP) };
}

export interface SimilarDays {
  readonly horizon_d: number;
  readonly n: number;
  readonly mean_pct: number;
  readonly hit_rate: number;
  readonly wilson_low: number;
  readonly wilson_high: number;
}

const HORIZONS = [1, 5, 20] as const;
const SIMILAR_MIN = 8;
/** A day counts as similar from this share of today's distance on, on the same side. */
const SIMILAR = 0.8;

/** What the coin did after days as unusual as this one; horizons with fewer than eight of them are left out. */
export function findSimilarDays({ history, closes }: Metric, z: number): readonly SimilarDays[] {
  const offset = closes.length - history.length;
  const days = history.flatMap((value, index) => {
    const own = getRobustZ(history, value);
    const is_similar = own !== null && Math.sign(own) === Math.sign(z) && Math.abs(own) >= SIMILAR * Math.abs(z);
    return is_similar ? [index + offset] : [];
  });
  return HORIZONS.flatMap((horizon_d) => {
    const moves = days.flatMap((day) => {
      const [from, to] = [closes[day], closes[day + horizon_d]];
      return from === undefined || to === undefined ? [] : [100 * (to / from - 1)];
    });
    const n = moves.length;
    const hits = moves.filter((move) => move > 0).length;
    const wilson = getWilsonInterval(hits, n);
    if (n < SIMILAR_MIN || !wilson) return [];
    const mean_pct = moves.reduce((sum, move) => sum + move, 0) / n;
    return [{ horizon_d, n, mean_pct, hit_rate: hits / n, wilson_low: wilson.low, wilson_high: wilson.high }];
  });
}
