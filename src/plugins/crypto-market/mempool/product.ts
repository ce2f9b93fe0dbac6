import { Type } from "@sinclair/typebox";
import { closed, defineProduct, exampleOf } from "intel-node";
import { bitstamp } from "intel-node/providers/bitstamp/provider";
import { blockstream } from "intel-node/providers/blockstream/provider";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { kraken } from "intel-node/providers/kraken/provider";
import { mempoolSpace } from "intel-node/providers/mempool-space/provider";
import { solanaRpc } from "intel-node/providers/solana-rpc/provider";
import { drawMempool } from "./charts.ts";
import { computeMempool } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchMempool } from "./fetch.ts";
import { gist } from "./gist.ts";
import { MempoolSchema } from "./schema.ts";

const example = exampleOf({}, made);

export const product = defineProduct({
  path: "/mempool",
  title: "Transaction fees now",
  description:
    "What it costs right now to get a transaction in: Bitcoin fee rates (below 1 sat/vB too), backlog, projected " +
    "blocks, cost of a transfer in satoshi and US dollars, rank of the fee in the last 30 days, difficulty and hash " +
    "rate; fees and costs on Ethereum, Base and Solana from their nodes.",
  category: "crypto-market",
  tags: ["bitcoin", "mempool", "fees", "gas", "solana"],
  search: [
    "gas fees",
    "bitcoin fee",
    "transaction fee",
    "gas price ethereum",
    "how much is gas",
    "sat per vbyte",
    "taxa de rede",
    "taxa do bitcoin",
    "taxa de gás",
    "gwei",
    "network congestion",
    "hash rate",
    "mining difficulty",
    "custo de uma transação",
    "taxas de transação",
  ],
  price_usd: "0.008",
  params: Type.Object({}, closed),
  data: MempoolSchema,
  example,
  gist,
  providers: [mempoolSpace, blockstream, evmRpc, solanaRpc, kraken, bitstamp],
  requires: [[mempoolSpace, blockstream]],
  ttl: "15s",
  max_age: "1m",
  deadline_ms: 12_000,
  preview: {
    every: "30m",
    delay: "30m",
    charts: drawMempool,
    redact: (data) => ({ ...data, btc: { ...data.btc, projected_blocks: null } }),
  },
  tried: { order: 4 },
  fetch: fetchMempool,
  compute: computeMempool,
});
