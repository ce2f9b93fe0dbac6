import { defineProduct, exampleOf } from "intel-node";
import { hyperliquid } from "intel-node/providers/hyperliquid/provider";
import { NEWS_FEEDS } from "intel-node/providers/news-feeds";
import { SENTIMENT_PROVIDERS } from "../scores/readings.ts";
import { drawSentiment } from "./charts.ts";
import { computeSentiment } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchSentiment } from "./fetch.ts";
import { gist } from "./gist.ts";
import { SentimentParams, SentimentSchema, SYMBOL } from "./schema.ts";

const example = exampleOf({ symbol: "BTC" }, made);

export const product = defineProduct({
  path: "/sentiment",
  title: "Crypto sentiment",
  description:
    "A -100 to 100 reading of one coin from the wording of news, the tone of the world's news, leverage and " +
    "developers' chatter, each with its weight, raw value and sample size, and the headlines that move it most. No " +
    "price goes into it, so it adds information to price-based products. Open lexicon, fixed formula, no model.",
  category: "crypto-market",
  tags: ["sentiment", "news", "crypto", "funding"],
  search: [
    "sentiment on a coin",
    "bitcoin sentiment",
    "what do people think of bitcoin",
    "news sentiment",
    "sentimento do bitcoin",
    "sentimento do mercado sobre uma moeda",
    "social sentiment",
    "tone of the news",
  ],
  price_usd: "0.01",
  params: SentimentParams,
  normalise: ({ symbol }) => ({ symbol: SYMBOL.parse(symbol) }),
  data: SentimentSchema,
  example,
  gist,
  providers: SENTIMENT_PROVIDERS,
  requires: [[...NEWS_FEEDS.map(({ provider }) => provider), hyperliquid]],
  ttl: "5m",
  max_age: "48h",
  deadline_ms: 12_000,
  preview: {
    every: "1h",
    delay: "1h",
    params: [{ symbol: "ETH" }, { symbol: "SOL" }],
    charts: drawSentiment,
    redact: (data) => ({ ...data, top_positive: null, top_negative: null }),
  },
  fetch: (context, params) => fetchSentiment(context, { symbol: SYMBOL.parse(params.symbol) }),
  compute: (inputs, { now_ms }) => computeSentiment(inputs, { now_ms }),
});
