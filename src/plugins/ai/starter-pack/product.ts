import { Type } from "@sinclair/typebox";
import { defineProduct, exampleOf } from "intel-node";
import { asksOf, type BundlePart, fetchBundle } from "../bundles/parts.ts";
import { computeStarterPack } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { gist } from "./gist.ts";
import { StarterPackSchema } from "./schema.ts";

const PATH = "/starter-pack";

export const PARTS: readonly BundlePart[] = [
  { path: "/fear-greed", params: {}, signal: "fear_greed" },
  { path: "/regime", params: {}, signal: "regime" },
  { path: "/pyth-price", params: {}, signal: "none" },
  { path: "/mempool", params: {}, signal: "none" },
  // Fewer than by default: the whole pack stays below 4,000 tokens.
  { path: "/ai-news", params: { limit: "8" }, signal: "none" },
  { path: "/trust-hash", params: {}, signal: "none" },
];

const example = exampleOf({}, made);

export const product = defineProduct({
  path: PATH,
  title: "Starter pack",
  description:
    "A first look at what this node sells, for less than its parts cost one by one: fear and greed, market regime, a " +
    "price by Pyth, the mempool, AI news, and the seal over this node's answers, with three products to go on with " +
    "and where paying is explained. All six or nothing: a missing part is not charged.",
  category: "ai",
  tags: ["bundle", "starter", "agents", "first-call"],
  search: [
    "what do you sell",
    "where do I start",
    "first call",
    "try everything",
    "por onde começar",
    "pacote inicial",
    "beginner bundle",
  ],
  price_usd: "0.04",
  params: Type.Object({}, { additionalProperties: false }),
  data: StarterPackSchema,
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
    "items.data.leaves",
  ],
  usual_view: "brief",
  preview: { every: "6h", delay: "6h" },
  fetch: async (context) => ({
    ...(await fetchBundle(context, { path: PATH, parts: PARTS })),
    sold: context.node.listProducts(),
    public_url: context.node.public_url,
  }),
  compute: computeStarterPack,
});
