import { type Static, Type } from "@sinclair/typebox";
import { closed, count, day, nullable, number, oneOf, text } from "intel-node";

const RATE = { decimals: 4 } as const;
const BPS = { decimals: 1 } as const;
const rate = (description: string) => nullable(Type.Number(RATE), `${description}, % a year of 252 business days.`);
const bps = (description: string) => nullable(Type.Number(BPS), `${description}, basis points.`);

/** Standard terms in business days: 21 to a month, 252 to a year. */
export const TENORS = {
  "1m": 21,
  "2m": 42,
  "3m": 63,
  "6m": 126,
  "1y": 252,
  "2y": 504,
  "3y": 756,
  "4y": 1_008,
  "5y": 1_260,
  "7y": 1_764,
  "10y": 2_520,
  "14y": 3_528,
} as const;
export type Tenor = keyof typeof TENORS;
export const TENOR_NAMES = Object.keys(TENORS) as Tenor[];

/** Of each kind some 40 are settled. */
export const FUTURES = { max: 200, default: 8 } as const;
export const CurveParams = Type.Object(
  {
    futures: Type.Optional(
      Type.Integer({
        description: "Most futures of each kind that are listed, nearest first; the curve is made of all.",
        minimum: 0,
        maximum: FUTURES.max,
        default: FUTURES.default,
      }),
    ),
  },
  closed,
);

const gap = (what: string) =>
  nullable(
    Type.Integer({ minimum: 0 }),
    `Business days from the term to the nearest vertex its ${what} is made of`,
    "where there is no rate",
  );

const Point = Type.Object(
  {
    tenor: oneOf(TENOR_NAMES, "Term: months of 21, years of 252 business days."),
    du: count("Business days to it."),
    date: day("The day it ends on."),
    nominal: rate("Nominal rate; null before the first vertex and beyond the last"),
    nominal_gap_du: gap("nominal rate"),
    real: nullable(
      Type.Number(RATE),
      "Real rate over the IPCA, % a year of 252 business days",
      "below 126 business days",
    ),
    real_gap_du: gap("real rate"),
    breakeven: nullable(Type.Number(RATE), "(1 + nominal) / (1 + real) - 1, percent", "where either is"),
    change_1d_bps: bps("Change of the nominal rate since B3's session before, at the same term"),
    change_5d_bps: bps("The same over 5 sessions of B3"),
    change_21d_bps: bps("The same over 21 sessions of B3"),
  },
  closed,
);

const Future = Type.Object(
  {
    symbol: text("B3's ticker: DI1 is nominal, DAP real."),
    expiry: day("Day it expires."),
    du: count("Business days to it."),
    rate: number("Settlement rate, % a year.", RATE),
    pu: number("Settlement price of 100,000 at expiry (points for DAP).", { decimals: 2 }),
    change_bps: bps("Change of the rate since the trading day before; null when it was not settled then"),
    open_interest: nullable(Type.Integer(), "Contracts open; null where the file does not say."),
    dv01_brl: number("What one basis point more makes of a long PU of 100,000: analytic derivative, BRL.", RATE),
    modified_duration: number("(du / 252) / (1 + rate), years.", RATE),
  },
  closed,
);

const Fit = nullable(
  Type.Object(
    {
      beta: Type.Array(Type.Number({ decimals: 6 }), { description: "b1 to b4, percent.", minItems: 4, maxItems: 4 }),
      lambda: Type.Array(Type.Number({ decimals: 6 }), { description: "Decays a year.", minItems: 2, maxItems: 2 }),
      rmse_bps: number("Root mean square of what it misses the vertices by, basis points.", { decimals: 3 }),
      max_bps: number("The most it misses one by, basis points.", BPS),
      n: count("Vertices it was fitted to."),
    },
    closed,
  ),
  "Parameters of Svensson's curve; null below 8 vertices.",
);

const Step = Type.Object(
  {
    meeting_date: day("Day the Copom decides."),
    effective_date: day("First bank day on which the decision holds."),
    until_date: day("The day the next decision takes effect; if unknown, 24 bank days later."),
    implied_rate: number("Average DI rate until then, % a year.", RATE),
    step_bps: number("Change to the stretch before, basis points.", BPS),
    cumulative_bps: number("Change to the rate before the next meeting, basis points.", BPS),
  },
  closed,
);

const object = <P extends Parameters<typeof Type.Object>[0]>(properties: P, description: string) =>
  Type.Object(properties, { ...closed, description });

export const CurveSchema = Type.Object(
  {
    reference_date: day("Day of the settlements."),
    source_kind: oneOf(
      ["di_futures", "treasury_bonds"],
      "di_futures: DI1 and DAP settlements; treasury_bonds: retail bond yields, a coarse curve of few vertices.",
    ),
    curve: Type.Array(Point, { description: "Standard terms, nearest first.", maxItems: TENOR_NAMES.length }),
    futures: nullable(
      Type.Array(Future),
      "Settled DI1 and DAP futures, as many of each as `futures` says",
      "when the curve is made of bonds",
    ),
    dropped: Type.Array(Type.String(), { description: "Futures whose rate and PU contradict each other; not used." }),
    forwards: object(
      {
        f3m3m: rate("3 months in 3 months"),
        f1y1y: rate("1 year in 1 year"),
        f2y1y: rate("1 year in 2 years"),
        f5y5y: rate("5 years in 5 years"),
        real_5y5y: rate("5 years in 5 years, real"),
        breakeven_5y5y: nullable(Type.Number(RATE), "Inflation that makes both 5y5y equal, percent."),
      },
      "Forward rates.",
    ),
    slopes: object(
      {
        s3m10y: bps("10 years minus 3 months"),
        s1s5s: bps("5 years minus 1 year"),
        s2s10s: bps("10 years minus 2 years"),
        fly_2_5_10: bps("2 x 5 years minus 2 years minus 10 years"),
      },
      "Differences of nominal rates.",
    ),
    pca_like: object(
      {
        level_21d: bps("Mean change of all terms over 21 sessions of B3"),
        slope_21d: bps("Change of 10 years minus 1 year over 21 sessions of B3"),
        curvature_21d: bps("Change of fly_2_5_10 over 21 sessions of B3"),
      },
      "Level, slope and curvature by the usual proxies, not by a decomposition; null until 21 days are stored.",
    ),
    nss: object(
      { nominal: Fit, real: Fit },
      "Svensson's curves (1994). The rates above are interpolated, not of these.",
    ),
    implied_before_next_meeting: rate("Average DI rate until the next decision takes effect; null without a date"),
    copom_path: nullable(
      Type.Array(Step),
      "Policy path DI futures imply, as an average with its risk premium; null when the next dates are not known.",
    ),
    focus_gap_bps: bps(
      "Implied average after the year's last meeting minus the survey's Selic at its end; null without",
    ),
    selic_target_pct: nullable(Type.Number(RATE), "Selic target, % a year; null when it cannot be read."),
    di_overnight_pct: nullable(Type.Number(RATE), "Annualised CDI of the newest day, % a year; null likewise."),
    shape: nullable(
      oneOf(["normal", "inverted", "flat", "humped"], "Form of the nominal curve."),
      "humped: 2 years 25 bps or more above 3 months and above 10 years; flat: 10 years within 25 bps of 3 months; " +
        "else by the sign of 10 years minus 3 months. Null without these terms.",
    ),
    method: object(
      {
        interpolation: oneOf(["flat_forward_252"], "Constant forward rate between vertices; nothing outside them."),
        day_count: oneOf(["du/252"], "Business days over 252."),
        calendar: oneOf(["anbima_computed"], "ANBIMA's bank holidays, by their rules."),
        real_min_du: count("Business days below which no real rate is given."),
      },
      "How it was computed.",
    ),
    text: text("The same in two sentences."),
  },
  closed,
);
export type CurveParams = Static<typeof CurveParams>;
export type CurveData = Static<typeof CurveSchema>;
export type CurvePointData = Static<typeof Point>;
