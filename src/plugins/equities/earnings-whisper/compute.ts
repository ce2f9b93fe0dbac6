import { type Computed, type Draft, missing, missingIn, NodeError } from "intel-node";
import { getWilsonInterval } from "intel-node/quant/intervals";
import { estimateNextReport, expectNext } from "../companies/earnings.ts";
import { createFactBase } from "../facts/fact-base.ts";
import { describeSplit } from "../facts/splits.ts";
import type { EarningsInputs } from "./fetch.ts";
import { judgeGuidance } from "./guidance.ts";
import { readEarnings } from "./read-company.ts";
import type { EarningsQuarter, EarningsWhisperData } from "./schema.ts";

const HISTORY = 12;
const NO_CONSENSUS = "no official source publishes one, and no licensed vendor is configured";
const UNDATED = "as_of: no file of the SEC states a time of its own; it is of the newest filing, or of the night's run";

const TOO_FEW_BEFORE = "too few quarters in a row before it";
const UNSTATED = "no sentence of the press release states a range for that quarter beyond doubt";

/** What the calendar has of no company. */
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

/** A quarter, and why its results have no time or nothing to be compared with. */
function explainQuarter({ accepted_at, hour, url, model_expected, sue, ...rest }: EarningsQuarter) {
  const no_sue = model_expected === null ? TOO_FEW_BEFORE : "the differences before it do not vary";
  return {
    ...rest,
    model_expected: model_expected ?? missing(TOO_FEW_BEFORE),
    sue: sue ?? missing(no_sue),
    ...missingIn({ accepted_at, hour, url }, "no 8-K with its results was found"),
  };
}

/** @throws NodeError when the company reports no quarterly earnings per share. */
export function computeEarnings(inputs: EarningsInputs, now_ms: number): Computed<Draft<EarningsWhisperData>> {
  if (!inputs.company) {
    const { at_ms, size, reports, due } = inputs.calendar;
    const of_shown = `sources: of the companies shown; the calendar was made of the files of ${size}`;
    const further =
      due > reports.length ? [`upcoming: the first ${reports.length} of ${due}; reports asks for more`] : [];
    return {
      as_of_ms: at_ms,
      warnings: [UNDATED, of_shown, ...further],
      data: {
        mode: "calendar",
        ...missingIn(NOBODY, "ask with a symbol"),
        history: [],
        consensus: missing(NO_CONSENSUS),
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
  const warnings = [UNDATED, ...inputs.warnings, ...splits.map((split) => `history: ${describeSplit(split)}`)];
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
      next_report: next ? { ...next, source: "estimated" } : missing("no results of a year ago were found"),
      eps_model: model
        ? { ...model, band_low: model.expected - model.sd, band_high: model.expected + model.sd }
        : missing("fewer than 8 quarters in a row"),
      last_report: explainQuarter(last),
      history: quarters.slice(-HISTORY).reverse().map(explainQuarter),
      beat_rate: wilson
        ? { beats, n: judged.length, wilson_low: wilson.low, wilson_high: wilson.high }
        : missing("no quarter has an expectation"),
      guidance: missingIn(guidance, UNSTATED),
      consensus: missing(NO_CONSENSUS),
      upcoming: [],
      universe_size: missing("it is of the calendar"),
    },
  };
}
