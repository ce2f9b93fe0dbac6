import { Type } from "@sinclair/typebox";
import { closed, defineProduct, exampleOf } from "intel-node";
import { kraken } from "intel-node/providers/kraken/provider";
import { swissquote } from "intel-node/providers/swissquote/provider";
import { computeArbitrage } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchArbitrage } from "./fetch.ts";
import { gist } from "./gist.ts";
import { ArbitrageSchema, type ForexArbitrageData } from "./schema.ts";

type Loop = ForexArbitrageData["opportunities"][number];
const hide = (loop: Loop): Loop => ({ ...loop, legs: loop.legs.map((leg) => ({ ...leg, price: null })) });

const example = exampleOf({}, made);

export const product = defineProduct({
  path: "/forex-arbitrage",
  title: "Currency arbitrage",
  description:
    "Every loop of three currencies at real bid and ask, venue by venue, net of a stated cost per leg, with the age " +
    "of its prices and the size they take; crosses against their legs, and pairs on which venues disagree. It says " +
    "none most of the time, which is right, and not_executable when the market is closed or the quotes are old.",
  category: "fx",
  tags: ["forex", "arbitrage", "currency", "triangular"],
  search: [
    "triangular arbitrage",
    "currency arbitrage",
    "FX arbitrage",
    "arbitragem de moedas",
    "arbitragem triangular",
    "arbitragem de câmbio",
    "forex loop",
  ],
  price_usd: "0.08",
  params: Type.Object({}, closed),
  data: ArbitrageSchema,
  example,
  gist,
  providers: [swissquote, kraken],
  requires: [[swissquote, kraken]],
  ttl: "10s",
  deadline_ms: 10_000,
  preview: {
    listed: ({ opportunities }) => ({ n: opportunities.length, of: "opportunities" }),
    every: "15m",
    delay: "15m",
    redact: (data) => ({
      ...data,
      opportunities: data.opportunities.map(hide),
      best_loop: data.best_loop && hide(data.best_loop),
      synthetic_crosses: [],
      cross_venue: [],
    }),
  },
  fetch: fetchArbitrage,
  compute: computeArbitrage,
});
