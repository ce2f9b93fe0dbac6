import { defineProduct, drawRows, exampleOf } from "intel-node";
import { dexscreener } from "intel-node/providers/dexscreener/provider";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { pumpFun } from "../providers/pump-fun/provider.ts";
import { pumpportal } from "../providers/pumpportal/provider.ts";
import { computePumpMonitor } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchPumpMonitor } from "./fetch.ts";
import { gist } from "./gist.ts";
import { PumpMonitorParams, PumpMonitorSchema } from "./schema.ts";

const example = exampleOf({ limit: 2 }, made);

export const product = defineProduct({
  path: "/pump-monitor",
  title: "Pulse of the launchpad",
  description:
    "pump.fun as this node watches it: launches a minute, migrations, share of launches that " +
    "graduate, coins near the " +
    "end of their curve with progress, SOL raised and value, newest launches with what the " +
    "creator bought at once and " +
    "how many he launched before; launches by the pool factories of Uniswap v2, v3, v4 and Aerodrome on Ethereum " +
    "and Base. Gaps of the watch are shown.",
  category: "tokens",
  tags: ["solana", "base", "launch", "pump", "memecoin"],
  search: [
    "pump.fun launches",
    "new memecoins",
    "memecoin launches",
    "bonding curve",
    "graduated tokens",
    "novos memecoins",
    "lançamentos na pump.fun",
    "new tokens on Solana",
    "memecoins novas",
  ],
  price_usd: "0.025",
  params: PumpMonitorParams,
  data: PumpMonitorSchema,
  example,
  gist,
  providers: [pumpFun, pumpportal, dexscreener, evmRpc],
  requires: [[pumpFun, pumpportal]],
  ttl: "15s",
  max_age: "6m",
  deadline_ms: 6_000,
  preview: {
    rowCharts: (shown) =>
      drawRows(shown.near_graduation, {
        title: "Closest to leaving the curve",
        about: "Share of the curve's tokens that is sold. Names are anybody's text.",
        unit: "percent",
        bar: ({ symbol, progress_pct }) => [symbol, progress_pct],
      }),

    every: "15m",
    delay: "15m",
    redact: (data) => ({ ...data, near_graduation: data.near_graduation.slice(0, 5) }),
  },
  fetch: (context, { limit = 8, min_progress = 60 }) => fetchPumpMonitor(context, { limit, min_progress }),
  compute: (inputs) => computePumpMonitor(inputs),
});
