import { type Static, Type } from "@sinclair/typebox";
import { closed, nullable, oneOf, WRITTEN_FIELDS } from "intel-node";
import { Events } from "../written/schema.ts";

const figure = (description: string) => nullable(Type.Number({ decimals: 4 }), `${description}; null when unknown.`);
const direction = (description: string) => nullable(oneOf(["up", "down", "flat"], "Which way."), description);

export const BrazilBriefSchema = Type.Object(
  {
    numbers: Type.Object(
      {
        selic_target_pct: figure("Selic target, % a year"),
        di_1y_pct: figure("DI rate of a year, % a year"),
        di_10y_pct: figure("DI rate of ten years, % a year"),
        slope_2s10s_bps: figure("10 years minus 2 years, basis points"),
        breakeven_5y_pct: figure("Breakeven inflation of five years, percent"),
        ipca_12m_pct: figure("IPCA over 12 months, percent"),
        focus_ipca_year_pct: figure("Survey's median of the year's IPCA, percent"),
        ex_ante_real_pct: figure("1-year DI over expected IPCA, percent"),
        ptax_sell: figure("BRL for one US dollar, closing PTAX, sell"),
        ibov_close: figure("Ibovespa, points"),
        ibov_change_5d_pct: figure("Its change over 5 sessions, percent"),
        soy_brl_sack: figure("Front soy future, BRL per sack of 60 kg"),
        cattle_brl_arroba: figure("Front cattle future, BRL per arroba"),
        corn_brl_sack: figure("Front corn future, BRL per sack of 60 kg"),
      },
      { ...closed, description: "The dozen numbers a decision loop reads." },
    ),
    directions: Type.Object(
      {
        rates: direction("1-year DI over 5 days, beyond 5 basis points; null when not stored that long."),
        fx: direction("PTAX over 5 days, beyond 1 %; null likewise."),
        equity: direction("Ibovespa over 5 days, beyond 1.5 %; null likewise."),
        agro: direction("Median of the front futures over a day, beyond 1 %; null when no future is settled."),
      },
      { ...closed, description: "By rule." },
    ),
    next_events: Events,
    ...WRITTEN_FIELDS,
  },
  closed,
);
export type BrazilBriefData = Static<typeof BrazilBriefSchema>;
