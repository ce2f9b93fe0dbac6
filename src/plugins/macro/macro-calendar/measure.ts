import { addDays, toDate, weekdayOf } from "intel-node";
import type { FredObservation } from "intel-node/providers/fred/series";
import { mean, sampleStandardDeviation } from "simple-statistics";
import type { Measure } from "../releases/kinds.ts";

export interface Numbers {
  readonly period: string;
  readonly previous: number | null;
  readonly actual: number | null;
  readonly vs_trailing: number | null;
}

const TRAILING = 12;

/** The first day of the period a release of a day is about, as the series dates it, and its name. */
export function findPeriod(measure: Measure, day: string): { readonly date: string; readonly name: string } {
  if (measure.period === "week") {
    // Claims of a Thursday are those of the week that ended the Saturday before.
    const saturday = addDays(day, -(weekdayOf(day) + 1));
    return { date: saturday, name: saturday };
  }
  const inside = addDays(day, -(measure.lag_days_min ?? 0));
  const [year, month] = [Number(inside.slice(0, 4)), Number(inside.slice(5, 7))];
  if (measure.period === "quarter") {
    const date = toDate(year, 3 * Math.floor((month - 1) / 3) - 2, 1);
    return { date, name: `${date.slice(0, 4)}-Q${Math.floor((Number(date.slice(5, 7)) + 2) / 3)}` };
  }
  const date = toDate(year, month - 1, 1);
  return { date, name: date.slice(0, 7) };
}

/** Each observation as the release states it. A change is one from the period before: over a gap it is missing. */
function transform(observations: readonly FredObservation[], { as, period }: Measure): readonly FredObservation[] {
  if (as === "level") return observations;
  return observations.flatMap(({ date, value }, index) => {
    const before = observations[index - 1];
    const months = (text: string): number => Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7));
    const is_next = before && (period !== "month" || months(date) - months(before.date) === 1);
    if (!before || !is_next || before.value === 0) return [];
    return [{ date, value: as === "pct" ? (value / before.value - 1) * 100 : value - before.value }];
  });
}

type Maybe = readonly FredObservation[] | null;

/**
 * The numbers of a release from its series: `actual` only when the series holds exactly the period that is due, so that
 * no earlier number is taken for a new one.
 */
export function measureRelease(
  measure: Measure,
  { day, about, series }: { readonly day: string; readonly about?: string | undefined; readonly series: Maybe },
): Numbers {
  const { date, name } = about ? { date: about, name: about.slice(0, 7) } : findPeriod(measure, day);
  const values = transform(series ?? [], measure);
  const at = values.findIndex((one) => one.date === date);
  const before = at >= 0 ? values.slice(0, at) : values.filter((one) => one.date < date);
  const actual = at >= 0 ? (values[at]?.value ?? null) : null;
  const trailing = before.slice(-TRAILING).map(({ value }) => value);
  const spread = trailing.length === TRAILING ? sampleStandardDeviation(trailing) : 0;
  return {
    period: name,
    previous: before.at(-1)?.value ?? null,
    actual,
    vs_trailing: actual !== null && spread > 0 ? (actual - mean(trailing)) / spread : null,
  };
}
