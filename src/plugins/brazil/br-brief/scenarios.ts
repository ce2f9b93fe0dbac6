import type { CurveData } from "../br-curve/schema.ts";
import type { MacroData } from "../br-macro/schema.ts";
import { YEAR_DU } from "../curve/flat-forward.ts";
import type { BrBriefData } from "./schema.ts";

type Scenario = BrBriefData["scenarios"][number];

const TERMS = { "1y": 252, "5y": 1_260, "10y": 2_520 } as const;
const MONTH_DU = 21;

/** A shift that goes from one at a year to another at ten, in a straight line over business days; basis points. */
export const shiftAt = (du: number, from_bps: number, to_bps: number): number =>
  from_bps + ((to_bps - from_bps) * (du - TERMS["1y"])) / (TERMS["10y"] - TERMS["1y"]);

/** Change of a zero's price when its rate (% a year of 252 days) shifts, percent. */
export function changeOfPrice(rate_pct: number, du: number, shift_bps: number): number {
  const [before, after] = [1 + rate_pct / 100, 1 + rate_pct / 100 + shift_bps / 10_000];
  return 100 * ((before / after) ** (du / YEAR_DU) - 1);
}

/** The exchange rate some standard deviations of a month away: lognormal, at a volatility in percent per year. */
export const moveOfRate = (rate: number, volatility_pct: number, deviations: number): number =>
  rate * Math.exp(deviations * (volatility_pct / 100) * Math.sqrt(MONTH_DU / YEAR_DU));

const SHIFTS = [
  ["parallel_up", 100, 100],
  ["parallel_down", -100, -100],
  ["bear_steepener", 25, 100],
  ["bull_flattener", -25, -100],
] as const;

const NO_RATES = {
  shift_1y_bps: null,
  shift_5y_bps: null,
  shift_10y_bps: null,
  pu_change_1y_pct: null,
  pu_change_5y_pct: null,
  pu_change_10y_pct: null,
};

/** Shifts of the curve and of the exchange rate; rows whose inputs are missing are left out. */
export function listScenarios(curve: CurveData | null, macro: MacroData | null): Scenario[] {
  const rateOf = (tenor: string) => curve?.curve.find((one) => one.tenor === tenor)?.nominal ?? null;
  const change = (tenor: keyof typeof TERMS, shift: number) => {
    const rate = rateOf(tenor);
    return rate === null ? null : changeOfPrice(rate, TERMS[tenor], shift);
  };
  const rates = SHIFTS.map(([id, from, to]): Scenario => {
    const [one, five, ten] = [TERMS["1y"], TERMS["5y"], TERMS["10y"]].map((du) => shiftAt(du, from, to));
    return {
      id,
      shift_1y_bps: one ?? null,
      shift_5y_bps: five ?? null,
      shift_10y_bps: ten ?? null,
      pu_change_1y_pct: change("1y", one ?? 0),
      pu_change_5y_pct: change("5y", five ?? 0),
      pu_change_10y_pct: change("10y", ten ?? 0),
      ptax: null,
    };
  });
  const { ptax_sell, vol_63d_pct } = macro?.fx ?? {};
  if (ptax_sell === undefined || vol_63d_pct === undefined || vol_63d_pct === null) return rates;
  return [
    ...rates,
    { id: "brl_weaker", ...NO_RATES, ptax: moveOfRate(ptax_sell, vol_63d_pct, 1) },
    { id: "brl_stronger", ...NO_RATES, ptax: moveOfRate(ptax_sell, vol_63d_pct, -1) },
  ];
}
