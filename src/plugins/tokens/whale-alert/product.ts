import { defineProduct, exampleOf } from "intel-node";
import { blockstream } from "intel-node/providers/blockstream/provider";
import { dexscreener } from "intel-node/providers/dexscreener/provider";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { mempoolSpace } from "intel-node/providers/mempool-space/provider";
import { solanaRpc } from "intel-node/providers/solana-rpc/provider";
import { drawWhaleAlert } from "./charts.ts";
import { computeWhaleAlert } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchWhaleAlert, type WhaleAlertInputs } from "./fetch.ts";
import { gist } from "./gist.ts";
import { WhaleAlertParams, WhaleAlertSchema } from "./schema.ts";

const example = exampleOf({ limit: 2 }, made);

export const product = defineProduct({
  path: "/whale-alert",
  title: "Large transfers",
  description:
    "Large transfers of stablecoins, wrapped coins and ether on Ethereum and Base and of bitcoin, from confirmed " +
    "blocks: mint, burn, in and out of exchanges, bridges; a sample of large trades on Solana; net flows of " +
    "exchanges by token, how much of the value has a label, and which part of each chain was read.",
  category: "tokens",
  tags: ["whale", "transfers", "exchange-flow", "stablecoin", "on-chain"],
  search: [
    "whale movements",
    "large transfers",
    "big bitcoin transfers",
    "exchange inflows",
    "exchange outflows",
    "movimentos de baleias",
    "grandes transferências",
    "baleias",
    "whales moving coins",
    "stablecoin mints",
    "USDT minted",
    "exchange flows",
    "fluxo para corretoras",
  ],
  price_usd: "0.05",
  params: WhaleAlertParams,
  data: WhaleAlertSchema,
  example,
  gist,
  providers: [evmRpc, dexscreener, blockstream, mempoolSpace, solanaRpc],
  requires: [[evmRpc]],
  ttl: "30s",
  max_age: "25m",
  deadline_ms: 6_000,
  preview: {
    every: "30m",
    delay: "30m",
    listed: ({ count }) => ({ n: count, of: "alerts" }),
    redact: (data) => ({ ...data, alerts: data.alerts.slice(0, 5) }),
    charts: ({ inputs }: { readonly inputs: WhaleAlertInputs }) => drawWhaleAlert(inputs),
  },
  fetch: (context, { hours = 6, chain }) =>
    fetchWhaleAlert(context, chain === undefined ? { hours } : { hours, chain }),
  compute: (inputs, { params: { min_usd = 1_000_000, limit = 12 } }) => computeWhaleAlert(inputs, { min_usd, limit }),
});
