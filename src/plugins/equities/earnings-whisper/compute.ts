import { type Computed, NodeError } from "intel-node";
import { getWilsonInterval } from "intel-node/quant/intervals";
import { estimateNextReport, expectNext } from "../companies/earnings.ts";
import { createFactBase } from "../facts/fact-base.ts";
import { describeSplit } from "../facts/splits.ts";
import type { EarningsInputs } from "./fetch.ts";
import { judgeGuidance } from "./guidance.ts";
import { readEarnings } from "./read-company.ts";
import type { EarningsWhisperData } from "./schema.ts";

const HISTORY = 12;
const CONSENSUS = "consensus: no official source publishes one, and no licensed vendor is configured";
const UNDATED = "as_of: no file of the SEC states a time of its own; it is of the newest filing, or of the night's run";

const UNSTATED = "no sentence of the press release states a range for that quarter beyond doubt";

const NOBODY = {
  symbol: null,
  company: null,
  cik: null,
  known_at: null,
  next_report: null,
  eps_model: null,
  last_report: null,
  beat_rate: null,
  guidance: { last: null, next: null },
};

/** @throws NodeError when the company reports no quarterly earnings per share. */
export function computeEarnings(inputs: EarningsInputs, now_ms: number): Computed<EarningsWhisperData> {
  if (!inputs.company) {
    const { at_ms, size, reports, due } = inputs.calendar;
    const names =
      "symbol, company, cik, known_at, next_report, eps_model, last_report, beat_rate, guidance.last, guidance.next: " +
      "ask with a symbol";
    const of_shown = `sources: of the companies shown; the calendar was made of the files of ${size}`;
    const further =
      due > reports.length ? [`upcoming: the first ${reports.length} of ${due}; reports asks for more`] : [];
    return {
      as_of_ms: at_ms,
      warnings: [names, CONSENSUS, UNDATED, of_shown, ...further],
      data: {
        mode: "calendar",
        ...NOBODY,
        history: [],
        consensus: null,
        universe_size: size,
        upcoming: [...reports],
      },
    };
  }
  const { known_at } = inputs;
  const { facts, registrant, listing } = inputs.company;
  const quarters = readEarnings({ facts, filings: registrant.filings }, known_at);
  const last = quarters.at(-1);
  if (!last) {
    const message = `${listing.ticker} reported no quarterly earnings per share by ${known_at}. Nothing was charged.`;
    throw new NodeError("subject_not_found", message);
  }
  const model = expectNext(quarters.map(({ eps }) => eps));
  const { splits } = createFactBase(facts, known_at);
  const next = estimateNextReport(registrant.filings, known_at);
  const judged = quarters.filter(({ model_expected }) => model_expected !== null);
  const beats = judged.filter(({ eps, model_expected }) => eps > (model_expected ?? 0)).length;
  const wilson = getWilsonInterval(beats, judged.length);
  const guidance = judgeGuidance(quarters, inputs.results ?? [], registrant.fiscal_year_end);
  const warnings = [CONSENSUS, UNDATED, "universe_size: it is of the calendar", ...inputs.warnings];
  warnings.push(...splits.map((split) => `history: ${describeSplit(split)}`));
  if (inputs.results && !guidance.last) warnings.push(`guidance.last: ${UNSTATED}`);
  if (inputs.results && !guidance.next) warnings.push(`guidance.next: ${UNSTATED}`);
  if (!model) warnings.push("eps_model: fewer than 8 quarters in a row");
  if (!next) warnings.push("next_report: no results of a year ago were found");
  if (!wilson) warnings.push("beat_rate: no quarter has an expectation");
  if (last.accepted_at === null) warnings.push("last_report: no 8-K with its results was found");
  if (quarters.some(({ derived }) => derived)) warnings.push("history: fourth quarters are years less nine months");
  const filed_ms = Math.max(...facts.map(({ filed }) => Date.parse(filed)));
  return {
    as_of_ms: Math.min(now_ms, filed_ms),
    warnings,
    data: {
      mode: "symbol",
      symbol: listing.ticker,
      company: registrant.name,
      cik: registrant.cik,
      known_at,
      next_report: next ? { ...next, source: "estimated" } : null,
      eps_model: model ? { ...model, band_low: model.expected - model.sd, band_high: model.expected + model.sd } : null,
      last_report: last,
      history: quarters.slice(-HISTORY).reverse(),
      beat_rate: wilson ? { beats, n: judged.length, wilson_low: wilson.low, wilson_high: wilson.high } : null,
      guidance,
      consensus: null,
      upcoming: [],
      universe_size: null,
    },
  };
}
