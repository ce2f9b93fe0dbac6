import { defineProduct } from "../../../catalog/product.ts";
import { NodeError } from "../../../core/errors.ts";
import { hyperliquid } from "../../../upstream/providers/hyperliquid/provider.ts";
import { NEWS_FEEDS } from "../../../upstream/providers/news-feeds.ts";
import { SENTIMENT_COINS } from "../shared/news/coins.ts";
import { toTicker } from "../shared/oracle/symbol.ts";
import { SENTIMENT_PROVIDERS } from "../shared/sentiment/readings.ts";
import { computeSentiment } from "./compute.ts";
import { example } from "./example.ts";
import { fetchSentiment } from "./fetch.ts";
import { SentimentParams, SentimentSchema } from "./schema.ts";

const DEFAULT_SYMBOL = "BTC";

function getSymbol({ symbol = DEFAULT_SYMBOL }: { symbol?: string }): string {
  const ticker = toTicker(symbol);
  if (/^[A-Z0-9]{1,12}$/.test(ticker)) return ticker;
  throw new NodeError("invalid_parameter", 'Parameter "symbol" must be a ticker such as BTC.', {
    param: "symbol",
    details: { parameter: "symbol", got: symbol.slice(0, 100), allowed: SENTIMENT_COINS },
  });
}

export const product = defineProduct({
  path: "/sentiment",
  title: "Crypto sentiment",
  description:
    "A -100 to 100 reading of one coin from the wording of news, the tone of the world's news, leverage and " +
    "developers' chatter, each with its weight, raw value and sample size, and the headlines that move it most. No " +
    "price goes into it, so it adds information to price-based products. Open lexicon, fixed formula, no model.",
  category: "crypto-market",
  tags: ["sentiment", "news", "crypto", "funding"],
  price_usd: "0.01",
  params: SentimentParams,
  normalise: (params) => ({ symbol: getSymbol(params) }),
  data: SentimentSchema,
  example,
  providers: SENTIMENT_PROVIDERS,
  requires: [[...NEWS_FEEDS.map(({ provider }) => provider), hyperliquid]],
  ttl: "5m",
  max_age: "48h",
  deadline_ms: 12_000,
  preview: {
    every: "1h",
    delay: "1h",
    params: [{ symbol: "ETH" }, { symbol: "SOL" }],
    redact: (data) => ({ ...data, top_positive: null, top_negative: null }),
  },
  fetch: (context, params) => fetchSentiment(context, { symbol: getSymbol(params) }),
  compute: (inputs, { now_ms }) => computeSentiment(inputs, { now_ms }),
});
