import { defineProduct, exampleOf } from "intel-node";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { kraken } from "intel-node/providers/kraken/provider";
import { B3_TICKER, WORLD_TICKER } from "../markets/elsewhere.ts";
import { rhj } from "../providers/rhj/provider.ts";
import { sec } from "../providers/sec/provider.ts";
import { normaliseTicker } from "../providers/sec/tickers.ts";
import { US_VENDORS } from "../vendors/us-vendors.ts";
import { computeStockQuote } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchStockQuote } from "./fetch.ts";
import { gist } from "./gist.ts";
import { StockQuoteParams, StockQuoteSchema } from "./schema.ts";

const tickerOf = ({ symbol = "AAPL" }: { readonly symbol?: string }): string => normaliseTicker(symbol);

const VENDORS = US_VENDORS.map(({ provider }) => provider);

const example = exampleOf({ symbol: "SOFI" }, made);

export const product = defineProduct({
  path: "/stock-quote",
  title: "US stock quote",
  description:
    "Price of a US share or fund with bid, ask, day range, volume, trading halt, change since the last close and " +
    "the session's clock, checked against an on-chain price feed. It says what the price is (share, feed or token) " +
    "and how old, and calls no wide quote a price.",
  category: "equities",
  tags: ["stocks", "equities", "quote", "etf", "us-market"],
  search: [
    "is the market open",
    "a bolsa está aberta",
    "US stock price",
    "AAPL TSLA NVDA MSFT AMZN GOOGL META SPY QQQ",
    "Apple Tesla Nvidia Microsoft Amazon Google stock price",
    "stock quote",
    "share price",
    "preço da ação da Apple",
    "ações americanas",
    "ação da Tesla",
    "cotação da Nvidia",
    "ETF price",
    "S&P 500 ETF",
    "bolsa americana",
    "Wall Street",
  ],
  price_usd: "0.015",
  params: StockQuoteParams,
  normalise: (params) => ({ symbol: tickerOf(params) }),
  elsewhere: [B3_TICKER, WORLD_TICKER],
  data: StockQuoteSchema,
  example,
  gist,
  providers: [rhj, evmRpc, kraken, sec, ...VENDORS],
  requires: [[rhj, evmRpc, kraken, ...VENDORS]],
  ttl: "15s",
  max_age: "4d",
  deadline_ms: 8_000,
  preview: { every: "15m", delay: "15m", redact: (data) => ({ ...data, quotes: null }) },
  fetch: (context, params) => fetchStockQuote(context, tickerOf(params)),
  compute: (inputs, { params, now_ms }) => computeStockQuote(inputs, { symbol: tickerOf(params), now_ms }),
});
