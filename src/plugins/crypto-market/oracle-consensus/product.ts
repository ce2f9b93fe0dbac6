import { defineProduct, drawRows, exampleOf } from "intel-node";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { solanaRpc } from "intel-node/providers/solana-rpc/provider";
import { SPOT_VENUES } from "intel-node/providers/spot-venues";
import { computeOracleConsensus } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchOracleConsensus } from "./fetch.ts";
import { gist } from "./gist.ts";
import { ConsensusParams, ConsensusSchema, SYMBOL } from "./schema.ts";

const PROVIDERS = [solanaRpc, evmRpc, ...SPOT_VENUES.map(({ provider }) => provider)];

const example = exampleOf({ symbol: "BTC" }, made);

export const product = defineProduct({
  path: "/oracle-consensus",
  title: "Oracle consensus price",
  description:
    "One defensible USD price of SOL, BTC or ETH from on-chain oracles (Pyth, RedStone, Chainlink) and spot venues, " +
    "asked at once: stale sources and outliers are dropped, the rest combined by weighted median. Shows every " +
    "source's price, age and deviation, the range, a score and a verdict, so that an agent can refuse a broken feed.",
  category: "crypto-market",
  tags: ["oracle", "price", "consensus", "chainlink", "pyth"],
  search: [
    "bitcoin",
    "ethereum",
    "bitcoin price",
    "ethereum price",
    "BTC price now",
    "ETH price",
    "SOL price",
    "preço do bitcoin",
    "preço do ethereum",
    "cotação do bitcoin",
    "bitcoin hoje",
    "reliable price",
    "Chainlink price",
    "is the price feed right",
    "price feed",
    "how much is bitcoin",
    "quanto vale o bitcoin",
  ],
  price_usd: "0.03",
  params: ConsensusParams,
  normalise: ({ symbol }) => ({ symbol: SYMBOL.parse(symbol) }),
  data: ConsensusSchema,
  example,
  gist,
  providers: PROVIDERS,
  requires: [PROVIDERS],
  ttl: "5s",
  max_age: "1h",
  deadline_ms: 12_000,
  preview: {
    rowCharts: (shown) =>
      drawRows(shown.sources_detail, {
        title: "Sources against the consensus",
        about: "Basis points; what is stale or far off is shown, and not counted.",
        unit: "number",
        bar: ({ source, deviation_bps }) => [source, deviation_bps],
      }),

    every: "15m",
    delay: "15m",
    params: [{ symbol: "BTC" }, { symbol: "ETH" }],
    redact: (data) => ({
      ...data,
      sources_detail: data.sources_detail.map((detail) => ({ ...detail, raw_price: null })),
    }),
  },
  tried: { order: 2, params: { symbol: "BTC" } },
  fetch: (context, params) => fetchOracleConsensus(context, { symbol: SYMBOL.parse(params.symbol) }),
  compute: (inputs, { params }) => computeOracleConsensus(inputs, SYMBOL.parse(params.symbol)),
});
