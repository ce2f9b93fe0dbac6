import { defineProduct, drawRows, exampleOf, isAddress, NodeError } from "intel-node";
import { dexscreener } from "intel-node/providers/dexscreener/provider";
import { computeDexScreen } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchDexScreen } from "./fetch.ts";
import { gist } from "./gist.ts";
import { DexScreenParams, DexScreenSchema } from "./schema.ts";

/** @throws NodeError invalid_parameter for what means nothing, and for an address with a wrong checksum. */
function readQuery(text: string): string {
  const query = text
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cf}]/gu, "")
    .replace(/^\$/, "")
    .trim();
  const refuse = (why: string) =>
    new NodeError("invalid_parameter", `"query" ${why}`, { details: { parameter: "query", got: query } });
  if (query === "") throw refuse("holds nothing to look for");
  if (/^0x[0-9a-fA-F]{40}$/.test(query) && !isAddress(query))
    throw refuse("is an address with a wrong checksum (EIP-55)");
  return query;
}

const example = exampleOf({ limit: 2 }, made);

export const product = defineProduct({
  path: "/dex-screen",
  title: "Exchange pools of a token",
  description:
    "Ranked pools of a token, ticker, pair or address on Solana, Ethereum, Base, BNB Chain, " +
    "Arbitrum and Polygon: price, " +
    "depth, volume, trades, age, turnover; thin, new, one-sided, wash-traded pools and " +
    "look-alikes of well-known tokens " +
    "are flagged.",
  category: "tokens",
  tags: ["dex", "pools", "liquidity", "price", "token"],
  search: [
    "what is trending on Solana",
    "token pools",
    "find a token",
    "dexscreener",
    "liquidity of a token",
    "DEX price of a token",
    "trending tokens",
    "new pairs",
    "trading pairs on Solana",
    "pools de um token",
    "liquidez de um token",
    "memecoin price",
    "preço de um token",
    "where does a token trade",
  ],
  price_usd: "0.01",
  params: DexScreenParams,
  normalise: ({ query, ...params }) => (query === undefined ? params : { ...params, query: readQuery(query) }),
  data: DexScreenSchema,
  example,
  gist,
  providers: [dexscreener],
  requires: [[dexscreener]],
  ttl: "30s",
  deadline_ms: 8_000,
  preview: {
    listed: ({ results }) => ({ n: results.length, of: "pools" }),
    rowCharts: (shown) =>
      drawRows(shown.results, {
        title: "Volume of the busiest pools",
        about: "24 hours, US dollars, as the table of pools says; volume can be made up.",
        unit: "usd",
        bar: ({ base, quote, dex, volume_h24_usd }) => [`${base.symbol}/${quote.symbol} ${dex}`, volume_h24_usd],
      }),
    every: "30m",
    delay: "30m",
    redact: (data) => ({ ...data, results: data.results.slice(0, 5) }),
  },
  fetch: fetchDexScreen,
  compute: (inputs, { params: { limit = 8, min_liquidity_usd = 1_000, ...asked } }) =>
    computeDexScreen(inputs, { ...asked, limit, min_liquidity_usd }),
});
