import { type FetchContext, NodeError } from "intel-node";
import { cutToKnown, readKnownDay } from "../shared/as-known-at.ts";
import { type Company, loadCompany } from "../shared/load-company.ts";
import { type DueReports, earningsCalendar, listDue } from "./stored-calendar.ts";

export type EarningsInputs =
  | { readonly company: Company; readonly known_at: string; readonly calendar: null }
  | { readonly company: null; readonly calendar: DueReports };

export interface EarningsQuestion {
  readonly symbol: string | undefined;
  readonly as_known_at: string | undefined;
  readonly reports: number;
}

/** One company from the SEC, or the stored calendar. @throws NodeError when there is none. */
export async function fetchEarnings(
  context: FetchContext,
  { symbol, as_known_at, reports }: EarningsQuestion,
): Promise<EarningsInputs> {
  if (symbol !== undefined) {
    const known_at = readKnownDay(as_known_at, context.now_ms);
    return { company: cutToKnown(await loadCompany(context, symbol), known_at), known_at, calendar: null };
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
