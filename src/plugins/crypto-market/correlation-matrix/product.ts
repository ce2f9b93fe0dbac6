import { defineProduct, exampleOf } from "intel-node";
import { CANDLE_VENUES } from "intel-node/providers/candle-venues";
import { ecb } from "intel-node/providers/ecb/provider";
import { fred } from "intel-node/providers/fred/provider";
import { drawCorrelations } from "./charts.ts";
import { computeCorrelations, redactCorrelations, rewindCorrelations } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchCorrelations } from "./fetch.ts";
import { gist } from "./gist.ts";
import { normaliseOwn, readOwnList } from "./own-list.ts";
import { CorrelationParams, CorrelationSchema } from "./schema.ts";

const VENUES = CANDLE_VENUES.map(({ provider }) => provider);

const example = exampleOf({}, made);

export const product = defineProduct({
  path: "/correlation-matrix",
  title: "Crypto correlation matrix",
  description:
    "How BTC, ETH, SOL and seven more large coins, or your own list with shares, currencies, gold, move together " +
    "over 30 and 90 days: Pearson and Spearman correlations of daily log returns with p values, 95 % intervals and " +
    "Holm-adjusted significance, a noise-reduced (Ledoit-Wolf) matrix, the change against the quarter before, the " +
    "share of the first principal component, betas to Bitcoin, and with weights the risk of the whole.",
  category: "crypto-market",
  tags: ["correlation", "risk", "portfolio", "beta", "statistics"],
  search: [
    "correlation between bitcoin and ethereum",
    "are BTC and ETH correlated",
    "crypto correlations",
    "beta to bitcoin",
    "correlação entre bitcoin e ethereum",
    "diversification",
    "do coins move together",
    "correlation of my portfolio",
    "correlation of stocks and bitcoin",
    "correlação entre ações",
    "moedas se movem juntas",
  ],
  price_usd: "0.18",
  params: CorrelationParams,
  normalise: normaliseOwn,
  data: CorrelationSchema,
  long: [
    "windows.pearson_p",
    "windows.ci_lo",
    "windows.ci_hi",
    "windows.spearman",
    "windows.spearman_p",
    "windows.shrunk",
    "macro",
  ],
  example,
  gist,
  providers: [...VENUES, ecb, fred],
  requires: [VENUES],
  ttl: "1h",
  max_age: "25h",
  deadline_ms: 12_000,
  preview: {
    every: "24h",
    delay: "1d",
    rewind: rewindCorrelations,
    redact: redactCorrelations,
    charts: ({ data }) => drawCorrelations(redactCorrelations(data)),
  },
  fetch: (context, params) => fetchCorrelations(context, readOwnList(params)),
  compute: (inputs, { params }) => computeCorrelations(inputs, { detail: params.detail ?? "summary" }),
});
