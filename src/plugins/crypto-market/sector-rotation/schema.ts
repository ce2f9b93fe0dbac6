import { type Static, Type } from "@sinclair/typebox";
import { closed, nullable, number, oneOf } from "intel-node";

const nullableNumber = (description: string, when?: string) =>
  nullable(Type.Number({ decimals: 2 }), description, when);
const nullableFraction = (description: string) =>
  nullable(Type.Number({ minimum: 0, maximum: 1, decimals: 4 }), description);

export const QUADRANTS = ["leading", "weakening", "lagging", "improving"] as const;
export type Quadrant = (typeof QUADRANTS)[number];

const quadrant = (description: string) => oneOf(QUADRANTS, description);

const Market = Type.Object(
  {
    r7_pct: number("Return over 7 days, percent.", { decimals: 2 }),
    r30_pct: number("Return over 30 days, percent.", { decimals: 2 }),
    r90_pct: number("Return over 90 days, percent.", { decimals: 2 }),
  },
  closed,
);

const Member = Type.Object(
  {
    symbol: Type.String({ description: "Coin, such as BTC." }),
    weight_frac: Type.Number({ description: "Its weight in the sector, 0-1.", minimum: 0, maximum: 1, decimals: 4 }),
    r7_pct: number("Return over 7 days, percent.", { decimals: 2 }),
    r30_pct: number("Return over 30 days, percent.", { decimals: 2 }),
  },
  closed,
);

const Sector = Type.Object(
  {
    id: Type.String({ description: "Sector." }),
    rank: Type.Integer({ description: "Place by rs30_pct, 1 is the strongest.", minimum: 1 }),
    quadrant: quadrant(
      "By rs30 and momentum: leading (above 0, above 0), weakening (above 0, not above), lagging (neither), improving.",
    ),
    r7_pct: nullableNumber("Weighted return over 7 days, percent."),
    r30_pct: nullableNumber("Weighted return over 30 days, percent."),
    r90_pct: nullableNumber("Weighted return over 90 days, percent."),
    rs30_pct: nullableNumber("ln((1 + r30) / (1 + the market's r30)) x 100."),
    momentum_pct: nullableNumber("rs7 - rs30 x 7/30, x 100: whether the last week was stronger than the month."),
    momentum_z: nullableNumber("Standard deviations of momentum from the sectors' mean", "if all are equal"),
    breadth_frac: nullableFraction("Share of members above their 50-day average, 0-1."),
    equal_weight_r30_pct: nullableNumber("Mean 30-day return of the members, percent."),
    concentration_frac: nullableFraction("Weight of the largest member, 0-1."),
    members: nullable(Type.Array(Member, { minItems: 2, maxItems: 50 }), "By weight, the largest first."),
  },
  closed,
);

const Change = Type.Object(
  {
    id: Type.String({ description: "Sector." }),
    from: quadrant("Quadrant seven days ago, with today's weights."),
    to: quadrant("Quadrant now."),
  },
  closed,
);

const Dropped = Type.Object(
  {
    symbol: Type.String({ description: "Coin left out." }),
    sector: Type.String({ description: "Its sector." }),
    reason: Type.String({ description: "Why it is left out." }),
  },
  closed,
);

export const SectorRotationSchema = Type.Object(
  {
    market: nullable(Market, "All members together, equally weighted."),
    sectors: Type.Array(Sector, { description: "The strongest first.", minItems: 1, maxItems: 50 }),
    changes: nullable(Type.Array(Change, { maxItems: 50 }), "Sectors whose quadrant differs from seven days ago."),
    weights: Type.Union([Type.Literal("market_cap"), Type.Literal("equal")], {
      description: "How members are weighted; equal when too few capitalisations could be read.",
    }),
    caps_source: nullable(Type.String(), "Provider of the capitalisations", "when members weigh the same"),
    dropped: nullable(Type.Array(Dropped, { maxItems: 200 }), "Members left out, and why."),
  },
  closed,
);

export type SectorRotationData = Static<typeof SectorRotationSchema>;
export type SectorData = Static<typeof Sector>;
