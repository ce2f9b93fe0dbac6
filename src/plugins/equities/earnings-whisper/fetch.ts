import { type FetchContext, NodeError } from "intel-node";
import { type Company, loadCompany } from "../shared/load-company.ts";
import { type DueReports, earningsCalendar, listDue } from "./stored-calendar.ts";

export type EarningsInputs =
  | { readonly company: Company; readonly calendar: null }
  | { readonly company: null; readonly calendar: DueReports };

/** One company from the SEC, or the stored calendar. @throws NodeError when there is none. */
export async function fetchEarnings(
  context: FetchContext,
  { symbol, reports }: { readonly symbol: string | undefined; readonly reports: number },
): Promise<EarningsInputs> {
  if (symbol !== undefined) return { company: await loadCompany(context, symbol), calendar: null };
  const sample = await earningsCalendar.newest(context, { max_age: "7d" });
  if (!sample) {
    const message = "The calendar is not worked out yet. Nothing was charged.";
    throw new NodeError("upstream_unavailable", message, { retry_after_s: 600 });
  }
  const calendar = listDue(sample, context.now_ms, reports);
  for (const source of calendar.sources) context.cite(source);
  return { company: null, calendar };
}
