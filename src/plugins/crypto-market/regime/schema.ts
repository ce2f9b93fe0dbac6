import { type Static, Type } from "@sinclair/typebox";
import { closed, day, nullable, oneOf, share } from "intel-node";
import { FACTORS } from "../regimes/factors.ts";
import { REGIMES } from "../regimes/replay.ts";
import { VOLATILITY_STATES } from "../regimes/volatility.ts";

const Factor = Type.Object(
  {
    name: oneOf(FACTORS, `${FACTORS.join(", ")}.`),
    value: nullable(
      Type.Number({ minimum: -1, maximum: 1, decimals: 4 }),
      "-1 (bear) to 1 (bull); null without enough coins.",
    ),
    weight: nullable(
      Type.Number({ minimum: 0, maximum: 1, decimals: 4 }),
      "Weight used, 0-1; 0 without a value. Withheld in previews.",
    ),
    contribution: nullable(Type.Number({ decimals: 4 }), "weight x value, a part of score. Withheld in previews."),
  },
  closed,
);

const Volatility = Type.Object(
  {
    rv30_pct: Type.Number({
      description: "Realised volatility of 30 days, percent per year.",
      minimum: 0,
      decimals: 2,
    }),
    percentile: Type.Number({
      description: "Its percentile rank within a year, percent.",
      minimum: 0,
      maximum: 100,
      decimals: 2,
    }),
    state: oneOf(VOLATILITY_STATES, "Below 25 calm, below 75 normal, below 90 elevated, else extreme."),
    dvol: nullable(
      Type.Number({ minimum: 0, decimals: 2 }),
      "Implied volatility index of Bitcoin at that close, percent per year; null without a licensed provider.",
    ),
  },
  { ...closed, description: "How much the price moves, against the past year." },
);

const BreadthSchema = Type.Object(
  {
    above_sma50_frac: nullable(
      share("", { decimals: 4 }),
      "Share of coins above their 50-day average, 0-1; null with fewer than 12.",
    ),
    above_sma200_frac: nullable(
      share("", { decimals: 4 }),
      "Share of coins above their 200-day average, 0-1; null with fewer than 12.",
    ),
    n: Type.Integer({ description: "Coins with a 50-day average.", minimum: 0 }),
  },
  { ...closed, description: "How many of the larger coins are above their averages." },
);

const TrackRow = Type.Object(
  {
    regime: oneOf(REGIMES, "bull, bear or chop."),
    days: Type.Integer({ description: "Days in that state whose next 30 days are known, days.", minimum: 0 }),
    fwd30_mean_pct: nullable(Type.Number({ decimals: 2 }), "Mean of Bitcoin's return over the next 30 days, percent."),
    fwd30_median_pct: nullable(Type.Number({ decimals: 2 }), "Median of it, percent."),
    up_share_frac: nullable(
      share("", { decimals: 4 }),
      "Share of those days after which the price was higher 30 days on, 0-1.",
    ),
  },
  closed,
);

const TrackBasis = Type.Object(
  {
    source: Type.String({ description: "Whose daily closes were classified." }),
    from: day("First day, UTC, YYYY-MM-DD."),
    to: day("Last day, UTC, YYYY-MM-DD."),
    breadth: Type.String({ description: "What took the place of today's breadth in the past." }),
  },
  { ...closed, description: "What the track was measured on." },
);

export const RegimeSchema = Type.Object(
  {
    regime: oneOf(REGIMES, "State at the newest close: bull, bear or chop. It describes; it predicts weakly."),
    score: Type.Number({
      description: "Weighted sum of the factors, -1 (bear) to 1 (bull).",
      minimum: -1,
      maximum: 1,
      decimals: 4,
    }),
    confidence: share("How sure the score makes the state, 0-1.", { decimals: 4 }),
    since: day("First day of the state, UTC, YYYY-MM-DD."),
    days_in_regime: Type.Integer({
      description: "Daily closes in the state, days; 200 means 200 or more.",
      minimum: 1,
    }),
    factors: Type.Array(Factor, { description: "What the score is made of.", minItems: 5, maxItems: 5 }),
    chop_gate: Type.Boolean({
      description: "Whether the market went nowhere (er30 < 0.15, adx14 < 20, |score| < 0.6), which makes it chop.",
    }),
    er30: share("Kaufman's efficiency ratio of 30 days, 0-1.", { decimals: 4 }),
    adx14: Type.Number({
      description: "Wilder's average directional index, 0-100.",
      minimum: 0,
      maximum: 100,
      decimals: 2,
    }),
    volatility: Volatility,
    breadth: BreadthSchema,
    p_turbulent: nullable(
      share("", { decimals: 4 }),
      "Probability that the newest return is of the wilder of two states, 0-1; null when no model fits.",
    ),
    btc_close: Type.Number({
      description: "Bitcoin's newest daily close, US dollars.",
      exclusiveMinimum: 0,
      digits: 8,
    }),
    bar_date: day("Day of that close, UTC, YYYY-MM-DD."),
    previous: nullable(
      Type.Object({ regime: oneOf(REGIMES, "bull, bear or chop."), ended: day("Its last day, YYYY-MM-DD.") }, closed),
      "The state before; null when the state is older than the 200 days replayed.",
    ),
    track: Type.Array(TrackRow, { description: "How Bitcoin did after days of each state.", minItems: 3, maxItems: 3 }),
    track_basis: TrackBasis,
  },
  closed,
);

export type RegimeData = Static<typeof RegimeSchema>;
