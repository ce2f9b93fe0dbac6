import { Type } from "@sinclair/typebox";
import { closed, createEditions, defineProduct, type EditionsOptions, exampleOf, phrased } from "intel-node";
import { ZONE } from "../b3/stored-days.ts";
import { drawCurveOfFacts, PORTUGUESE } from "../written/charts.ts";
import { BRAZIL_ASKS } from "../written/parts.ts";
import { computeRelatorio } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchRelatorio } from "./fetch.ts";
import { gist } from "./gist.ts";
import { RelatorioSchema } from "./schema.ts";

const SHOWN: ReadonlySet<string> = new Set(["resumo", "agenda"]);

const EDITIONS: EditionsOptions = {
  name: "brazil/relatorio-editions",
  hours: { zone: ZONE, times: ["08:15", "19:45"] },
  sold_for: "6h",
  keep: "90d",
};

export const editions = createEditions(EDITIONS, {
  path: "/relatorio",
  title: "Relatório diário de mercado",
  description:
    "The daily market report of Brazil in Portuguese, ready to publish or to feed to another agent: interest rates " +
    "and inflation, DI curve, B3 and exchange rate, public and external accounts, farm prices, crypto, agenda, risk " +
    "triggers by rule, a table of every number with day and source. Markdown and the same in sections.",
  category: "brazil",
  tags: ["brazil", "report", "portuguese", "macro", "rates"],
  search: [
    "relatório diário",
    "relatório de mercado",
    "report in Portuguese",
    "daily report Brazil",
    "boletim diário",
    "relatório em português",
    "fechamento do mercado",
    "newsletter de mercado",
  ],
  price_usd: "0.25",
  params: Type.Object({}, closed),
  data: RelatorioSchema,
  example: exampleOf({}, made),
  gist,
  long: ["sections", "facts", "markdown"],
  usual_view: "brief",
  providers: [],
  requires: [],
  asks: { ...BRAZIL_ASKS, "/market-brief": "optional" },
  ttl: "15m",
  max_age: "7d",
  deadline_ms: 10_000,
  preview: {
    every: "24h",
    delay: "24h",
    charts: ({ data }) => drawCurveOfFacts(data.facts, PORTUGUESE),
    redact: (data) => ({
      ...data,
      markdown: "",
      facts: [],
      risks: [],
      sections: data.sections.filter(({ id }) => SHOWN.has(id)),
      blocks: data.blocks.filter(({ id }) => SHOWN.has(id)),
    }),
  },
  ...phrased({ fetch: fetchRelatorio, compute: computeRelatorio }),
});

export const product = defineProduct(editions.definition);
