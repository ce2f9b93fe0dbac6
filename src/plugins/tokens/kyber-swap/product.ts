import { defineProduct, exampleOf } from "intel-node";
import { dexscreener } from "intel-node/providers/dexscreener/provider";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { jupiter } from "intel-node/providers/jupiter/provider";
import { raydium } from "intel-node/providers/raydium/provider";
import { solanaRpc } from "intel-node/providers/solana-rpc/provider";
import { config as settings } from "../config.ts";
import { kyberswap } from "../providers/kyberswap/provider.ts";
import { velora } from "../providers/velora/provider.ts";
import { computeSwap } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchSwap } from "./fetch.ts";
import { gist } from "./gist.ts";
import { parseSwapPair, renderSwapPair } from "./pair.ts";
import { SwapParams, SwapSchema } from "./schema.ts";

const DEFAULT_PAIR = "SOL/USDC";

const example = exampleOf({}, made);

export const product = defineProduct({
  path: "/kyber-swap",
  locate: ({ config }) => `/${config(settings).swap_path.slice(1)}`,
  title: "Swap quote with its own middle",
  description:
    "An executable-size quote on Solana, Ethereum or Base: route, pools, what arrives, least with slippage, impact " +
    "against an independent middle, loss of a round trip, gas, and every other service's " +
    "quote. Best net output wins. " +
    "Quotes only: nothing is signed, built or held.",
  category: "tokens",
  tags: ["swap", "quote", "dex", "route", "slippage"],
  search: [
    "swap quote",
    "best swap route",
    "how much USDC for SOL",
    "swap SOL for USDC",
    "slippage",
    "price impact",
    "Jupiter Kyber Uniswap quote",
    "cotação de swap",
    "trocar SOL por USDC",
    "trocar tokens",
    "swap tokens",
  ],
  price_usd: "0.02",
  params: SwapParams,
  normalise: ({ pair = DEFAULT_PAIR, chain, ...params }) => {
    const parsed = parseSwapPair(pair, chain);
    return { ...params, pair: renderSwapPair(parsed), chain: parsed.chain };
  },
  data: SwapSchema,
  example,
  gist,
  providers: [raydium, jupiter, kyberswap, velora, dexscreener, solanaRpc, evmRpc],
  requires: [[raydium, jupiter, kyberswap, velora]],
  ttl: "5s",
  max_age: "15s",
  deadline_ms: 10_000,
  preview: { every: "10m", delay: "10m", redact: (data) => ({ ...data, route: [] }) },
  fetch: (context, { pair = DEFAULT_PAIR, chain, amount }) => fetchSwap(context, parseSwapPair(pair, chain), amount),
  compute: (inputs, { params: { slippage_bps = 50 } }) => computeSwap(inputs, slippage_bps),
});
