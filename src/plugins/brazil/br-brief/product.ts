import { Type } from "@sinclair/typebox";
import { closed, createEditions, defineProduct, type EditionsOptions, exampleOf, phrased } from "intel-node";
import { ZONE } from "../b3/stored-days.ts";
import { drawWrittenCurve, ENGLISH } from "../written/charts.ts";
import { BRAZIL_ASKS, fetchBrazilParts } from "../written/parts.ts";
import { computeBrBrief } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { gist } from "./gist.ts";
import { BrBriefSchema } from "./schema.ts";

const EDITIONS: EditionsOptions = {
  name: "brazil/brief-editions",
  hours: { zone: ZONE, times: ["08:30", "20:00"] },
  sold_for: "6h",
  keep: "90d",
};

export const editions = createEditions(EDITIONS, {
  path: "/br-brief",
  title: "Brazil, the institutional brief",
  description:
    "The most complete document on Brazil, in English: all numbers of macro, curve, Ibovespa and farm prices; the " +
    "policy path of the market against the survey, breakevens against the target, scenarios of curve and currency, " +
    "regime by rule, the calendar of 14 days, and a narrative in which every figure was checked.",
  category: "brazil",
  tags: ["brazil", "brief", "rates", "macro", "scenarios"],
  search: [
    "institutional brief on Brazil",
    "Brazil outlook",
    "Brazil report in English",
    "Brazilian economy outlook",
    "investing in Brazil",
    "cenário do Brasil",
    "relatório do Brasil em inglês",
    "panorama do Brasil",
  ],
  price_usd: "0.50",
  params: Type.Object({}, closed),
  data: BrBriefSchema,
  example: exampleOf({}, made),
  gist,
  long: ["macro", "curve", "equity", "agro", "facts", "markdown"],
  usual_view: "brief",
  providers: [],
  requires: [],
  asks: BRAZIL_ASKS,
  ttl: "15m",
  max_age: "7d",
  deadline_ms: 10_000,
  preview: {
    every: "24h",
    delay: "24h",
    charts: ({ data: { curve } }) => (curve ? drawWrittenCurve(curve.reference_date, curve.curve, ENGLISH) : []),
    redact: (data) => ({
      ...data,
      macro: null,
      curve: null,
      equity: null,
      agro: null,
      markdown: "",
      facts: [],
      breakeven_gap: [],
      scenarios: [],
      policy_gap: data.policy_gap.slice(0, 1),
      blocks: data.blocks.slice(0, 1),
    }),
  },
  ...phrased({ fetch: fetchBrazilParts, compute: computeBrBrief }),
});

export const product = defineProduct(editions.definition);
