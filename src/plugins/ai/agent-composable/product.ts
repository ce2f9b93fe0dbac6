import { Type } from "@sinclair/typebox";
import { closed, defineProduct, exampleOf } from "intel-node";
import { asksOf, type BundlePart, fetchBundle } from "../bundles/parts.ts";
import { BUNDLE_FIELDS } from "../bundles/schema.ts";
import { computeAgentComposable } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { gist } from "./gist.ts";

const PATH = "/agent-composable";

export const PARTS: readonly BundlePart[] = [
  { path: "/fear-greed", params: {}, signal: "fear_greed" },
  { path: "/regime", params: {}, signal: "regime" },
  { path: "/oracle-consensus", params: { symbol: "BTC" }, signal: "none" },
  { path: "/sentiment-consensus", params: {}, signal: "sentiment_consensus" },
  { path: "/ai-news", params: {}, signal: "none" },
];

const ComposableSchema = Type.Object(
  {
    ...BUNDLE_FIELDS,
    markdown: Type.String({ description: "Figures and words of the parts, without their tables.", maxLength: 30_000 }),
  },
  closed,
);

const example = exampleOf({}, made);

export const product = defineProduct({
  path: PATH,
  title: "Five products in one call",
  description:
    "Fear and greed, market regime, the consensus of oracles on BTC, consensus of sentiment, and AI news in one " +
    "call, for less than they cost one by one, each with its own data, time and warnings, and their directions side " +
    "by side. All five or nothing: a missing part is not charged.",
  category: "ai",
  tags: ["bundle", "agents", "regime", "sentiment", "news"],
  search: [
    "several products in one call",
    "market snapshot for agents",
    "five products bundle",
    "cinco produtos",
    "pacote para agentes",
    "mood regime and news together",
  ],
  price_usd: "0.08",
  params: Type.Object({}, { additionalProperties: false }),
  data: ComposableSchema,
  example,
  gist,
  providers: [],
  requires: [],
  asks: asksOf(PARTS),
  is_bundle: true,
  uses_node: true,
  ttl: "30s",
  deadline_ms: 12_000,
  long: [
    "items.data.history",
    "items.data.factors",
    "items.data.trending_terms",
    "items.data.items.factors",
    "items.data.items.domains",
    "markdown",
  ],
  usual_view: "brief",
  preview: { every: "6h", delay: "6h" },
  fetch: (context) => fetchBundle(context, { path: PATH, parts: PARTS }),
  compute: computeAgentComposable,
});
