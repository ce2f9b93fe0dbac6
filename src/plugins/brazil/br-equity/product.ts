import { defineProduct, exampleOf } from "intel-node";
import { b3Files } from "../providers/b3-files/provider.ts";
import { b3Index } from "../providers/b3-index/provider.ts";
import { drawEquity } from "./charts.ts";
import { computeEquity } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchEquity } from "./fetch.ts";
import { gist } from "./gist.ts";
import { normaliseSymbol } from "./normalise-symbol.ts";
import { EquityParams, EquitySchema } from "./schema.ts";

const example = exampleOf({ symbol: "PETR4" }, made);

export const product = defineProduct({
  path: "/br-equity",
  title: "Brazilian share or index",
  description:
    "The last official close of a share, unit, ETF, fund or BDR at B3, or of the Ibovespa: volume, average price, " +
    "returns, moving averages, RSI, volatility, drawdown, beta, weight in the index, and for the index its breadth, " +
    "weights and best and worst members. With today's session. End of day, from B3's own file.",
  category: "brazil",
  tags: ["brazil", "stocks", "b3", "ibovespa", "etf"],
  search: [
    "Brazilian stock price",
    "PETR4 VALE3 ITUB4 BBDC4 BBAS3 ABEV3 WEGE3 MGLU3",
    "Petrobras Vale Itaú Bradesco Ambev",
    "Ibovespa today",
    "bovespa",
    "preço da ação",
    "cotação da ação",
    "ação na B3",
    "fundo imobiliário",
    "FII",
    "ETF BOVA11",
    "índice bovespa",
    "BDR",
    "B3 share",
  ],
  price_usd: "0.02",
  params: EquityParams,
  normalise: ({ symbol = "IBOV" }) => ({ symbol: normaliseSymbol(symbol) }),
  elsewhere: [
    {
      param: "symbol",
      form: /^[A-Z]{1,5}(?:\.US)?$/i,
      path: "/stock-quote",
      send: (value) => ({ symbol: value.toUpperCase().replace(/\.US$/, "") }),
      what: {
        en: "Letters alone are how a US share is written.",
        pt: "Só com letras se escreve uma ação dos EUA.",
      },
    },
  ],
  data: EquitySchema,
  example,
  gist,
  providers: [b3Files, b3Index],
  requires: [[b3Files]],
  ttl: "5m",
  deadline_ms: 10_000,
  preview: {
    every: "24h",
    delay: "24h",
    params: [{ symbol: "PETR4" }, { symbol: "VALE3" }, { symbol: "ITUB4" }],
    redact: (data) => ({ ...data, members: null }),
    charts: drawEquity,
  },
  fetch: fetchEquity,
  compute: computeEquity,
});
