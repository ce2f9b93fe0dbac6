import { defineProduct, drawRows, exampleOf, renderPair } from "intel-node";
import { circleCCTP } from "intel-node/providers/circle-cctp/provider";
import { dexscreener } from "intel-node/providers/dexscreener/provider";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { lifi } from "intel-node/providers/lifi/provider";
import { POOL_TABLE_PROVIDERS } from "../dex/pool-tables.ts";
import { SWAP_PROVIDERS } from "../dex/venue.ts";
import { computeCrossChain } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchCrossChain } from "./fetch.ts";
import { gist } from "./gist.ts";
import { CrossChainParams, CrossChainSchema, PAIR } from "./schema.ts";

const example = exampleOf({ pair: "ETH/USDC" }, made);

export const product = defineProduct({
  path: "/cross-chain",
  title: "One asset on every chain, and the way between",
  description:
    "Price and depth of ETH, BTC, LINK, UNI or AAVE on Ethereum, Base, Arbitrum, Optimism, Polygon and Solana from " +
    "executable quotes at 1k, 10k and 100k USDC, the spread between cheapest and dearest chain, and a bridge quote " +
    "for 10,000 USDC with fees, gas and time: does the spread pay for the way? USDC/USDC compares bridges.",
  category: "crypto-market",
  tags: ["cross-chain", "bridge", "dex", "price", "usdc"],
  search: [
    "cheapest chain to buy ETH",
    "bridge USDC",
    "bridge fee",
    "which bridge is cheapest",
    "move USDC between chains",
    "ponte entre redes",
    "ETH price on every chain",
    "enviar USDC para outra rede",
    "bridging costs",
    "price on Base versus Arbitrum",
  ],
  price_usd: "0.06",
  params: CrossChainParams,
  normalise: ({ pair }) => ({ pair: renderPair(PAIR.parse(pair)) }),
  data: CrossChainSchema,
  example,
  gist,
  providers: [...SWAP_PROVIDERS, ...POOL_TABLE_PROVIDERS, lifi, circleCCTP],
  requires: [[evmRpc, dexscreener]],
  ttl: "60s",
  max_age: "3m",
  deadline_ms: 12_000,
  preview: {
    rowCharts: (shown) =>
      drawRows(shown.chains, {
        title: "What a purchase of 100,000 USDC moves the price",
        about: "Basis points against a purchase of 1,000, by chain and token.",
        unit: "number",
        bar: ({ chain, wrapper, impact_bps_100k }) => [`${chain} ${wrapper}`, impact_bps_100k],
      }),

    every: "2h",
    delay: "2h",
    redact: (data) => ({ ...data, route: null, break_even: null, swap_cost_bps: null, net_bps: null }),
  },
  fetch: (context, params) => fetchCrossChain(context, PAIR.parse(params.pair).base),
  compute: (inputs, { params }) => computeCrossChain(inputs, PAIR.parse(params.pair).base),
});
