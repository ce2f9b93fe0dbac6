import { Type } from "@sinclair/typebox";
import { closed, defineProduct, exampleOf } from "intel-node";
import { alternativeMe } from "intel-node/providers/alternative-me/provider";
import { CANDLE_VENUES } from "intel-node/providers/candle-venues";
import { coinmarketcap } from "intel-node/providers/coinmarketcap/provider";
import { drawFearGreed } from "./charts.ts";
import { computeFearGreed, rewindFearGreed } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchFearGreed } from "./fetch.ts";
import { gist } from "./gist.ts";
import { FearGreedSchema } from "./schema.ts";

const VENUES = CANDLE_VENUES.map(({ provider }) => provider);

const example = exampleOf({}, made);

export const product = defineProduct({
  path: "/fear-greed",
  title: "Crypto fear and greed",
  description:
    "Today's Crypto Fear & Greed Index by Alternative.me, unchanged, with its change over 1, 7 and 30 days, " +
    "percentile of the year, streak and 30-day history, next to an independent index this node computes itself from " +
    "prices, breadth, volatility and funding, so that one publisher's outage or quirk does not blind an agent.",
  category: "crypto-market",
  tags: ["sentiment", "fear-greed", "crypto", "bitcoin"],
  search: [
    "fear and greed index",
    "market mood",
    "índice de medo e ganância",
    "medo e ganância",
    "are people greedy",
    "crypto fear index",
  ],
  price_usd: "0.01",
  params: Type.Object({}, closed),
  data: FearGreedSchema,
  example,
  gist,
  providers: [alternativeMe, coinmarketcap, ...VENUES],
  requires: [[alternativeMe, coinmarketcap, ...VENUES]],
  ttl: "15m",
  max_age: "48h",
  deadline_ms: 12_000,
  sample: true,
  preview: {
    every: "6h",
    delay: "1d",
    rewind: rewindFearGreed,
    charts: drawFearGreed,
    redact: (data) => ({ ...data, node_index: null }),
  },
  tried: { order: 1 },
  fetch: fetchFearGreed,
  compute: computeFearGreed,
});
