import { defineProduct, drawRows, exampleOf } from "intel-node";
import { hnAlgolia } from "intel-node/providers/hn-algolia/provider";
import { feedFamily } from "../providers/feeds/provider.ts";
import { computeAINews } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchAINews } from "./fetch.ts";
import { gist } from "./gist.ts";
import { AINewsParams, AINewsSchema, ITEMS } from "./schema.ts";

const SHOWN_FREE = 5;

const example = exampleOf({}, made);

export const product = defineProduct({
  path: "/ai-news",
  title: "AI news",
  description:
    "What moved in the last 48 hours in artificial intelligence, or with topic in crypto, macro, geopolitics or " +
    "Brazil: 55 feeds of primary sources and press, and Hacker News, without repetitions, ranked by age, source, " +
    "independent owners and subject, with tags and trending terms. Titles and links; no model took part.",
  category: "ai",
  tags: ["news", "ai", "llm", "feeds", "headlines"],
  search: [
    "artificial intelligence news",
    "OpenAI Anthropic Google news",
    "latest headlines",
    "crypto news",
    "notícias de inteligência artificial",
    "últimas notícias",
    "notícias de cripto",
    "what happened in AI",
  ],
  price_usd: "0.008",
  params: AINewsParams,
  data: AINewsSchema,
  example,
  gist,
  providers: [feedFamily, hnAlgolia],
  requires: [[feedFamily, hnAlgolia]],
  ttl: "10m",
  max_age: "48h",
  deadline_ms: 10_000,
  long: ["items"],
  preview: {
    listed: ({ items }) => ({ n: items.length, of: "headlines" }),
    rowCharts: (shown) =>
      drawRows(shown.trending_terms, {
        title: "Terms mentioned more often than usual",
        about: "Headlines of the last 24 hours with the term.",
        unit: "number",
        bar: ({ term, count_24h }) => [term, count_24h],
      }),

    every: "1h",
    delay: "6h",
    redact: (data) => ({ ...data, items: data.items.slice(0, SHOWN_FREE) }),
  },
  fetch: (context, { topic = "ai" }) => fetchAINews(context, topic),
  compute: (inputs, { params }) => computeAINews(inputs, params.limit ?? ITEMS.default),
});
