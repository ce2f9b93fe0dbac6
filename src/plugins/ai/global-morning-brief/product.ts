import { Type } from "@sinclair/typebox";
import { closed, createEditions, defineProduct, type EditionsOptions, exampleOf, phrased } from "intel-node";
import { computeMorning } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchMorning } from "./fetch.ts";
import { gist } from "./gist.ts";
import { MorningSchema } from "./schema.ts";

const EDITIONS: EditionsOptions = {
  name: "ai/morning-editions",
  hours: { zone: "UTC", times: ["05:30", "11:30"] },
  sold_for: "15m",
  keep: "90d",
};

export const editions = createEditions(EDITIONS, {
  path: "/global-morning-brief",
  title: "Global morning brief",
  description:
    "The morning in one call: crypto prices, regime, mood and funding; main currency pairs; gold; events " +
    "of the next 24 hours; geopolitical risk; Brazil's rates and inflation; leading AI headlines, quoted with their " +
    "domains. Each block says whether it is there and of when, and every figure of its sentences was checked.",
  category: "ai",
  tags: ["brief", "macro", "crypto", "fx", "news"],
  search: [
    "morning briefing",
    "what happened overnight",
    "daily market summary",
    "market news this morning",
    "resumo da manhã",
    "resumo do dia",
    "o que aconteceu hoje nos mercados",
    "good morning",
  ],
  price_usd: "0.10",
  params: Type.Object({}, closed),
  data: MorningSchema,
  example: exampleOf({}, made),
  gist,
  long: ["markdown"],
  usual_view: "brief",
  providers: [],
  requires: [],
  asks: {
    "/market-brief": "needed",
    "/forex-rate": "needed",
    "/commodity-price": "optional",
    "/macro-calendar": "optional",
    "/geo-alpha": "optional",
    "/br-macro": "optional",
    "/br-curve": "optional",
    "/ai-news": "optional",
  },
  ttl: "15m",
  deadline_ms: 12_000,
  preview: { every: "24h", delay: "24h", redact: (data) => ({ ...data, facts: [], events: null }) },
  ...phrased({ fetch: fetchMorning, compute: computeMorning }),
});

export const product = defineProduct(editions.definition);
