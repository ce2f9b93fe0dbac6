import { addDays, daysBetween } from "intel-node";
import type { StatedGuidance } from "../providers/sec/guidance.ts";
import type { Filing } from "../providers/sec/submissions.ts";
import type { EarningsQuarter, EarningsWhisperData } from "./schema.ts";

/** A filing with results, and what its press release says of a coming quarter; null when nothing certain. */
export interface ResultsRead {
  readonly filing: Filing;
  readonly stated: StatedGuidance | null;
}

const [YEAR_DAYS, QUARTER_DAYS, OFF_DAYS] = [365.25, 91, 20];

/**
 * The quarter of the fiscal year that ends on a day; null when no quarter does. Years of 52 and 53 weeks end some
 * days off.
 * @param fiscal_year_end month and day a fiscal year ends about, MMDD.
 */
export function quarterOf(period_end: string, fiscal_year_end: string | null): number | null {
  const [, month, date] = /^(\d{2})(\d{2})$/.exec(fiscal_year_end ?? "") ?? [];
  if (month === undefined) return null;
  const end = `${period_end.slice(0, 4)}-${month}-${date === "29" && month === "02" ? "28" : date}`;
  const after = (((daysBetween(end, period_end) % YEAR_DAYS) + YEAR_DAYS) % YEAR_DAYS) / (YEAR_DAYS / 4);
  const nearest = Math.round(after);
  if (Math.abs(after - nearest) * (YEAR_DAYS / 4) > OFF_DAYS) return null;
  return nearest % 4 === 0 ? 4 : nearest;
}

/** Whether what was stated is of the quarter that ends on a day: by its number, and by its year where it names one. */
function isOf(stated: StatedGuidance, period_end: string, fiscal_year_end: string | null): boolean {
  const quarter = quarterOf(period_end, fiscal_year_end);
  if (quarter === null || stated.quarter !== quarter) return false;
  if (stated.year === null) return true;
  // A fiscal year is named after the year it ends in, or by some after the one it began in.
  const ends = Number(addDays(period_end, (4 - quarter) * QUARTER_DAYS).slice(0, 4));
  return stated.year === ends || stated.year === ends - 1;
}

/** Earnings compared with the company's own guidance, and its guidance for the next quarter. */
export function judgeGuidance(
  quarters: readonly EarningsQuarter[],
  results: readonly ResultsRead[],
  fiscal_year_end: string | null,
): EarningsWhisperData["guidance"] {
  const [before, last] = [quarters.at(-2), quarters.at(-1)];
  /** What was stated with the results of one quarter, where it is of the quarter that ends on a day. */
  const find = (results_of: EarningsQuarter | undefined, period_end: string) => {
    const { filing, stated } = results.find(({ filing: { url } }) => url === results_of?.url) ?? {};
    if (!filing || !stated || !isOf(stated, period_end, fiscal_year_end)) return null;
    const { low, high, sentence } = stated;
    return { eps_low: low, eps_high: high, sentence, stated_on: filing.filed, url: filing.url };
  };
  if (!last) return { last: null, next: null };
  const earlier = find(before, last.period_end);
  return {
    last: earlier && { ...earlier, ...holdAgainst(earlier, last.eps), eps: last.eps },
    next: find(last, addDays(last.period_end, QUARTER_DAYS)),
  };
}

/** Both ends are above 0 or one is 0, so that the middle divides. */
function holdAgainst({ eps_low, eps_high }: { readonly eps_low: number; readonly eps_high: number }, eps: number) {
  const middle = (eps_low + eps_high) / 2;
  const place = eps < eps_low ? ("below" as const) : eps > eps_high ? ("above" as const) : ("within" as const);
  return { place, surprise_pct: (100 * (eps - middle)) / middle };
}
