import { Type } from "@sinclair/typebox";
import { closed, defineProduct, drawRows, exampleOf, phrased, rewindPhrased } from "intel-node";
import { CANDLE_VENUES } from "intel-node/providers/candle-venues";
import { computeCopilot, redactCopilot } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchCopilot, rewindCopilot } from "./fetch.ts";
import { gist } from "./gist.ts";
import { CopilotSchema } from "./schema.ts";

const VENUES = CANDLE_VENUES.map(({ provider }) => provider);

export const product = defineProduct({
  path: "/portfolio-copilot",
  title: "Portfolio copilot",
  description:
    "Three rule-based target allocations of BTC, ETH, SOL and USDC (conservative, balanced, aggressive), sized to " +
    "today's volatility and market regime, with the arithmetic: inverse-volatility weights, volatility target, " +
    "expected volatility, value at risk, the five worst scenarios, and what changed since yesterday. A transparent " +
    "risk budget, not advice.",
  category: "crypto-market",
  tags: ["portfolio", "allocation", "risk-parity", "volatility-target", "regime"],
  search: [
    "how to allocate my crypto portfolio",
    "portfolio weights",
    "asset allocation",
    "risk parity",
    "alocação de carteira",
    "como montar uma carteira de cripto",
    "how much bitcoin should I hold",
    "position sizing",
  ],
  price_usd: "0.12",
  params: Type.Object({}, closed),
  data: CopilotSchema,
  example: exampleOf({}, made),
  gist,
  providers: VENUES,
  requires: [VENUES],
  ttl: "1h",
  max_age: "25h",
  deadline_ms: 12_000,
  preview: {
    rowCharts: (shown) =>
      drawRows(Object.entries(shown.profiles[0]?.weights ?? {}), {
        title: "Target weights of the balanced profile",
        about: "Share of the portfolio, 0 to 1. A rule's arithmetic, not advice.",
        unit: "number",
        bar: ([asset, weight]) => [asset, weight],
      }),
    every: "24h",
    delay: "1d",
    rewind: rewindPhrased(rewindCopilot),
    redact: redactCopilot,
  },
  ...phrased({ fetch: fetchCopilot, compute: computeCopilot }),
});
