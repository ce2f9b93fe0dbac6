import { createParam, type ParamOptions, type StandardParam } from "./parameter.ts";

export interface DateParamOptions extends ParamOptions {
  /** First and last day that are taken, "2000-01-01"; asked at every call, because the last one is often today. */
  readonly range?: () => { readonly first?: string; readonly last?: string };
}

const FORM = /^(\d{4})-?(\d{2})-?(\d{2})$/;

/** "2026-02-29" is no day; neither is what has a month 13. */
function readDay(text: string): string | null {
  const [, year = "", month = "", day = ""] = FORM.exec(text) ?? [];
  if (year === "") return null;
  const date = `${year}-${month}-${day}`;
  const time_ms = Date.parse(`${date}T00:00:00Z`);
  return Number.isFinite(time_ms) && new Date(time_ms).toISOString().startsWith(date) ? date : null;
}

/** A day of the calendar, "2026-11-22". */
export function dateParam(options: DateParamOptions): StandardParam<string> {
  const inRange = (date: string): boolean => {
    const { first = date, last = date } = options.range?.() ?? {};
    return date >= first && date <= last;
  };
  const showRange = (): string => {
    const { first, last } = options.range?.() ?? {};
    return [first ? `from ${first}` : "", last ? `up to ${last}` : ""].filter(Boolean).join(" ");
  };
  return createParam<string>({
    name: "date",
    ...options,
    forms: "A day as YYYY-MM-DD.",
    chars_max: 10,
    read(text) {
      const date = readDay(text);
      return date !== null && inRange(date) ? date : null;
    },
    wants: (text) => {
      const why = readDay(text) === null ? "must be a day as YYYY-MM-DD" : "must be a day";
      return [why, showRange()].filter(Boolean).join(" ");
    },
  });
}
