import { type Static, Type } from "@sinclair/typebox";
import { closed, count, nullable, number, oneOf, share, text, WRITTEN_FIELDS } from "intel-node";
import { doubtField } from "../signals/record-stats.ts";

const Price = Type.Object(
  {
    symbol: text("Coin."),
    price_usd: Type.Number({
      description: "Close of the newest whole hour, US dollars.",
      exclusiveMinimum: 0,
      digits: 8,
    }),
    chg_24h_pct: number("Change over 24 hours, percent.", { decimals: 2 }),
    chg_7d_pct: number("Change over 7 days, percent.", { decimals: 2 }),
  },
  closed,
);

const Move = Type.Object(
  { symbol: text("Coin."), chg_24h_pct: number("Change over 24 hours, percent.", { decimals: 2 }) },
  closed,
);

const Market = Type.Object(
  {
    total_cap_usd: nullable(Type.Number({ minimum: 0 }), "Value of what the publisher counts, US dollars."),
    cap_chg_24h_pct: nullable(
      Type.Number({ decimals: 2 }),
      "Its change over 24 hours, percent; null when not published.",
    ),
    btc_dominance_pct: nullable(
      Type.Number({ minimum: 0, maximum: 100, decimals: 2 }),
      "Bitcoin's share of it, percent.",
    ),
    caps_source: text("Provider of these three."),
    total_of: text("market: the whole market; listed_coins: only what that publisher lists."),
  },
  closed,
);

const Regime = Type.Object(
  {
    regime: text("bull, bear or chop."),
    score: number("-1 (bear) to 1 (bull)."),
    confidence: share("0-1."),
    since: text("First day of the state, UTC."),
    days_in_regime: count("Days."),
  },
  closed,
);

const FearGreed = Type.Object(
  {
    index_id: text("Whose index it is."),
    value: Type.Integer({ description: "0 (fear) to 100 (greed), points.", minimum: 0, maximum: 100 }),
    classification: text("The publisher's word."),
    attribution: nullable(
      Type.Object({ text: text("To be shown next to the value."), url: text("The publisher's page.") }, closed),
      "The publisher; must stay next to `value`.",
      "when the index is the node's own",
    ),
  },
  closed,
);

const Volatility = Type.Object(
  {
    btc_rv30_pct: Type.Number({ description: "Bitcoin's volatility of 30 days, percent per year.", minimum: 0 }),
    percentile: Type.Number({ description: "Its rank within a year, percent.", minimum: 0, maximum: 100 }),
    dvol: nullable(Type.Number(), "Implied volatility, percent per year; null without a licensed provider."),
  },
  closed,
);

const Derivatives = Type.Object(
  {
    btc_funding_apr_pct: nullable(Type.Number({ decimals: 2 }), "Bitcoin's funding, percent per year."),
    eth_funding_apr_pct: nullable(Type.Number({ decimals: 2 }), "Ether's funding, percent per year."),
    sol_funding_apr_pct: nullable(Type.Number({ decimals: 2 }), "Solana's funding, percent per year."),
    oi_usd: nullable(Type.Number({ minimum: 0, decimals: 0 }), "Open interest of the three at one venue, US dollars."),
  },
  closed,
);

const Breadth = Type.Object(
  {
    above_sma50_frac: nullable(
      Type.Number({ minimum: 0, maximum: 1 }),
      "Share of the larger coins above their 50-day average, 0-1.",
    ),
    above_sma200_frac: nullable(Type.Number({ minimum: 0, maximum: 1 }), "Share above their 200-day average, 0-1."),
    n: count("Coins counted."),
  },
  closed,
);

const Anomaly = Type.Object(
  {
    type: text("What is odd."),
    symbol: text("Coin."),
    severity: share("0-1."),
    direction: nullable(Type.String(), "up or down", "without a direction"),
    value: number("The figure, in `unit`."),
    unit: text("Unit of the figure."),
  },
  closed,
);

const PACK = {
  prices: Type.Array(Price, { description: "The ten coins of this node's signals.", minItems: 1, maxItems: 10 }),
  market: nullable(Market, "The market as a whole; null when no publisher could be read."),
  regime: nullable(Regime, "State of the market at the last daily close; null without its bars."),
  fear_greed: nullable(FearGreed, "Fear and greed; null when no index was available."),
  volatility: nullable(Volatility, "Null without daily bars of Bitcoin."),
  derivatives: nullable(Derivatives, "Null when there is no present or recently stored reading."),
  breadth: nullable(Breadth, "Null without daily bars."),
  movers: Type.Object(
    {
      up: Type.Array(Move, { description: "Strongest of twenty coins that rose.", maxItems: 3 }),
      down: Type.Array(Move, { description: "Weakest of those that fell, the weakest first.", maxItems: 3 }),
    },
    { ...closed, description: "Largest moves of 24 hours." },
  ),
  sectors: nullable(
    Type.Object(
      {
        leading: Type.Array(Type.String(), { description: "Sectors ahead of the market and gaining.", maxItems: 50 }),
        lagging: Type.Array(Type.String(), { description: "Sectors behind it and losing.", maxItems: 50 }),
      },
      closed,
    ),
    "Null without the members' daily bars.",
  ),
  anomalies_top: nullable(Type.Array(Anomaly, { maxItems: 3 }), "The worst oddities now; empty when nothing is odd."),
  fees: nullable(
    Type.Object(
      {
        btc_fastest_sat_vb: Type.Number({ description: "Fee rate for the next block, sat/vB.", minimum: 0 }),
        eth_gwei: nullable(Type.Number({ minimum: 0 }), "Base fee of Ethereum's next block, gwei."),
      },
      closed,
    ),
    "Null when no Bitcoin node could be read.",
  ),
  signals: nullable(
    Type.Object(
      {
        active_n: count("Signals within their horizon."),
        long_n: count("Of those, long."),
        short_n: count("Of those, short."),
        record_warning: doubtField,
      },
      closed,
    ),
    "This node's own signals.",
  ),
};

export const MarketBriefSchema = Type.Object(
  {
    ...PACK,
    brief: nullable(Type.String({ maxLength: 2_000 }), "Prose of at most 180 words; withheld in previews."),
    facts: WRITTEN_FIELDS.facts,
    written_by: nullable(oneOf(["model", "template"] as const, "Its author."), "Who wrote it", "without prose"),
    brief_model: nullable(Type.String(), "Language model that wrote it", "when a template did"),
    pack_hash: Type.String({
      description: "SHA-256, hex, of the canonical JSON (RFC 8785) of every field above `brief`.",
      pattern: "^[0-9a-f]{64}$",
    }),
  },
  closed,
);

export const PackSchema = Type.Object(PACK, closed);
export type MarketPack = Static<typeof PackSchema>;
export type MarketBriefData = Static<typeof MarketBriefSchema>;
