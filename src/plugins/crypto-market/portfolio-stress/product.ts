import { defineProduct, exampleOf } from "intel-node";
import { CANDLE_VENUES } from "intel-node/providers/candle-venues";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { hyperliquid } from "intel-node/providers/hyperliquid/provider";
import { solanaRpc } from "intel-node/providers/solana-rpc/provider";
import { SPOT_VENUES } from "intel-node/providers/spot-venues";
import { drawPortfolio } from "./charts.ts";
import { computePortfolioStress } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchPortfolioStress, rewindPortfolioStress } from "./fetch.ts";
import { gist } from "./gist.ts";
import { DEMO_POSITIONS, parsePositions, renderPositions } from "./positions.ts";
import { StressParams, StressSchema } from "./schema.ts";

const SPOT = SPOT_VENUES.map(({ provider }) => provider);
const PRICES = [...new Set([solanaRpc, evmRpc, hyperliquid, ...SPOT])];
const VENUES = CANDLE_VENUES.map(({ provider }) => provider);

const example = exampleOf({ positions: '[{"asset":"BTC","quantity":1}]' }, made);

export const product = defineProduct({
  path: "/portfolio-stress",
  methods: ["GET", "POST"],
  title: "Portfolio stress test",
  description:
    "What your crypto portfolio would lose in 12 dated crashes from 2020 to 2026 and 5 hypothetical shocks, with " +
    "value at risk and expected shortfall (normal, Cornish-Fisher, historical; 95 and 99 %; 1 and 10 days), each " +
    "position's part of the risk, liquidity cost, correlation to Bitcoin and diversification. Up to 50 positions, " +
    "long or short.",
  category: "crypto-market",
  tags: ["portfolio", "risk", "stress-test", "value-at-risk", "scenarios"],
  search: [
    "risco da minha carteira",
    "risk of my portfolio",
    "stress test my portfolio",
    "value at risk",
    "how much could I lose",
    "VaR",
    "expected shortfall",
    "teste de estresse",
    "quanto posso perder",
    "carteira em uma crise",
    "portfolio in a crash",
    "worst case loss",
  ],
  price_usd: "0.30",
  params: StressParams,
  normalise: ({ positions }) => ({ positions: renderPositions(parsePositions(positions)) }),
  data: StressSchema,
  example,
  gist,
  providers: [...new Set([...PRICES, ...VENUES])],
  requires: [PRICES],
  asks: { "/oracle-consensus": "optional" },
  ttl: "0s",
  max_age: "1h",
  deadline_ms: 12_000,
  preview: {
    every: "24h",
    delay: "1d",
    params: [{ positions: renderPositions(DEMO_POSITIONS) }],
    rewind: rewindPortfolioStress,
    charts: drawPortfolio,
  },
  fetch: (context, params) => fetchPortfolioStress(context, parsePositions(params.positions)),
  compute: (inputs) => computePortfolioStress(inputs),
});
