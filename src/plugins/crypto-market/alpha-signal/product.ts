import { defineProduct, drawRows, exampleOf } from "intel-node";
import { CANDLE_VENUES } from "intel-node/providers/candle-venues";
import { findFirstEvaluation } from "../signals/opening.ts";
import { computeAlphaSignals } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchAlpha, rewindAlpha } from "./fetch.ts";
import { gist } from "./gist.ts";
import { AlphaParams, AlphaSchema } from "./schema.ts";

const VENUES = CANDLE_VENUES.map(({ provider }) => provider);

const example = exampleOf({ confidence: 40 }, made);

export const product = defineProduct({
  path: "/alpha-signal",
  title: "Explained crypto signals with their track record",
  description:
    "The node's active long and short signals explained: every factor with its weight and contribution, a stop, " +
    "target and size suggested by the average true range, and how graded signals of the same confidence did in " +
    "this node's own append-only ledger, with Wilson interval and a calibrated chance that starts at 0.5, not at " +
    "a fantasy.",
  category: "crypto-market",
  tags: ["signals", "alpha", "risk", "crypto", "calibrated"],
  search: [
    "will bitcoin go up",
    "o bitcoin vai subir",
    "should I buy or sell",
    "crypto trading signals",
    "long or short",
    "stop and target",
    "entry and exit",
    "sinais de trade",
    "comprar ou vender",
    "sinal de compra",
  ],
  price_usd: "0.08",
  params: AlphaParams,
  data: AlphaSchema,
  example,
  gist,
  providers: VENUES,
  requires: [VENUES],
  ttl: "60s",
  deadline_ms: 12_000,
  preview: {
    listed: ({ signals }) => ({ n: signals.length, of: "signals" }),
    rowCharts: (shown) =>
      drawRows(shown.signals, {
        title: "Alpha of the active signals",
        about: "0 to 100, 50 says nothing; figures for information, not advice.",
        unit: "number",
        bar: ({ symbol, side, alpha }) => [`${symbol} ${side}`, alpha],
      }),
    every: "24h",
    delay: "1d",
    rewind: rewindAlpha,
  },
  findOpening: findFirstEvaluation,
  fetch: fetchAlpha,
  compute: (inputs, { params }) => computeAlphaSignals(inputs, params),
});
