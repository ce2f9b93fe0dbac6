import { type Computed, type Draft, missing, NodeError, renderTime } from "intel-node";
import { calendarOf } from "../markets/session.ts";
import type { CurrentFiling } from "../providers/sec/current-filings.ts";
import type { SecFilingInputs } from "./fetch.ts";
import { scoreFiling } from "./items.ts";
import { FILINGS, type SecFilingData, type SecFilingRow } from "./schema.ts";

const WINDOW_HOURS = 24;
/** EDGAR accepts nothing over long weekends; a list older than that is out of date. */
const AGE_MAX_MS = 4 * 86_400_000;
const [UNUSUAL_TIMES, UNUSUAL_MIN, DAYS_MIN] = [3, 5, 5];

/** One entry of each filing: that of the company it is about, if it is also listed under its filer. */
function dedupe(filings: readonly CurrentFiling[]): readonly CurrentFiling[] {
  const kept = new Map<string, CurrentFiling>();
  for (const filing of filings) {
    const known = kept.get(filing.accession);
    if (!known || (known.role === "Filed by" && filing.role !== "Filed by")) kept.set(filing.accession, filing);
  }
  return [...kept.values()];
}

/** How many filings have each item. */
export function countItems(filings: readonly CurrentFiling[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { items } of filings) for (const code of items) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

/** Filings of the 24 hours up to the newest one; null without filings. */
export function cutWindow(filings: readonly CurrentFiling[]) {
  const unique = dedupe(filings);
  if (unique.length === 0) return null;
  const to_ms = Math.max(...unique.map(({ accepted_ms }) => accepted_ms));
  const from_ms = to_ms - WINDOW_HOURS * 3_600_000;
  return { from_ms, to_ms, filings: unique.filter(({ accepted_ms }) => accepted_ms > from_ms) };
}

function findUnusual(counts: Readonly<Record<string, number>>, days: SecFilingInputs["counts"]): string[] | null {
  if (days.length < DAYS_MIN) return null;
  return Object.entries(counts).flatMap(([code, count]) => {
    const mean = days.reduce((sum, day) => sum + (day[code] ?? 0), 0) / days.length;
    return count >= UNUSUAL_MIN && count >= UNUSUAL_TIMES * mean ? [code] : [];
  });
}

function describe(filing: CurrentFiling, { tickers, exchange }: SecFilingInputs): SecFilingRow {
  const { accession, cik, company, form, accepted_ms, items, url } = filing;
  return {
    accession,
    cik,
    company,
    form,
    url,
    ticker: tickers?.by_cik.get(cik)?.ticker ?? null,
    accepted_at: renderTime(accepted_ms),
    after_hours: calendarOf(exchange).stateAt(accepted_ms).status !== "open",
    ...scoreFilingRow(form, items),
  };
}
function scoreFilingRow(form: string, codes: readonly string[]): Pick<SecFilingRow, "items" | "score" | "factors"> {
  const { items, score, factors } = scoreFiling(form, codes);
  return { items: [...items], score, factors: [...factors] };
}

const none = (message: string): NodeError =>
  new NodeError("upstream_unavailable", `${message} Nothing was charged.`, { retry_after_s: 300 });

/** The list as it is sold: the first rows of it, and why nothing is called unusual where that is not known. */
const show = (whole: SecFilingData, shown: number, why_not_unusual: string): Draft<SecFilingData> => ({
  ...whole,
  filings: whole.filings.slice(0, shown),
  unusual: whole.unusual ?? missing(why_not_unusual),
});

/** A stored list, shorter where less was asked for: what was known that evening, and nothing that came later. */
export function replaySecFilings(stored: SecFilingData, shown: number): Computed<Draft<SecFilingData>> {
  return {
    as_of_ms: Date.parse(stored.to),
    warnings: [`filings: as stored at the end of ${stored.known_at} in New York`],
    data: show(stored, shown, `this node had fewer than ${DAYS_MIN} stored days then`),
  };
}

/**
 * The window's filings, the first `shown` of them described.
 * @throws NodeError when the SEC's lists are empty, or end days ago.
 */
export function computeSecFilings(
  inputs: SecFilingInputs,
  shown: number = FILINGS.max,
): Computed<Draft<SecFilingData>> {
  const whole = listSecFilings(inputs);
  return {
    as_of_ms: Date.parse(whole.to),
    warnings: inputs.warnings,
    data: show(whole, shown, `this node has ${inputs.counts.length} of the ${DAYS_MIN} days it takes`),
  };
}

/**
 * All filings of the window that an answer may list, as they are stored at the end of a day.
 * @throws NodeError when the SEC's lists are empty, or end days ago.
 */
export function listSecFilings(inputs: SecFilingInputs): SecFilingData {
  const window = cutWindow(inputs.filings);
  if (!window) throw none("EDGAR lists no filing.");
  if (inputs.now_ms - window.to_ms > AGE_MAX_MS) throw none("EDGAR's newest filing is older than four days.");
  const counts = countItems(window.filings);
  const rows = window.filings.map((filing) => describe(filing, inputs));
  const ranked = rows.toSorted((a, b) => b.score - a.score || (a.accepted_at < b.accepted_at ? 1 : -1));
  return {
    known_at: inputs.known_at,
    window_hours: WINDOW_HOURS,
    from: renderTime(window.from_ms),
    to: renderTime(window.to_ms),
    filings_seen: rows.length,
    items_count: counts,
    filings: ranked.slice(0, FILINGS.max),
    unusual: findUnusual(counts, inputs.counts),
  };
}
