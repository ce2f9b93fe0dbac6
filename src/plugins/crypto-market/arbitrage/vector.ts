import type { ArbitrageCell, ArbitrageData, ArbitrageVenue } from "./schema.ts";

const venue = (
  name: string,
  rest: Pick<ArbitrageVenue, "bid" | "ask" | "taker_bps" | "taker_source">,
): ArbitrageVenue => ({
  venue: name,
  quote: "USD",
  quote_note: null,
  bid: rest.bid,
  ask: rest.ask,
  spread_bps: 1.56,
  age_ms: 1_000,
  taker_bps: rest.taker_bps,
  taker_source: rest.taker_source,
  used: true,
  reason: null,
});

const cell = ([buy, sell]: readonly [string, string], gross_bps: number, net_bps: number): ArbitrageCell => ({
  buy,
  sell,
  gross_bps,
  net_bps,
});

const data: ArbitrageData = {
  pair: "BTC/USD",
  venues: [
    venue("kraken", { bid: 63_990, ask: 64_000, taker_bps: 40, taker_source: "published" }),
    venue("bitstamp", { bid: 64_120, ask: 64_130, taker_bps: 10, taker_source: "operator" }),
  ],
  sizes: [
    {
      notional_usd: 1_000,
      best: {
        buy_venue: "kraken",
        sell_venue: "bitstamp",
        ask_vwap: 64_000,
        bid_vwap: 64_120,
        gross_bps: 18.75,
        net_bps: -31.14,
        pnl_usd: -3.13,
      },
      matrix: [cell(["kraken", "bitstamp"], 18.75, -31.14), cell(["bitstamp", "kraken"], -21.83, -71.67)],
      insufficient_depth: [],
    },
    {
      notional_usd: 10_000,
      best: {
        buy_venue: "kraken",
        sell_venue: "bitstamp",
        ask_vwap: 64_007.597,
        bid_vwap: 64_103.525,
        gross_bps: 14.99,
        net_bps: -34.89,
        pnl_usd: -35.03,
      },
      matrix: [cell(["kraken", "bitstamp"], 14.99, -34.89), cell(["bitstamp", "kraken"], -21.83, -71.67)],
      insufficient_depth: [],
    },
    {
      notional_usd: 50_000,
      best: {
        buy_venue: "bitstamp",
        sell_venue: "kraken",
        ask_vwap: 64_136.152,
        bid_vwap: 63_987.565,
        gross_bps: -23.17,
        net_bps: -73,
        pnl_usd: -365.37,
      },
      matrix: [cell(["bitstamp", "kraken"], -23.17, -73)],
      insufficient_depth: [{ venue: "kraken", side: "buy" }],
    },
  ],
  executable: false,
  max_gross_bps: 18.75,
  usdt_usd: null,
  assumptions: [
    "Money and coins already lie on both venues: withdrawals, their time and cost are not counted.",
    "Books were read within 3 s of each other, not in one instant; what they hold may be gone when an order arrives.",
    "Taker fees are those of the lowest public volume tier, taken in the quote currency. " +
      "Set by the operator: bitstamp.",
  ],
};

/** The published example; compute.test.ts shows that the rules give exactly this. */
export const vector = { params: { pair: "BTC/USD" }, as_of: "2026-09-21T14:13:19Z", data };
