import { type Static, Type } from "@sinclair/typebox";
import { closed, count, day, nullable, text } from "intel-node";

export const FILINGS = { max: 40, default: 12 } as const;

const EARLIER =
  "Answer with the list as this node stored it at the end of that day in New York, up to 400 days back; a weekend " +
  "has Friday's. Today when omitted.";

export const SecFilingParams = Type.Object(
  {
    filings: Type.Optional(
      Type.Integer({
        description: "Most filings of the answer, highest score first.",
        minimum: 1,
        maximum: FILINGS.max,
        default: FILINGS.default,
      }),
    ),
    as_known_at: Type.Optional(day(EARLIER)),
  },
  closed,
);

const Filing = Type.Object(
  {
    accession: text("The SEC's number of the filing."),
    cik: Type.Integer({ description: "The SEC's number of the company.", minimum: 1 }),
    ticker: nullable(Type.String(), "Ticker; null for companies without one, or when the list could not be read."),
    company: text("Name as filed."),
    form: text("Form type, such as 8-K; /A marks an amendment."),
    accepted_at: text("When EDGAR accepted it, ISO 8601 UTC."),
    after_hours: Type.Boolean({ description: "Whether New York did not trade when it was accepted." }),
    items: Type.Array(
      Type.Object(
        {
          code: text("Item of Form 8-K, such as 5.02."),
          title: text("What the item is about."),
          weight: Type.Integer({ description: "This node's own weight, 0 to 100.", minimum: 0, maximum: 100 }),
        },
        closed,
      ),
      { description: "Items of an 8-K; none for other forms." },
    ),
    score: Type.Integer({ description: "Materiality by stated weights, 0 to 100.", minimum: 0, maximum: 100 }),
    factors: Type.Array(
      Type.Object(
        { name: text("What it is for."), value: Type.Integer({ description: "Points it adds or takes." }) },
        closed,
      ),
      { description: "What the score is made of." },
    ),
    url: text("Page of the filing with its documents."),
  },
  closed,
);

export const SecFilingSchema = Type.Object(
  {
    known_at: day("The day whose list it is: today, or that of as_known_at."),
    window_hours: Type.Integer({ description: "Hours covered, up to the newest filing.", minimum: 1 }),
    from: text("Start of the window, ISO 8601 UTC."),
    to: text("Acceptance of the newest filing, ISO 8601 UTC."),
    filings_seen: count("Filings of the watched forms in the window."),
    items_count: Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
      description: "How many filings have each item of Form 8-K.",
    }),
    filings: Type.Array(Filing, {
      description: "As many as asked for, highest score first, then newest.",
      maxItems: FILINGS.max,
    }),
    unusual: nullable(
      Type.Array(Type.String()),
      "Items at least 3 times as frequent as on the mean of this node's last 20 days, and at least 5 times; null " +
        "below 5 stored days.",
    ),
  },
  closed,
);

export type SecFilingData = Static<typeof SecFilingSchema>;
export type SecFilingRow = Static<typeof Filing>;
