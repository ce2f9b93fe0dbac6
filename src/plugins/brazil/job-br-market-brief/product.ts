import { Type } from "@sinclair/typebox";
import { closed, createEditions, defineProduct, type EditionsOptions, exampleOf, phrased } from "intel-node";
import { ZONE } from "../b3/stored-days.ts";
import { drawCurveOfFacts, ENGLISH } from "../written/charts.ts";
import { BRAZIL_ASKS, fetchBrazilParts } from "../written/parts.ts";
import { computeBrazilBrief } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { gist } from "./gist.ts";
import { BrazilBriefSchema } from "./schema.ts";

const EDITIONS: EditionsOptions = {
  name: "brazil/market-brief-editions",
  hours: { zone: ZONE, times: ["08:20", "19:50"] },
  sold_for: "15m",
  keep: "90d",
};

export const editions = createEditions(EDITIONS, {
  path: "/job/br-market-brief",
  title: "Brazil brief",
  description:
    "Brazil for a decision loop, in English: fourteen numbers (Selic, DI curve, breakeven, IPCA, survey, real rate, " +
    "PTAX, Ibovespa, soy, cattle, corn), a direction per asset class by rule, and sentences in which every figure " +
    "was checked against the listed facts. Answered at once: the /job/ in its name is only a name.",
  category: "brazil",
  tags: ["brazil", "brief", "macro", "rates", "agriculture"],
  search: [
    "short brief on Brazil",
    "Brazil market brief for agents",
    "Brazilian markets today",
    "resumo do mercado brasileiro",
    "mercado brasileiro hoje",
    "Brazil numbers for a decision",
  ],
  price_usd: "0.15",
  params: Type.Object({}, closed),
  data: BrazilBriefSchema,
  example: exampleOf({}, made),
  gist,
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
    charts: ({ data }) => drawCurveOfFacts(data.facts, ENGLISH),
    redact: (data) => ({ ...data, directions: { rates: null, fx: null, equity: null, agro: null }, next_events: null }),
  },
  ...phrased({ fetch: fetchBrazilParts, compute: computeBrazilBrief }),
});

export const product = defineProduct(editions.definition);
