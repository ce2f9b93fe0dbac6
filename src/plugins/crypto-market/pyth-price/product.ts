import { Type } from "@sinclair/typebox";
import { closed, defineProduct } from "intel-node";
import { bitstamp } from "intel-node/providers/bitstamp/provider";
import { cryptocom } from "intel-node/providers/cryptocom/provider";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { gemini } from "intel-node/providers/gemini/provider";
import { kraken } from "intel-node/providers/kraken/provider";
import { pythHermes } from "intel-node/providers/pyth-hermes/provider";
import { solanaRpc } from "intel-node/providers/solana-rpc/provider";
import { computePythPrice } from "./compute.ts";
import { fetchPythPrice } from "./fetch.ts";
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
  price_usd: "0.003",
  params: Type.Object({}, closed),
  data: PythPriceSchema,
  example: {
    params: {},
    as_of: "2026-09-21T14:13:20Z",
    data: {
      symbol: "SOL/USD",
      feed_id: "ef0d8b6fda2ceba41da15d4095d1da392a0d2f8ed0c6c7bc0f4cfac8c280b56d",
      price: 147.48123456,
      conf: 0.07374061,
      conf_bps: 5,
      lower: 147.40749395,
      upper: 147.55497517,
      lower_2conf: 147.33375334,
      upper_2conf: 147.62871578,
      exponent: -8,
      publish_time_at: "2026-09-21T14:13:20Z",
      age_s: 10,
      publish_slot: 370_000_000,
      slot_kind: "solana_posted_slot",
      ema_price: 147.5,
      ema_conf: 0.08,
      verification: "full",
      path: "solana_push_feed",
      account: "7UVimffxr9ow1uXYxsr4LHAcV58mLzhmwaeKvJ1pjLiE",
      context_slot: 370_000_020,
      stale: false,
      spot_median: 147.47,
      deviation_bps: 0.76,
    },
  },
  providers: [solanaRpc, pythHermes, evmRpc, kraken, bitstamp, gemini, cryptocom],
  requires: [[solanaRpc, pythHermes, evmRpc]],
  ttl: "5s",
  max_age: "15m",
  deadline_ms: 12_000,
  preview: { every: "15m", delay: "15m" },
  fetch: fetchPythPrice,
  compute: computePythPrice,
});
