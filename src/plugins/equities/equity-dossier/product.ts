import { defineProduct, exampleOf } from "intel-node";
import { assertCalendarDay } from "../companies/as-known-at.ts";
import { B3_TICKER, WORLD_TICKER } from "../markets/elsewhere.ts";
import { sec } from "../providers/sec/provider.ts";
import { normaliseTicker } from "../providers/sec/tickers.ts";
import { drawFilings } from "./charts.ts";
import { computeEquityDossier } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchEquityDossier } from "./fetch.ts";
import { gist } from "./gist.ts";
import { EquityDossierParams, EquityDossierSchema } from "./schema.ts";

const tickerOf = ({ symbol = "AAPL" }: { readonly symbol?: string | undefined }): string => normaliseTicker(symbol);

const example = exampleOf({ symbol: "AAPL" }, made);

export const product = defineProduct({
  path: "/equity-dossier",
  title: "Company file from SEC filings",
  description:
    "A company from its audited filings: twelve months, five years, eight quarters, margins, growth, cash flow, " +
    "leverage, Piotroski and Altman with every flag, dilution, restatements, red-flag filings, insiders, valuation " +
    "where a price may be sold; with as_known_at as it was known on a past day. Every number with tag, period and " +
    "accession by detail=full.",
  category: "equities",
  tags: ["fundamentals", "sec", "xbrl", "piotroski", "stocks"],
  search: [
    "company fundamentals",
    "Apple financial statements",
    "balance sheet",
    "Piotroski score",
    "Altman Z",
    "revenue and margins",
    "fundamentos da empresa",
    "demonstrações financeiras",
    "is this company healthy",
    "cash flow",
    "income statement",
    "valuation of a company",
    "13F holdings",
    "institutional holders of a share",
    "investidores institucionais",
  ],
  price_usd: "0.25",
  params: EquityDossierParams,
  normalise({ symbol, detail, as_known_at }) {
    assertCalendarDay(as_known_at);
    return {
      symbol: tickerOf({ symbol }),
      ...(detail === undefined ? {} : { detail }),
      ...(as_known_at === undefined ? {} : { as_known_at }),
    };
  },
  elsewhere: [B3_TICKER, WORLD_TICKER],
  data: EquityDossierSchema,
  long: ["annual", "quarters", "provenance"],
  example,
  gist,
  providers: [sec],
  requires: [[sec]],
  asks: { "/stock-quote": "optional" },
  ttl: "12h",
  deadline_ms: 12_000,
  preview: {
    every: "24h",
    delay: "1d",
    redact: (data) => ({
      ...data,
      annual: [],
      quarters: [],
      valuation: null,
      restatements: [],
      red_flags: [],
      insiders: null,
    }),
    charts: drawFilings,
  },
  fetch: (context, params) =>
    fetchEquityDossier(context, { symbol: tickerOf(params), as_known_at: params.as_known_at }),
  compute: (inputs, { params, now_ms }) => computeEquityDossier(inputs, { now_ms, detail: params.detail ?? "summary" }),
});
