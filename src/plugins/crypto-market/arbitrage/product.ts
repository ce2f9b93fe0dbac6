import { defineProduct, drawRows, exampleOf, renderPair } from "intel-node";
import { BOOK_VENUES } from "intel-node/providers/book-venues";
import { computeArbitrage } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchArbitrage } from "./fetch.ts";
import { gist } from "./gist.ts";
import { ArbitrageParams, ArbitrageSchema, CROSSINGS, PAIR } from "./schema.ts";

const PROVIDERS = BOOK_VENUES.map(({ provider }) => provider);

const example = exampleOf({ pair: "BTC/USD" }, made);

export const product = defineProduct({
  path: "/arbitrage",
  title: "Arbitrage between venues",
  description:
    "What each venue charges to buy and pays to sell one pair at real order-book depth for 1,000, 10,000 and 50,000 " +
    "USD: average prices over the levels walked, every venue against every other, gross and net of taker fees and " +
    "currency conversion, profit or loss in US dollars. Mostly nothing is left after costs, and then it says so.",
  category: "crypto-market",
  tags: ["arbitrage", "order-book", "depth", "spread", "exchanges"],
  search: [
    "exchange arbitrage",
    "price difference between exchanges",
    "Binance Coinbase Kraken spread",
    "arbitrage opportunities",
    "order book depth",
    "arbitragem entre corretoras",
    "diferença de preço entre bolsas",
  ],
  price_usd: "0.06",
  params: ArbitrageParams,
  normalise: ({ crossings, pair }) => ({
    pair: renderPair(PAIR.parse(pair)),
    ...(crossings === undefined ? {} : { crossings }),
  }),
  data: ArbitrageSchema,
  example,
  gist,
  providers: PROVIDERS,
  requires: [PROVIDERS],
  ttl: "3s",
  max_age: "20s",
  deadline_ms: 8_000,
  preview: {
    rowCharts: (shown) =>
      drawRows(shown.sizes, {
        title: "Best result after costs, by size",
        about: "Basis points between the two best venues, fees and depth included; below 0 it costs.",
        unit: "number",
        bar: ({ notional_usd, best }) => [`$${notional_usd}`, best?.net_bps ?? null],
      }),

    every: "30m",
    delay: "30m",
    redact: (data) => ({
      ...data,
      venues: data.venues.map((venue) => ({ ...venue, bid: null, ask: null, spread_bps: null })),
      sizes: data.sizes.map((size) => ({ ...size, matrix: null })),
    }),
  },
  fetch: (context, params) => fetchArbitrage(context, PAIR.parse(params.pair)),
  compute: (inputs, { params }) =>
    computeArbitrage(inputs, { ...PAIR.parse(params.pair), crossings: params.crossings ?? CROSSINGS.default }),
});
