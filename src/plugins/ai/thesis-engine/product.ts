import { defineProduct, drawRows, exampleOf } from "intel-node";
import { CANDLE_VENUES } from "intel-node/providers/candle-venues";
import { feedFamily } from "../providers/feeds/provider.ts";
import { computeThesis } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchThesis, findFirstThesis } from "./fetch.ts";
import { gist } from "./gist.ts";
import { ThesisParams, ThesisSchema } from "./schema.ts";

const VENUES = [...new Set(CANDLE_VENUES.map(({ provider }) => provider))];

const example = exampleOf({}, made);

export const product = defineProduct({
  path: "/thesis-engine",
  title: "One falsifiable thesis a day, graded",
  description:
    "The market thesis of the day: coin, direction, evidence for and against with the signal model's factors, price " +
    "bands over 7, 30 and 90 days, what ends it, events ahead; and how every earlier one came out, hash-chained, " +
    "signed and recomputable. A day without an edge says so. Every figure of its sentences was checked.",
  category: "ai",
  tags: ["thesis", "signals", "bands", "track-record", "crypto"],
  search: [
    "thesis of the day",
    "trade idea",
    "trading idea with evidence",
    "price target",
    "tese do dia",
    "ideia de trade",
    "falsifiable thesis",
    "investment thesis",
    "preço alvo",
  ],
  price_usd: "0.49",
  params: ThesisParams,
  data: ThesisSchema,
  long: ["records", "proof", "facts"],
  example,
  gist,
  providers: [...VENUES, feedFamily],
  requires: [VENUES],
  uses_node: true,
  uses_model: { use: "compose", need: "optional" },
  ttl: "6h",
  max_age: "50h",
  deadline_ms: 12_000,
  preview: {
    rowCharts: (shown) =>
      drawRows(shown.evidence, {
        title: "Evidence for and against",
        about: "Points of the signal model's alpha that each factor added; below 0 it speaks for the other side.",
        unit: "number",
        bar: ({ factor, contribution }) => [factor, contribution],
      }),
    every: "24h",
    delay: "1d",
    redact: (data) => ({ ...data, records: null, proof: null, facts: [] }),
  },
  findOpening: findFirstThesis,
  fetch: fetchThesis,
  compute: computeThesis,
});
