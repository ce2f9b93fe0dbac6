import { defineProduct, drawRows, exampleOf } from "intel-node";
import { CANDLE_VENUES } from "intel-node/providers/candle-venues";
import { feedFamily } from "../providers/feeds/provider.ts";
import { computeCouncilDeep } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchCouncilDeep } from "./fetch.ts";
import { gist } from "./gist.ts";
import { CouncilDeepParams, CouncilDeepSchema } from "./schema.ts";

const DAILY = CANDLE_VENUES.filter(({ intervals }) => intervals.includes("1d")).map(({ provider }) => provider);

const example = exampleOf({ symbol: "BTC" }, made);

export const product = defineProduct({
  path: "/council-deep",
  title: "Debate of seven models in two rounds",
  description:
    "Seven seats, each a model with the facts of its field, vote on a coin, read the others and vote again; one of " +
    "them argues against the majority. Verdict, shares, dispersion and convergence by published arithmetic beside " +
    "the verdict by rules, who changed their vote and why, and a chair's report. Every sentence was checked against " +
    "the facts.",
  category: "ai",
  tags: ["council", "debate", "vote", "crypto", "models"],
  search: [
    "debate by language models",
    "models debate a coin",
    "deeper council",
    "several models argue",
    "debate entre modelos",
    "conselho com modelos",
    "LLM debate on bitcoin",
  ],
  price_usd: "0.35",
  params: CouncilDeepParams,
  data: CouncilDeepSchema,
  usual_view: "brief",
  example,
  gist,
  providers: [...new Set([...CANDLE_VENUES.map(({ provider }) => provider), feedFamily])],
  requires: [DAILY],
  asks: { "/fear-greed": "optional", "/regime": "optional", "/market-brief": "optional", "/mempool": "optional" },
  uses_node: true,
  uses_model: { use: "compose", need: "needed" },
  metered: { by: "tokens" },
  ttl: "60m",
  max_age: "49h",
  // Three rounds of models, each of which can ask twice: sold to keys and on networks whose payments live that long.
  deadline_ms: 110_000,
  preview: {
    rowCharts: (shown) =>
      drawRows(Object.entries(shown.rounds.at(-1)?.shares_pct ?? {}), {
        title: "Weight behind each vote in the last round",
        about: "Share of the weight of the seats that voted; no probability.",
        unit: "percent",
        bar: ([vote, share_pct]) => [vote, share_pct],
      }),

    every: "24h",
    delay: "24h",
    redact: (data) => ({ ...data, blocks: data.blocks.filter(({ id }) => id === "summary"), facts: [] }),
  },
  fetch: (context, { symbol = "BTC" }) => fetchCouncilDeep(context, symbol),
  compute: (inputs) => computeCouncilDeep(inputs),
});
