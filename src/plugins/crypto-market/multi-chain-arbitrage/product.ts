import { defineProduct, drawRows, exampleOf } from "intel-node";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { job } from "../jobs/dex-scan.ts";
import { computeMultiChain } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchMultiChain } from "./fetch.ts";
import { gist } from "./gist.ts";
import { MultiChainParams, MultiChainSchema, ROWS } from "./schema.ts";

const example = exampleOf({}, made);

export const product = defineProduct({
  path: "/multi-chain-arbitrage",
  title: "Arbitrage between chains",
  description:
    "Round trips of 10,000 USDC in ETH, BTC wrappers, LINK, UNI and AAVE over Ethereum, Base, Arbitrum, Optimism, " +
    "Polygon and Solana, from executable pool quotes: after pool fees, price impact, gas and the USDC transfer back. " +
    "Different wrappers are never netted. Most trips lose, and the answer says so.",
  category: "crypto-market",
  tags: ["arbitrage", "dex", "multi-chain", "uniswap", "cctp"],
  search: [
    "arbitrage between chains",
    "cross-chain arbitrage",
    "arbitragem entre redes",
    "arbitragem entre blockchains",
    "round trip between chains",
  ],
  price_usd: "0.06",
  params: MultiChainParams,
  data: MultiChainSchema,
  usual_view: "brief",
  example,
  gist,
  providers: job.providers,
  requires: [[evmRpc]],
  ttl: "30s",
  max_age: "10m",
  deadline_ms: 2_000,
  preview: {
    listed: ({ rows }) => ({
      n: (rows ?? []).filter(({ net_bps }) => (net_bps ?? 0) > 0).length,
      of: "rows with a net above 0",
    }),
    rowCharts: (shown) =>
      drawRows(shown.per_chain, {
        title: "What a round trip costs on each chain",
        about: "Basis points lost by buying and selling again, fees and depth included.",
        unit: "number",
        bar: ({ asset, chain, round_trip_cost_bps }) => [`${asset} ${chain}`, round_trip_cost_bps],
      }),

    every: "1h",
    delay: "1h",
    redact: (data) => ({ ...data, rows: null, wrapper_mismatch_rows: null, best_net_bps: null, executable: null }),
  },
  fetch: fetchMultiChain,
  compute: (scan, { params, now_ms }) => computeMultiChain(scan, { now_ms, rows: params.rows ?? ROWS.default }),
});
