import { Type } from "@sinclair/typebox";
import { closed, defineProduct, drawRows, exampleOf } from "intel-node";
import { CANDLE_VENUES } from "intel-node/providers/candle-venues";
import { findFirstEvaluation } from "../signals/opening.ts";
import { computeSinais } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchSinais, rewindSinais } from "./fetch.ts";
import { gist } from "./gist.ts";
import { SinaisSchema } from "./schema.ts";

/** Without any of them no signal is ever made. */
const VENUES = CANDLE_VENUES.map(({ provider }) => provider);

const example = exampleOf({}, made);

export const product = defineProduct({
  path: "/sinais",
  title: "Crypto signals from an append-only ledger",
  description:
    "Current long and short signals on ten large coins, exactly as they were written to this node's append-only, " +
    "hash-chained ledger before anybody saw them, with the chain head that proves it, the last graded ones with " +
    "their results after costs, the coins without a signal, and the model's record so far.",
  category: "crypto-market",
  tags: ["signals", "crypto", "ledger", "trading", "verifiable"],
  search: [
    "sinais cripto",
    "sinais de trading",
    "crypto signals",
    "active signals",
    "current signals",
    "sinais de hoje",
    "trading signals on chain",
    "long short signals",
  ],
  price_usd: "0.03",
  params: Type.Object({}, closed),
  data: SinaisSchema,
  example,
  gist,
  providers: VENUES,
  requires: [VENUES],
  ttl: "60s",
  deadline_ms: 5_000,
  preview: {
    listed: ({ active }) => ({ n: active.length, of: "active signals" }),
    rowCharts: (shown) =>
      drawRows(shown.active, {
        title: "Active signals so far",
        about: "Basis points in the direction of the signal, before costs; not advice.",
        unit: "number",
        bar: ({ symbol, side, unrealised_bps }) => [`${symbol} ${side}`, unrealised_bps],
      }),
    every: "24h",
    delay: "1d",
    rewind: rewindSinais,
  },
  sample: true,
  findOpening: findFirstEvaluation,
  fetch: fetchSinais,
  compute: computeSinais,
});
