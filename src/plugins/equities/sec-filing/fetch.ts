import { Type } from "@sinclair/typebox";
import { type Calendar, defineSeries, type FetchContext, outcomeOf, toNodeError } from "intel-node";
import { type CurrentFiling, fetchCurrentFilings } from "../providers/sec/current-filings.ts";
import { fetchTickers, type Tickers } from "../providers/sec/tickers.ts";
import { readCalendar } from "../shared/session.ts";
import { WATCHED } from "./items.ts";

/** How many filings of each day had each item; the job `sec-items` writes it. */
export const itemCounts = defineSeries({
  name: "equities/sec-items",
  value: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
  every: "1d",
  keep: "30d",
  storage: "disposable",
});

export interface SecFilingInputs {
  readonly filings: readonly CurrentFiling[];
  readonly tickers: Tickers | null;
  /** New York's days, with the operator's own. */
  readonly calendar: Calendar;
  /** Counts by item of earlier days. */
  readonly counts: readonly Readonly<Record<string, number>>[];
  readonly warnings: readonly string[];
}

/** What every watched form had last. @throws NodeError when any form could not be read: a part would look like all. */
export async function fetchWatched(context: Pick<FetchContext, "get" | "now_ms">): Promise<readonly CurrentFiling[]> {
  const wanted = WATCHED.flatMap(([form, pages]) => Array.from({ length: pages }, (_, page) => ({ form, page })));
  const outcomes = await Promise.all(wanted.map((one) => outcomeOf(fetchCurrentFilings(context, one))));
  const errors = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.error]));
  if (errors.length > 0) throw toNodeError(errors, "sec-filing");
  return outcomes.flatMap((outcome) => (outcome.ok ? outcome.value : []));
}

export async function fetchSecFilings(context: FetchContext): Promise<SecFilingInputs> {
  const today_ms = Math.floor(context.now_ms / 86_400_000) * 86_400_000;
  const [filings, { values, warnings }, counts] = await Promise.all([
    fetchWatched(context),
    context.each({ tickers: { field: "ticker", run: () => fetchTickers(context) } }),
    itemCounts.read(context, { last: "21d" }),
  ]);
  return {
    ...{ filings, tickers: values.tickers, calendar: readCalendar(context, "XNYS"), warnings },
    counts: counts.filter(({ at_ms }) => at_ms < today_ms).map(({ value }) => value),
  };
}
