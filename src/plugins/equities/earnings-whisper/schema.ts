import { type Static, Type } from "@sinclair/typebox";
import { closed, count, day, nullable, oneOf, text } from "intel-node";
import { AsKnownAt } from "../companies/as-known-at.ts";

const HOURS = ["bmo", "amc", "during"] as const;
const hour = oneOf(HOURS, "bmo: before New York opens; amc: after it closes; during: in between.");
const usd = (description: string) => Type.Number({ description, decimals: 6 });
const usdOrNull = (description: string) => nullable(Type.Number({ decimals: 6 }), description);

export const REPORTS = { max: 25, default: 10 } as const;

export const EarningsWhisperParams = Type.Object(
  {
    symbol: Type.Optional(
      Type.String({
        description: "Ticker of a US company; without it the expected reports of the next 7 days.",
        pattern: "^[A-Za-z]{1,6}([.\\-/][A-Za-z]{1,2})?$",
        maxLength: 9,
      }),
    ),
    reports: Type.Optional(
      Type.Integer({
        description: "Without a symbol: most reports of the answer, earliest first.",
        minimum: 1,
        maximum: REPORTS.max,
        default: REPORTS.default,
      }),
    ),
    as_known_at: AsKnownAt,
    format: Type.Optional(Type.Literal("json", { description: "Form of the answer: json.", default: "json" })),
  },
  closed,
);

const Quarter = Type.Object(
  {
    period_end: day("Last day of the quarter."),
    eps: usd("Diluted earnings per share, US dollars."),
    derived: Type.Boolean({ description: "Whether it is the year less nine months, which is approximate per share." }),
    model_expected: usdOrNull("What the model expected before it; null without enough quarters."),
    sue: nullable(Type.Number({ decimals: 6 }), "eps less that, in the model's deviations; null without, or at none."),
    accepted_at: nullable(Type.String(), "When the results were filed, ISO 8601 UTC; null when no 8-K was found."),
    hour: nullable(hour, "The same as a part of the day; null without it."),
    url: nullable(Type.String(), "The filing; null without it."),
  },
  closed,
);

const Upcoming = Type.Object(
  {
    symbol: text("Ticker."),
    company: text("Name."),
    date: day("Expected day."),
    hour,
    eps_expected: usdOrNull("What the model expects; null without enough quarters."),
  },
  closed,
);

const Stated = {
  eps_low: usd("Lower end of what it stated, diluted earnings per share, US dollars."),
  eps_high: usd("Upper end."),
  sentence: text("The sentence of its press release, word for word."),
  stated_on: day("When that was filed."),
  url: text("The filing it is an exhibit of."),
};
const Guidance = Type.Object(
  {
    last: nullable(
      Type.Object(
        {
          ...Stated,
          eps: usd("What it then reported: last_report.eps."),
          place: oneOf(["below", "within", "above"], "Where that is."),
          surprise_pct: Type.Number({ description: "eps against the middle of the range, percent.", decimals: 4 }),
        },
        closed,
      ),
      "What the company had said of the newest quarter a quarter before",
      "when nothing certain",
    ),
    next: nullable(
      Type.Object(Stated, closed),
      "What it said of the quarter to come with its newest results",
      "when nothing certain",
    ),
  },
  {
    ...closed,
    description:
      "The company's own ranges for a quarter, where one sentence of its press release states them beyond doubt.",
  },
);

export const EarningsWhisperSchema = Type.Object(
  {
    mode: oneOf(["symbol", "calendar"], "One company, or the reports of the next days."),
    symbol: nullable(Type.String(), "Ticker", "in calendar mode"),
    company: nullable(Type.String(), "Name", "in calendar mode"),
    cik: nullable(Type.Integer({ minimum: 1 }), "The SEC's number of it", "in calendar mode"),
    known_at: nullable(day("Only what was filed by this day is used: today, or as_known_at."), "", "in calendar mode"),
    next_report: nullable(
      Type.Object(
        {
          date: day("Expected day: results of the same quarter last year + 364 days."),
          earliest: day("Earliest day of the same rule over three years."),
          latest: day("Latest day of the same."),
          hour,
          source: Type.Literal("estimated", {
            description: "No company states its date to the SEC in structured form.",
          }),
        },
        closed,
      ),
      "When results come next",
      "in calendar mode, and without results of a year ago",
    ),
    eps_model: nullable(
      Type.Object(
        {
          expected: usd("Expected diluted earnings per share of the next quarter, US dollars."),
          band_low: usd("Less one standard deviation of the seasonal differences."),
          band_high: usd("Plus the same."),
          drift: usd("Mean seasonal difference."),
          sd: usd("Sample standard deviation of the seasonal differences."),
          n: count("Seasonal differences used, at most 8."),
        },
        closed,
      ),
      "A statistical expectation, not an analyst's",
      "in calendar mode, and below 8 quarters",
    ),
    last_report: nullable(Quarter, "The newest quarter", "in calendar mode"),
    history: Type.Array(Quarter, { description: "Up to 12 quarters, newest first; empty in calendar mode." }),
    beat_rate: nullable(
      Type.Object(
        {
          beats: count("Quarters above what the model expected."),
          n: count("Quarters with an expectation."),
          wilson_low: Type.Number({
            description: "Lower end of the 95 % interval.",
            minimum: 0,
            maximum: 1,
            decimals: 6,
          }),
          wilson_high: Type.Number({ description: "Upper end of it.", minimum: 0, maximum: 1, decimals: 6 }),
        },
        closed,
      ),
      "How often earnings were above the model",
      "in calendar mode, and without expectations",
    ),
    guidance: Guidance,
    consensus: nullable(Type.Number(), "Analysts' expectation; null: no official source, and no licensed vendor."),
    upcoming: Type.Array(Upcoming, {
      description: "Expected reports of the next 7 days, as many as asked for; empty in symbol mode.",
    }),
    universe_size: nullable(Type.Integer({ minimum: 1 }), "Companies the calendar knows", "in symbol mode"),
  },
  closed,
);

export type EarningsWhisperData = Static<typeof EarningsWhisperSchema>;
export type EarningsQuarter = Static<typeof Quarter>;
export type UpcomingReport = Static<typeof Upcoming>;
