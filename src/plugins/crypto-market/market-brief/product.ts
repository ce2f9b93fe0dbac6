import { Type } from "@sinclair/typebox";
import { closed, defineProduct, drawRows, exampleOf, type ProviderDefinition, phrased } from "intel-node";
import { CANDLE_VENUES } from "intel-node/providers/candle-venues";
import { MARKET_CAP_PROVIDERS } from "intel-node/providers/market-caps";
import { computeMarketBrief } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchMarketBrief } from "./fetch.ts";
import { gist } from "./gist.ts";
import { MarketBriefSchema } from "./schema.ts";

const HOURLY = CANDLE_VENUES.filter(({ intervals }) => intervals.includes("1h")).map(({ provider }) => provider);
const PROVIDERS: readonly ProviderDefinition[] = [
  ...new Set([...CANDLE_VENUES.map(({ provider }) => provider), ...MARKET_CAP_PROVIDERS]),
];

export const product = defineProduct({
  path: "/market-brief",
  title: "Crypto market brief",
  description:
    "The whole crypto market as one pack of numbers: ten prices, market value and dominance, regime, fear and greed, " +
    "volatility, funding and open interest, breadth, movers, sectors, oddities, fees and this node's signals, with a " +
    "brief of at most 180 words in which every figure was checked against the pack, and the pack's hash.",
  category: "crypto-market",
  tags: ["brief", "overview", "crypto", "regime", "prices"],
  search: [
    "crypto market overview",
    "how is the crypto market",
    "crypto market today",
    "bitcoin dominance",
    "total crypto market cap",
    "como está o mercado cripto",
    "resumo do mercado cripto",
    "bitcoin price",
    "preço do bitcoin",
    "market cap",
    "crypto prices",
    "cotação das criptomoedas",
    "dogecoin price",
    "BNB XRP ADA DOGE price",
  ],
  price_usd: "0.06",
  params: Type.Object({}, closed),
  data: MarketBriefSchema,
  example: exampleOf({}, made),
  gist,
  providers: PROVIDERS,
  requires: [HOURLY],
  asks: {
    "/anomalias": "optional",
    "/fear-greed": "optional",
    "/mempool": "optional",
    "/regime": "optional",
    "/sector-rotation": "optional",
    "/sinais": "optional",
  },
  ttl: "15m",
  max_age: "65m",
  deadline_ms: 12_000,
  preview: {
    rowCharts: (shown) =>
      drawRows(shown.prices, {
        title: "Change over 7 days",
        about: "Against the close a week earlier, as of the time of the brief.",
        unit: "percent",
        bar: ({ symbol, chg_7d_pct }) => [symbol, chg_7d_pct],
      }),

    every: "6h",
    delay: "6h",
    redact: (data) => ({ ...data, brief: null, facts: [], written_by: null }),
  },
  ...phrased({ fetch: fetchMarketBrief, compute: computeMarketBrief }),
});
