import { defineProduct, drawRows, exampleOf } from "intel-node";
import { dexscreener } from "intel-node/providers/dexscreener/provider";
import { FACT_PROVIDERS } from "../facts/profile.ts";
import { normaliseToken } from "../markets/resolve.ts";
import { computeTokenIntel } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchTokenIntel } from "./fetch.ts";
import { gist } from "./gist.ts";
import { TokenIntelParams, TokenIntelSchema } from "./schema.ts";

const example = exampleOf({}, made);

export const product = defineProduct({
  path: "/token-intel",
  title: "One page on a token",
  description:
    "Markets, valuation, holders, safety, identity and flows of a token by address or ticker, from pool tables, the " +
    "chain and named opinions in one call. A ticker is resolved by depth and says how sure that is; LR-1 gives the " +
    "risk with what is unknown. Solana, Ethereum and Base.",
  category: "tokens",
  tags: ["token", "dex", "liquidity", "holders", "safety"],
  search: [
    "token overview",
    "all about a token",
    "token info",
    "market cap of a token",
    "token page",
    "informações de um token",
    "tudo sobre um token",
    "FDV",
  ],
  price_usd: "0.06",
  params: TokenIntelParams,
  normalise: ({ token, ...params }) =>
    token === undefined ? params : { ...params, token: normaliseToken(token, params.chain) },
  data: TokenIntelSchema,
  example,
  gist,
  providers: FACT_PROVIDERS,
  requires: [[dexscreener]],
  asks: { "/smart-money": "optional" },
  ttl: "60s",
  deadline_ms: 12_000,
  preview: {
    rowCharts: (shown) =>
      drawRows(Object.entries(shown.holders), {
        title: "Who holds it",
        about: "Share of all tokens; the groups overlap.",
        unit: "percent",
        bar: ([name, share_pct]) => [name.replace("_pct", ""), share_pct],
      }),
    every: "6h",
    delay: "6h",
    redact: (data) => ({ ...data, markets: { ...data.markets, top_pools: [] } }),
  },
  fetch: fetchTokenIntel,
  compute: (inputs) => computeTokenIntel(inputs),
});
