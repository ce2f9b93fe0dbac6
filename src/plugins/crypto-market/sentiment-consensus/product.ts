import { Type } from "@sinclair/typebox";
import { closed, defineProduct, drawRows, exampleOf } from "intel-node";
import { alternativeMe } from "intel-node/providers/alternative-me/provider";
import { CANDLE_VENUES } from "intel-node/providers/candle-venues";
import { coinmarketcap } from "intel-node/providers/coinmarketcap/provider";
import { hyperliquid } from "intel-node/providers/hyperliquid/provider";
import { NEWS_FEEDS } from "intel-node/providers/news-feeds";
import { SENTIMENT_PROVIDERS } from "../scores/readings.ts";
import { computeSentimentConsensus } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchSentimentConsensus } from "./fetch.ts";
import { gist } from "./gist.ts";
import { SentimentConsensusSchema } from "./schema.ts";

const VENUES = CANDLE_VENUES.map(({ provider }) => provider).filter(({ id }) => id !== hyperliquid.id);

const example = exampleOf({}, made);

export const product = defineProduct({
  path: "/sentiment-consensus",
  title: "Crypto sentiment consensus",
  description:
    "Whether independent sources of sentiment agree, for the market, BTC, ETH and SOL: fear and greed, headlines, " +
    "the tone of the world's news, leverage, funding, developers' chatter and breadth each vote; the answer is their " +
    "median, how far they agree, who dissents, and whether greed and leverage lean to the same side, far.",
  category: "crypto-market",
  tags: ["sentiment", "consensus", "fear-greed", "news", "crypto"],
  search: [
    "do sentiment sources agree",
    "consensus of sentiment",
    "crowd positioning",
    "consenso de sentimento",
    "crowded trade",
    "is everybody bullish",
  ],
  price_usd: "0.03",
  params: Type.Object({}, closed),
  data: SentimentConsensusSchema,
  example,
  gist,
  providers: [alternativeMe, coinmarketcap, ...SENTIMENT_PROVIDERS, ...VENUES],
  requires: [[...NEWS_FEEDS.map(({ provider }) => provider), hyperliquid]],
  ttl: "5m",
  max_age: "48h",
  deadline_ms: 12_000,
  preview: {
    rowCharts: (shown) =>
      drawRows(shown.rows[0]?.votes ?? [], {
        title: "Votes on the market",
        about: "-1 is bearish, 1 bullish; each source counts once.",
        unit: "number",
        bar: ({ source, value }) => [source, value],
      }),

    every: "1h",
    delay: "1h",
    redact: (data) => ({ ...data, rows: data.rows.filter(({ scope }) => scope === "market") }),
  },
  fetch: fetchSentimentConsensus,
  compute: (inputs, { now_ms }) => computeSentimentConsensus(inputs, { now_ms }),
});
