import { defineProduct, exampleOf } from "intel-node";
import { ecb } from "intel-node/providers/ecb/provider";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { frankfurter } from "intel-node/providers/frankfurter/provider";
import { kraken } from "intel-node/providers/kraken/provider";
import { swissquote } from "intel-node/providers/swissquote/provider";
import { parsePair } from "../currencies/codes.ts";
import { drawForex } from "./charts.ts";
import { computeForex } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchForex } from "./fetch.ts";
import { gist } from "./gist.ts";
import { ForexParams, ForexSchema } from "./schema.ts";

const COIN = /^(btc|eth|sol)(?:[/_-]?usd[tc]?)?$/i;
const GOLD = /^(?:xau|gold|ouro)(?:[/_-]?usd)?$/i;

const example = exampleOf({ pair: "EUR/USD" }, made);

export const product = defineProduct({
  path: "/forex-rate",
  title: "Exchange rate",
  description:
    "One exchange rate of 30 currencies: live bid and ask where a venue quotes it or its legs to the dollar, an " +
    "on-chain oracle where none does, the ECB's reference rate of the day, the distance of the two (of the real also " +
    "the PTAX), changes over 1, 5 and 22 fixes, volatility, rank of a year, and whether the market is open. Says how " +
    "old each quote is and why one was not used.",
  category: "fx",
  tags: ["forex", "currency", "exchange-rate", "ecb"],
  search: [
    "exchange rate",
    "dollar to real",
    "USD/BRL",
    "USD BRL now",
    "dólar hoje",
    "cotação do dólar",
    "dólar",
    "euro to dollar",
    "EUR/USD",
    "euro hoje",
    "câmbio",
    "yen rate",
    "pound to dollar",
    "convert currency",
    "preço do dólar",
    "dollar price",
    "currency rate",
    "taxa de câmbio",
    "USD/JPY",
    "real exchange rate",
    "peso",
  ],
  price_usd: "0.012",
  params: ForexParams,
  normalise: ({ pair = "EURUSD" }) => ({ pair: parsePair(pair) }),
  elsewhere: [
    {
      param: "pair",
      form: COIN,
      path: "/oracle-consensus",
      send: (value) => ({ symbol: COIN.exec(value)?.[1]?.toUpperCase() ?? "" }),
      what: { en: "That is a coin, not a currency of a state.", pt: "Isso é uma criptomoeda, não a moeda de um país." },
    },
    {
      param: "pair",
      form: GOLD,
      path: "/commodity-price",
      send: () => ({ symbol: "gold" }),
      what: { en: "Gold is sold as a commodity.", pt: "O ouro é vendido como commodity." },
    },
  ],
  data: ForexSchema,
  example,
  gist,
  providers: [ecb, frankfurter, kraken, swissquote, evmRpc],
  asks: { "/br-macro": "optional" },
  requires: [[ecb, frankfurter, kraken, swissquote]],
  ttl: "15s",
  deadline_ms: 10_000,
  preview: {
    charts: drawForex,
    every: "30m",
    delay: "30m",
    redact: (data) => ({ ...data, bid: null, ask: null, spread_bps: null, quoted_by: null, quotes: [] }),
  },
  fetch: fetchForex,
  compute: computeForex,
});
