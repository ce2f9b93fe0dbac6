import { type FetchContext, NodeError } from "intel-node";
import { cutToKnown, readKnownDay } from "../companies/as-known-at.ts";
import { listResults } from "../companies/earnings.ts";
import { type Company, loadCompany } from "../companies/load-company.ts";
import { fetchGuidance } from "../providers/sec/guidance.ts";
import type { ResultsRead } from "./guidance.ts";
import { type DueReports, earningsCalendar, listDue } from "./stored-calendar.ts";

export type EarningsInputs =
  | {
      readonly company: Company;
      readonly known_at: string;
      /** The newest filings with results; null when one could not be read. */
      readonly results: readonly ResultsRead[] | null;
      readonly warnings: readonly string[];
      readonly calendar: null;
    }
  | { readonly company: null; readonly calendar: DueReports };

/** The newest results can be ahead of the facts by some days: then the newest quarter's are the second. */
const RESULTS_READ = 3;

export interface EarningsQuestion {
  readonly symbol: string | undefined;
  readonly as_known_at: string | undefined;
  readonly reports: number;
}

/** One company from the SEC, or the stored calendar. @throws NodeError without one. */
export async function fetchEarnings(
  context: FetchContext,
  { symbol, as_known_at, reports }: EarningsQuestion,
): Promise<EarningsInputs> {
  if (symbol !== undefined) {
    const known_at = readKnownDay(as_known_at, context.now_ms);
    const company = cutToKnown(await loadCompany(context, symbol), known_at);
    const { cik, filings } = company.registrant;
    const newest = listResults(filings).slice(0, RESULTS_READ);
    const { values, warnings } = await context.each({
      results: {
        field: "guidance.last, guidance.next",
        because: "a filing with results could not be read",
        run: () =>
          Promise.all(
            newest.map(async (filing): Promise<ResultsRead> => {
              return { filing, stated: await fetchGuidance(context, { cik, filing }) };
            }),
          ),
      },
    });
    return { company, known_at, results: values.results, warnings: [...company.warnings, ...warnings], calendar: null };
  }
  const sample = await earningsCalendar.newest(context, { max_age: "7d" });
  if (!sample) {
    const message = "The calendar is not worked out yet. Nothing was charged.";
    throw new NodeError("upstream_unavailable", message, { retry_after_s: 600 });
  }
  const calendar = listDue(sample, context.now_ms, reports);
  for (const source of calendar.sources) context.cite(source);
  return { company: null, calendar };
}
