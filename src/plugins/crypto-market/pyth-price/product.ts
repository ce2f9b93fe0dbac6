import { Type } from "@sinclair/typebox";
import { closed, defineProduct, exampleOf } from "intel-node";
import { bitstamp } from "intel-node/providers/bitstamp/provider";
import { cryptocom } from "intel-node/providers/cryptocom/provider";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { gemini } from "intel-node/providers/gemini/provider";
import { kraken } from "intel-node/providers/kraken/provider";
import { pythHermes } from "intel-node/providers/pyth-hermes/provider";
import { solanaRpc } from "intel-node/providers/solana-rpc/provider";
import { computePythPrice } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchPythPrice } from "./fetch.ts";
import { gist } from "./gist.ts";
import { PythPriceSchema } from "./schema.ts";

export const product = defineProduct({
  path: "/pyth-price",
  title: "Pyth SOL/USD price",
  description:
    "SOL/USD from the Pyth oracle with confidence interval, moving average, publish time and slot, read straight " +
    "from the ledger account (owner, layout, feed id and signature check verified), so that it can be checked " +
    "against the chain. Compared with the median of spot venues. Never older than 15 minutes.",
  category: "crypto-market",
  tags: ["oracle", "pyth", "solana", "price"],
  search: [
    "SOL price",
    "solana price",
    "preço da solana",
    "cotação da solana",
    "Pyth feed",
    "SOL/USD",
    "price of SOL from Pyth",
  ],
  price_usd: "0.003",
  params: Type.Object({}, closed),
  data: PythPriceSchema,
  example: exampleOf({}, made),
  gist,
  providers: [solanaRpc, pythHermes, evmRpc, kraken, bitstamp, gemini, cryptocom],
  requires: [[solanaRpc, pythHermes, evmRpc]],
  ttl: "5s",
  max_age: "15m",
  deadline_ms: 12_000,
  preview: { every: "15m", delay: "15m" },
  fetch: fetchPythPrice,
  compute: computePythPrice,
});
