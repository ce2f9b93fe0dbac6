import { defineProduct, exampleOf } from "intel-node";
import { assertCalendarDay } from "../companies/as-known-at.ts";
import { B3_TICKER, WORLD_TICKER } from "../markets/elsewhere.ts";
import { sec } from "../providers/sec/provider.ts";
import { normaliseTicker } from "../providers/sec/tickers.ts";
import { drawSurprises } from "./charts.ts";
import { computeEarnings } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { type EarningsInputs, fetchEarnings } from "./fetch.ts";
import { gist } from "./gist.ts";
import { EarningsWhisperParams, EarningsWhisperSchema, REPORTS } from "./schema.ts";

const example = exampleOf({ symbol: "AAPL" }, made);

export const product = defineProduct({
  path: "/earnings-whisper",
  title: "Earnings expectations",
  description:
    "When a US company reports next and at which hour, what its own history lets one expect of earnings per share " +
    "with an error band, how far each report was off (SUE) and how often above; without a symbol the reports due in " +
    "the next 7 days. All from public filings, no rumours.",
  category: "equities",
  tags: ["earnings", "eps", "sec", "surprise", "stocks"],
  search: [
    "when does Apple report",
    "next earnings date",
    "earnings calendar",
    "EPS estimate",
    "earnings surprise",
    "quarterly results",
    "resultados trimestrais",
    "quando a Apple divulga resultado",
    "balanço da Apple",
    "temporada de balanços",
    "earnings this week",
  ],
  price_usd: "0.08",
  params: EarningsWhisperParams,
  normalise({ symbol, reports, as_known_at }) {
    assertCalendarDay(as_known_at);
    if (symbol === undefined) return reports === undefined ? {} : { reports };
    return { symbol: normaliseTicker(symbol), ...(as_known_at === undefined ? {} : { as_known_at }) };
  },
  elsewhere: [B3_TICKER, WORLD_TICKER],
  data: EarningsWhisperSchema,
  long: ["history"],
  example,
  gist,
  providers: [sec],
  requires: [[sec]],
  ttl: "6h",
  deadline_ms: 12_000,
  preview: {
    every: "24h",
    delay: "1d",
    params: [{ symbol: "AAPL" }],
    listed: ({ upcoming }) => ({ n: upcoming.length, of: "reports due" }),
    redact: (data) => ({
      ...data,
      eps_model: null,
      upcoming: data.upcoming.slice(0, 3).map((one) => ({ ...one, eps_expected: null })),
    }),
    charts: ({ data }) => drawSurprises(data),
  },
  fetch: (context, { symbol, as_known_at, reports = REPORTS.default }) =>
    fetchEarnings(context, { symbol, as_known_at, reports }),
  compute: (inputs: EarningsInputs, { now_ms }) => computeEarnings(inputs, now_ms),
});
