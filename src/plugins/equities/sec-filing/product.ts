import { defineProduct, drawRows, exampleOf } from "intel-node";
import { assertCalendarDay } from "../companies/as-known-at.ts";
import { sec } from "../providers/sec/provider.ts";
import { computeSecFilings, replaySecFilings } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchSecFilings } from "./fetch.ts";
import { gist } from "./gist.ts";
import { FILINGS, SecFilingParams, SecFilingSchema } from "./schema.ts";

const example = exampleOf({}, made);

export const product = defineProduct({
  path: "/sec-filing",
  title: "Market-moving SEC filings",
  description:
    "The last 24 hours of 8-K, 10-K, 10-Q, late-filing notices, 13D and tender offers, ranked by a stated score of " +
    "materiality, with ticker, items in words, after-hours mark and the link to the documents; which kinds " +
    "of events are unusually frequent; with as_known_at the list of a past day.",
  category: "equities",
  tags: ["sec", "edgar", "filings", "8-k", "stocks"],
  search: [
    "SEC filings",
    "latest 8-K",
    "10-K 10-Q",
    "Edgar",
    "insider filings",
    "13D",
    "company filings today",
    "documentos da SEC",
    "fatos relevantes nos EUA",
    "new filings",
    "tender offer",
  ],
  price_usd: "0.03",
  params: SecFilingParams,
  normalise(params) {
    assertCalendarDay(params.as_known_at);
    return params;
  },
  data: SecFilingSchema,
  long: ["filings"],
  example,
  gist,
  providers: [sec],
  requires: [[sec]],
  ttl: "2m",
  deadline_ms: 12_000,
  preview: {
    listed: ({ filings }) => ({ n: filings.length, of: "filings" }),
    rowCharts: (shown) =>
      drawRows(shown.filings, {
        title: "Heaviest filings",
        about: "Score of what each reports, 0 to 100, by the weights of its items; no judgement of the company.",
        unit: "number",
        bar: ({ ticker, company, score }) => [ticker ?? company, score],
      }),
    every: "24h",
    delay: "1d",
    redact: (data) => ({ ...data, filings: data.filings.slice(0, 5) }),
  },
  fetch: (context, { as_known_at }) => fetchSecFilings(context, as_known_at),
  compute: ({ live, stored }, { params: { filings = FILINGS.default } }) =>
    live ? computeSecFilings(live, filings) : replaySecFilings(stored, filings),
});
