import { defineProduct, exampleOf, NodeError } from "intel-node";
import { ecb } from "intel-node/providers/ecb/provider";
import { B3_MARKET, B3_TICKER } from "../markets/elsewhere.ts";
import { findMarket, MARKET_CODES, MARKETS, type Market, normaliseSymbol, splitSymbol } from "../markets/markets.ts";
import { drawSessions } from "./charts.ts";
import { computeWorldQuote } from "./compute.ts";
import { describeSold, WHAT } from "./describe-sold.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchWorldQuote } from "./fetch.ts";
import { gist } from "./gist.ts";
import { WorldQuoteParams, WorldQuoteSchema } from "./schema.ts";
import { providersOf, SOURCES } from "./sources.ts";

const refuse = (parameter: string, got: string, allowed: unknown): NodeError =>
  new NodeError("invalid_parameter", `"${got}" is not a ${parameter} here.`, {
    param: parameter,
    details: { parameter, got, allowed },
  });

/** Market and symbol in canonical form; a suffix names the market, and must not contradict it. */
function readSubject(params: { readonly market?: string; readonly symbol?: string }): {
  market: Market;
  symbol: string;
} {
  const split = splitSymbol(params.symbol ?? "2330");
  const named = params.market === undefined ? undefined : findMarket(params.market);
  if (params.market !== undefined && !named) throw refuse("market", params.market, MARKET_CODES);
  // The default means that no market was named: a suffix then says which it is.
  const is_default = named?.code === "TWSE" && split.market !== null;
  const market = (is_default ? split.market : named) ?? split.market ?? findMarket("TWSE");
  if (!market || (split.market && market !== split.market)) throw refuse("market", params.market ?? "", MARKET_CODES);
  const symbol = normaliseSymbol(market, split.local);
  if (symbol === null) throw refuse("symbol", params.symbol ?? "", String(market.pattern));
  return { market, symbol };
}

const PROVIDERS = [...new Set(SOURCES.map(({ provider }) => provider))];

const example = exampleOf({ market: "TWSE", symbol: "2330" }, made);

export const product = defineProduct({
  path: "/world-quote",
  title: "Quotes of the world's exchanges",
  description: `Price of a share on one of ${MARKETS.length} exchanges ${WHAT}`,
  category: "equities",
  tags: ["stocks", "equities", "quote", "world", "exchanges"],
  search: [
    "stock price outside the US",
    "TSMC price",
    "Taiwan stock",
    "foreign shares",
    "ações da Ásia",
    "bolsa de Taiwan",
    "ação estrangeira",
    "Taiwan Stock Exchange",
    "European and Asian stocks",
    "Toyota Samsung SAP",
    "London Tokyo Frankfurt stock",
  ],
  price_usd: "0.02",
  params: WorldQuoteParams,
  normalise: (params) => {
    const { market, symbol } = readSubject(params);
    return { market: market.code, symbol };
  },
  offers: {
    market: {
      values: MARKET_CODES,
      whyNot: (code, node) => {
        const market = findMarket(code);
        return market ? node.whyNone(providersOf(market)) : "no such market";
      },
      describe: describeSold,
    },
  },
  elsewhere: [B3_TICKER, B3_MARKET],
  data: WorldQuoteSchema,
  example,
  gist,
  providers: [...PROVIDERS, ecb],
  requires: [PROVIDERS],
  ttl: "1m",
  max_age: "14d",
  deadline_ms: 12_000,
  preview: { every: "1h", delay: "15m", charts: drawSessions },
  fetch: (context, params) => fetchWorldQuote(context, readSubject(params)),
  compute: (inputs, { params, now_ms }) => computeWorldQuote(inputs, { ...readSubject(params), now_ms }),
});
