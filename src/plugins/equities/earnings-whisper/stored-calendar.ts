import { Type } from "@sinclair/typebox";
import { addDays, defineSeries, type SeriesSample } from "intel-node";
import type { UpcomingReport } from "./schema.ts";

/** What the job `earnings-calendar` expects of every company of the universe. */
export const earningsCalendar = defineSeries({
  name: "equities/earnings-calendar",
  value: Type.Object({
    size: Type.Integer({ minimum: 1 }),
    reports: Type.Array(
      Type.Object({
        symbol: Type.String(),
        /** Which of the sources are this company's; earlier nights wrote none. */
        cik: Type.Optional(Type.Integer({ minimum: 1 })),
        company: Type.String(),
        date: Type.String(),
        hour: Type.Union([Type.Literal("bmo"), Type.Literal("amc"), Type.Literal("during")]),
        eps_expected: Type.Union([Type.Number(), Type.Null()]),
      }),
    ),
  }),
  keep: "newest",
  storage: "disposable",
  cited: true,
});

const DAYS = 7;
type Stored = SeriesSample<{
  readonly size: number;
  readonly reports: readonly (UpcomingReport & { readonly cik?: number })[];
}>;

/** A part of the stored calendar. */
export interface DueReports {
  readonly at_ms: number;
  /** Companies the calendar knows. */
  readonly size: number;
  /** Earliest first. */
  readonly reports: readonly UpcomingReport[];
  /** How many are due; there can be fewer reports. */
  readonly due: number;
  /** Those of the reports' companies, and what is of no company. */
  readonly sources: Stored["sources"];
}

/** The first `most` reports of the next 7 days. */
export function listDue({ at_ms, value, sources }: Stored, now_ms: number, most: number): DueReports {
  const today = new Date(now_ms).toISOString().slice(0, 10);
  const last = addDays(today, DAYS);
  const due = value.reports.filter(({ date }) => date >= today && date <= last);
  const shown = due.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0)).slice(0, most);
  const ciks = new Set(shown.map(({ cik }) => cik));
  const isOfAnother = ({ url }: { readonly url: string }): boolean => {
    const [, cik] = /\/CIK(\d+)\.json/.exec(url) ?? [];
    return cik !== undefined && !ciks.has(undefined) && !ciks.has(Number(cik));
  };
  return {
    at_ms,
    size: value.size,
    due: due.length,
    reports: shown.map(({ cik: _, ...report }) => report),
    sources: sources.filter((source) => !isOfAnother(source)),
  };
}
