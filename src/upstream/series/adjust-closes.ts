import { daysBetween } from "../../calendars/dates.ts";

/** A close with the exchange's own change to the day before, percent; null when it states none. */
export interface StatedClose {
  readonly date: string;
  readonly close: number;
  readonly change_pct: number | null;
}

/** A log return this far from the exchange's own change means a split or a proceed. */
const ACTION_LOG = 0.006;

/**
 * Adjusts closes to today's number of shares: if a return contradicts the exchange's own change, all earlier closes are
 * multiplied by the factor that makes it agree. Days without a trade are left out.
 */
export function adjustCloses<C extends StatedClose>(
  history: readonly C[],
): {
  readonly closes: readonly C[];
  readonly adjusted_days: number;
} {
  const closes = history.map((row): C & { close: number } => ({ ...row }));
  let adjusted_days = 0;
  let factor = 1;
  for (let index = closes.length - 1; index > 0; index--) {
    const [row, before] = [history[index], history[index - 1]];
    const [own, earlier] = [closes[index], closes[index - 1]];
    if (!row || !before || !own || !earlier) continue;
    const stated = row.change_pct === null ? null : Math.log(1 + row.change_pct / 100);
    const measured = Math.log(row.close / before.close);
    // A return over a gap of many days is not one day's change.
    const is_action =
      stated !== null && Math.abs(measured - stated) > ACTION_LOG && daysBetween(before.date, row.date) <= 7;
    if (is_action && stated !== null) {
      factor *= Math.exp(measured - stated);
      adjusted_days++;
    }
    earlier.close = before.close * factor;
  }
  return { closes, adjusted_days };
}
