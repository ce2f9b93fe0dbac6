import { defineProduct } from "../../../catalog/product.ts";
import { BOOK_VENUES } from "../../../upstream/providers/book-venues.ts";
import { parsePair, renderPair } from "../shared/oracle/pair.ts";
import { computeArbitrage } from "./compute.ts";
import { EXAMPLE } from "./example.ts";
import { fetchArbitrage } from "./fetch.ts";
import { ArbitrageParams, ArbitrageSchema, BASES, CROSSINGS, QUOTES } from "./schema.ts";

const DEFAULT_PAIR = "BTC/USD";
const getPair = ({ pair }: { pair?: string }) => parsePair(pair ?? DEFAULT_PAIR, { bases: BASES, quotes: QUOTES });

const PROVIDERS = BOOK_VENUES.map(({ provider }) => provider);

export const product = defineProduct({
  path: "/arbitrage",
  title: "Arbitrage between venues",
  description:
    "What each venue charges to buy and pays to sell one pair at real order-book depth for 1,000, 10,000 and 50,000 " +
    "USD: average prices over the levels walked, every venue against every other, gross and net of taker fees and " +
    "currency conversion, profit or loss in US dollars. Mostly nothing is left after costs, and then it says so.",
  category: "crypto-market",
  tags: ["arbitrage", "order-book", "depth", "spread", "exchanges"],
  price_usd: "0.06",
  params: ArbitrageParams,
  normalise: ({ crossings, ...params }) => ({
    pair: renderPair(getPair(params)),
    ...(crossings === undefined ? {} : { crossings }),
  }),
  data: ArbitrageSchema,
  example: EXAMPLE,
  providers: PROVIDERS,
  requires: [PROVIDERS],
  ttl: "3s",
  max_age: "20s",
  deadline_ms: 8_000,
  preview: {
    every: "30m",
    delay: "30m",
    redact: (data) => ({
      ...data,
      venues: data.venues.map((venue) => ({ ...venue, bid: null, ask: null, spread_bps: null })),
      sizes: data.sizes.map((size) => ({ ...size, matrix: null })),
    }),
  },
  fetch: (context, params) => fetchArbitrage(context, getPair(params)),
  compute: (inputs, { params }) =>
    computeArbitrage(inputs, { ...getPair(params), crossings: params.crossings ?? CROSSINGS.default }),
});
