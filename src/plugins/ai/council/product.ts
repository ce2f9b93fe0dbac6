import { type Draft, defineProduct, drawRows, exampleOf, phrased } from "intel-node";
import { CANDLE_VENUES } from "intel-node/providers/candle-venues";
import { computeCouncil } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { type CouncilInputs, fetchCouncil } from "./fetch.ts";
import { gist } from "./gist.ts";
import { type CouncilData, CouncilParams, CouncilSchema } from "./schema.ts";

const DAILY = CANDLE_VENUES.filter(({ intervals }) => intervals.includes("1d")).map(({ provider }) => provider);

export const product = defineProduct({
  path: "/council",
  title: "Council of five seats",
  description:
    "Five specialist seats (trend, sentiment, derivatives, macro, risk) vote on a coin with confidence, each with " +
    "the numbers it read; verdict, shares and dispersion by published arithmetic; who dissents and what would " +
    "change it, in sentences in which every figure was checked. Votes by rule: no model is needed.",
  category: "ai",
  tags: ["council", "debate", "vote", "crypto", "agents"],
  search: [
    "debate on a coin",
    "committee of analysts",
    "several opinions on bitcoin",
    "is bitcoin bullish or bearish",
    "opiniões sobre bitcoin",
    "conselho de analistas",
    "opinion of experts",
    "vote of five seats",
  ],
  price_usd: "0.15",
  params: CouncilParams,
  data: CouncilSchema,
  example: exampleOf({ symbol: "BTC" }, made),
  gist,
  long: ["facts", "seats"],
  providers: [...new Set(CANDLE_VENUES.map(({ provider }) => provider))],
  requires: [DAILY],
  asks: { "/fear-greed": "optional", "/regime": "optional", "/market-brief": "optional" },
  ttl: "15m",
  max_age: "49h",
  deadline_ms: 12_000,
  metered: { by: "tokens" },
  preview: {
    rowCharts: (shown) =>
      drawRows(Object.entries(shown.shares_pct), {
        title: "Weight behind each vote",
        about: "Share of the weight of the seats that voted, by rule; no probability.",
        unit: "percent",
        bar: ([vote, share_pct]) => [vote, share_pct],
      }),

    every: "1h",
    delay: "1h",
    redact: (data) => ({ ...data, blocks: data.blocks.filter(({ id }) => id === "summary"), facts: [] }),
  },
  ...phrased<typeof CouncilParams, CouncilInputs, Draft<CouncilData>>({
    fetch: (context, { symbol = "BTC" }) => fetchCouncil(context, symbol),
    compute: computeCouncil,
  }),
});
