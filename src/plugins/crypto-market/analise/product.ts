import { defineProduct, exampleOf } from "intel-node";
import { CANDLE_VENUES } from "intel-node/providers/candle-venues";
import { FUNDING_PROVIDERS } from "intel-node/providers/funding-venues";
import { drawAnalise } from "./charts.ts";
import { computeAnalise, rewindAnalise } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchAnalise } from "./fetch.ts";
import { gist } from "./gist.ts";
import { AnaliseParams, AnaliseSchema } from "./schema.ts";
import { getAnaliseSymbol } from "./symbol.ts";

const VENUES = CANDLE_VENUES.map(({ provider }) => provider);

const example = exampleOf({ symbol: "BTC" }, made);

export const product = defineProduct({
  path: "/analise",
  title: "Technical sheet of a coin",
  description:
    "A full technical sheet of one coin on closed daily and four-hour bars: returns, averages, ADX, RSI, MACD, ATR, " +
    "realised volatility with its rank, Bollinger bands, supports and resistances by touches, floor pivots, yearly " +
    "range, funding and open interest, and a bias whose every point is itemised. Numbers only.",
  category: "crypto-market",
  tags: ["technical-analysis", "indicators", "levels", "crypto"],
  search: [
    "funding rates",
    "funding rate of a coin",
    "technical analysis",
    "RSI MACD Bollinger",
    "support and resistance",
    "chart analysis of a coin",
    "análise técnica",
    "suportes e resistências",
    "médias móveis",
    "bitcoin technical levels",
    "is bitcoin overbought",
  ],
  price_usd: "0.03",
  params: AnaliseParams,
  normalise: (params) => ({ symbol: getAnaliseSymbol(params) }),
  data: AnaliseSchema,
  example,
  gist,
  providers: [...new Set([...VENUES, ...FUNDING_PROVIDERS])],
  requires: [VENUES],
  ttl: "5m",
  max_age: "25h",
  deadline_ms: 12_000,
  preview: {
    every: "24h",
    delay: "1d",
    params: [{ symbol: "ETH" }, { symbol: "SOL" }],
    rewind: rewindAnalise,
    charts: drawAnalise,
    redact: (data) => ({ ...data, levels: null }),
  },
  fetch: (context, params) => fetchAnalise(context, { symbol: getAnaliseSymbol(params) }),
  compute: computeAnalise,
});
