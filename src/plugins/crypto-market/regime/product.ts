import { Type } from "@sinclair/typebox";
import { closed, defineProduct, exampleOf } from "intel-node";
import { CANDLE_VENUES } from "intel-node/providers/candle-venues";
import { deribit } from "intel-node/providers/deribit/provider";
import { drawRegime } from "./charts.ts";
import { computeRegimeProduct, rewindRegime } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchRegime } from "./fetch.ts";
import { gist } from "./gist.ts";
import { RegimeSchema } from "./schema.ts";

const VENUES = CANDLE_VENUES.map(({ provider }) => provider);

const example = exampleOf({}, made);

export const product = defineProduct({
  path: "/regime",
  title: "Crypto market regime",
  description:
    "Bull, bear or chop for the crypto market at the last daily close: a score of five factors (trend, averages, " +
    "momentum, breadth of 20 coins, drawdown) with each one's contribution, confidence, days in it, volatility " +
    "state, probability of a turbulent state by a hidden Markov model, and how Bitcoin did after days of each state.",
  category: "crypto-market",
  tags: ["regime", "trend", "volatility", "bitcoin", "crypto"],
  search: [
    "bull or bear market",
    "is it a bull market",
    "market regime",
    "are we in a bear market",
    "mercado de alta ou de baixa",
    "regime de mercado",
    "bull bear or chop",
    "tendência do mercado cripto",
  ],
  price_usd: "0.02",
  params: Type.Object({}, closed),
  data: RegimeSchema,
  example,
  gist,
  providers: [...VENUES, deribit],
  requires: [VENUES],
  ttl: "15m",
  max_age: "25h",
  deadline_ms: 12_000,
  preview: {
    every: "24h",
    delay: "1d",
    rewind: rewindRegime,
    charts: ({ inputs }) => drawRegime(inputs.market),
    redact: (data) => ({
      ...data,
      factors: data.factors.map((factor) => ({ ...factor, weight: null, contribution: null })),
    }),
  },
  tried: { order: 3 },
  fetch: fetchRegime,
  compute: computeRegimeProduct,
});
