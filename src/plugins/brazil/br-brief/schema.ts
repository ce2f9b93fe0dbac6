import { type Static, Type } from "@sinclair/typebox";
import { closed, day, nullable, number, oneOf, text, WRITTEN_FIELDS } from "intel-node";
import { AgroSchema } from "../br-agro/schema.ts";
import { CurveSchema } from "../br-curve/schema.ts";
import { EquitySchema } from "../br-equity/schema.ts";
import { MacroSchema } from "../br-macro/schema.ts";
import { Events } from "../written/schema.ts";

const BPS = { decimals: 1 } as const;
const bps = (description: string) =>
  nullable(Type.Number(BPS), `${description}, basis points`, "for the exchange rate");

const PolicyGap = Type.Object(
  {
    meeting_date: day("Day the Copom decides."),
    implied_rate: number("Rate DI futures imply after it, % a year.", { decimals: 4 }),
    survey_median: number("Selic the survey expects after it, % a year.", { decimals: 4 }),
    gap_bps: number("Implied minus survey, basis points; it holds the DI's spread to the target.", BPS),
  },
  closed,
);

const BreakevenGap = Type.Object(
  {
    tenor: oneOf(["1y", "2y", "5y", "5y5y"] as const, "Term of the breakeven."),
    breakeven_pct: number("Breakeven inflation, percent.", { decimals: 4 }),
    minus_target_pp: number("Minus the inflation target, percentage points.", { decimals: 4 }),
    minus_focus_pp: nullable(Type.Number({ decimals: 4 }), "Minus the survey's 12 months", "but for 1y"),
  },
  closed,
);

const Scenario = Type.Object(
  {
    id: oneOf(
      ["parallel_up", "parallel_down", "bear_steepener", "bull_flattener", "brl_weaker", "brl_stronger"] as const,
      "What moves.",
    ),
    shift_1y_bps: bps("Shift of the 1-year rate"),
    shift_5y_bps: bps("Shift of the 5-year rate"),
    shift_10y_bps: bps("Shift of the 10-year rate"),
    pu_change_1y_pct: nullable(Type.Number({ decimals: 4 }), "Change of a 1-year zero's price", "without a shift"),
    pu_change_5y_pct: nullable(Type.Number({ decimals: 4 }), "Change of a 5-year zero's price", "likewise"),
    pu_change_10y_pct: nullable(Type.Number({ decimals: 4 }), "Change of a 10-year zero's price", "likewise"),
    ptax: nullable(Type.Number({ decimals: 4 }), "PTAX one standard deviation of a month away", "for the rates"),
  },
  closed,
);

const Regime = Type.Object(
  {
    name: oneOf(["reflation", "goldilocks", "stagflation", "slowdown"] as const, "By growth and inflation."),
    growth_3m3m_pct: number("IBC-Br, 3 months over 3 months, percent; growth above 0.", { decimals: 4 }),
    ipca_3m_saar_pct: number("IPCA of 3 months at an annual rate, percent.", { decimals: 4 }),
    ipca_12m_pct: number("IPCA over 12 months, percent; inflation gains when the former is above it.", { decimals: 4 }),
  },
  closed,
);

export const BrBriefSchema = Type.Object(
  {
    macro: nullable(MacroSchema, "What /br-macro says."),
    curve: nullable(CurveSchema, "What /br-curve says."),
    equity: nullable(EquitySchema, "What /br-equity says of the Ibovespa; null when missing."),
    agro: nullable(AgroSchema, "What /br-agro says; null when missing."),
    policy_gap: Type.Array(PolicyGap, { description: "Market against survey, meeting by meeting.", maxItems: 24 }),
    breakeven_gap: Type.Array(BreakevenGap, { description: "Breakevens against the target.", maxItems: 4 }),
    scenarios: Type.Array(Scenario, { description: "Deterministic shifts, no forecasts.", maxItems: 6 }),
    regime: nullable(Regime, "Null when growth or inflation is unknown."),
    calendar: Events,
    markdown: Type.String({ description: "The narrative in Markdown.", maxLength: 30_000 }),
    title: text("Title with the day of the curve."),
    ...WRITTEN_FIELDS,
  },
  closed,
);
export type BrBriefData = Static<typeof BrBriefSchema>;
