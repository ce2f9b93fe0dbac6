import { citeSample, type FetchContext, NodeError, type Sample } from "intel-node";
import { type Company, loadCompany } from "../shared/load-company.ts";
import type { UpcomingReport } from "./schema.ts";
import { earningsCalendar } from "./stored-calendar.ts";

export type EarningsInputs =
  | { readonly company: Company; readonly calendar: null }
  | { readonly company: null; readonly calendar: Sample<{ size: number; reports: UpcomingReport[] }> };

/** One company from the SEC, or the stored calendar. @throws NodeError when there is none. */
export async function fetchEarnings(context: FetchContext, symbol: string | undefined): Promise<EarningsInputs> {
  if (symbol !== undefined) return { company: await loadCompany(context, symbol), calendar: null };
  const calendar = await earningsCalendar.newest(context, { max_age: "7d" });
  if (!calendar) {
    const message = "The calendar is not worked out yet. Nothing was charged.";
    throw new NodeError("upstream_unavailable", message, { retry_after_s: 600 });
  }
  citeSample(context, calendar);
  return { company: null, calendar };
}
