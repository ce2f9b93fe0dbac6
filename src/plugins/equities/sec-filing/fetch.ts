import { Type } from "@sinclair/typebox";
import {
  addDays,
  citeSample,
  defineSeries,
  type FetchContext,
  NodeError,
  outcomeOf,
  toNodeError,
  weekdayOf,
} from "intel-node";
import { readKnownDay } from "../companies/as-known-at.ts";
import { type ExchangeDays, readDays } from "../markets/session.ts";
import { type CurrentFiling, fetchCurrentFilings } from "../providers/sec/current-filings.ts";
import { fetchTickers, type Tickers } from "../providers/sec/tickers.ts";
import { WATCHED } from "./items.ts";
import { type SecFilingData, SecFilingSchema } from "./schema.ts";

/** How many filings of each day had each item; the job `sec-items` writes it. */
export const itemCounts = defineSeries({
  name: "equities/sec-items",
  value: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
  every: "1d",
  keep: "30d",
  storage: "disposable",
});

/** The whole list as of the end of each weekday: EDGAR's own reaches back a day or two, so it is kept. */
export const filingDays = defineSeries({
  name: "equities/sec-days",
  value: SecFilingSchema,
  every: "1d",
  keep: "400d",
  storage: "kept",
  cited: true,
});

export interface SecFilingInputs {
  readonly now_ms: number;
  readonly known_at: string;
  readonly filings: readonly CurrentFiling[];
  readonly tickers: Tickers | null;
  /** New York's days, with the operator's own. */
  readonly exchange: ExchangeDays;
  /** Counts by item of earlier days. */
  readonly counts: readonly Readonly<Record<string, number>>[];
  readonly warnings: readonly string[];
}

/** What every watched form had last. @throws NodeError when any form could not be read: a part would look like all. */
async function fetchWatched(context: Pick<FetchContext, "get" | "now_ms">): Promise<readonly CurrentFiling[]> {
  const wanted = WATCHED.flatMap(([form, pages]) => Array.from({ length: pages }, (_, page) => ({ form, page })));
  const outcomes = await Promise.all(wanted.map((one) => outcomeOf(fetchCurrentFilings(context, one))));
  const errors = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.error]));
  if (errors.length > 0) throw toNodeError(errors, "sec-filing");
  return outcomes.flatMap((outcome) => (outcome.ok ? outcome.value : []));
}

/** What is asked of the SEC, or was stored on a past day. */
export type SecFilingAnswer =
  | { readonly live: SecFilingInputs; readonly stored: null }
  | { readonly live: null; readonly stored: SecFilingData };

/** The weekday whose evening list shows what was known on a day. */
function eveningOf(date: string): string {
  const weekday = weekdayOf(date);
  return weekday === 6 ? addDays(date, -1) : weekday === 0 ? addDays(date, -2) : date;
}

async function readStored(context: FetchContext, date: string): Promise<SecFilingData> {
  const evening = eveningOf(date);
  const sample = await filingDays.nearest(context, { at_ms: Date.parse(evening), within: "1h" });
  if (!sample) {
    const message = `This node stored no list of filings on ${evening}. Nothing was charged.`;
    throw new NodeError("subject_not_found", message, { param: "as_known_at" });
  }
  citeSample(context, sample);
  return sample.value;
}

/** @throws NodeError for a future day, and for one without stored data. */
export async function fetchSecFilings(context: FetchContext, as_known_at?: string): Promise<SecFilingAnswer> {
  const today = readKnownDay(undefined, context.now_ms);
  const known_at = readKnownDay(as_known_at, context.now_ms);
  if (known_at < today) return { live: null, stored: await readStored(context, known_at) };
  return { live: await fetchLive(context, today), stored: null };
}

/** What EDGAR lists now. @throws NodeError when a form cannot be read. */
export async function fetchLive(context: FetchContext, known_at: string): Promise<SecFilingInputs> {
  const today_ms = Math.floor(context.now_ms / 86_400_000) * 86_400_000;
  const [filings, { values, warnings }, counts] = await Promise.all([
    fetchWatched(context),
    context.each({ tickers: { field: "ticker", run: () => fetchTickers(context) } }),
    itemCounts.read(context, { last: "21d" }),
  ]);
  return {
    now_ms: context.now_ms,
    known_at,
    filings,
    tickers: values.tickers,
    exchange: readDays(context, "XNYS"),
    warnings,
    counts: counts.filter(({ at_ms }) => at_ms < today_ms).map(({ value }) => value),
  };
}
