import type { ConceptId } from "../facts/concepts.ts";
import type { FactBase } from "../facts/fact-base.ts";
import { getBalance, listYears } from "../facts/periods.ts";
import { combine, divide } from "./figures.ts";
import type { EquityDossierData } from "./schema.ts";

type Flags = NonNullable<EquityDossierData["piotroski"]>["flags"];

interface Year {
  readonly roa: number | null;
  readonly cfo: number | null;
  readonly net_income: number | null;
  readonly leverage: number | null;
  readonly current: number | null;
  readonly shares: number | null;
  readonly gross_margin: number | null;
  readonly turnover: number | null;
}

/** A fiscal year's inputs; assets are those at its start. */
function readYear(base: FactBase, end: string, start_of: string | undefined): Year {
  const flow = (id: ConceptId): number | null => listYears(base, id).find((one) => one.end === end)?.value ?? null;
  const at = (id: ConceptId, day = end): number | null => getBalance(base, id, day)?.value ?? null;
  const assets_before = start_of === undefined ? null : at("assets", start_of);
  const gross = flow("gross_profit") ?? combine(flow("revenue"), flow("cost"), (a, b) => a - b);
  return {
    roa: divide(flow("net_income"), assets_before),
    cfo: flow("cfo"),
    net_income: flow("net_income"),
    leverage: divide(at("debt_long") ?? (at("assets") === null ? null : 0), at("assets")),
    current: divide(at("assets_current"), at("liabilities_current")),
    shares: flow("shares_diluted"),
    gross_margin: divide(gross, flow("revenue")),
    turnover: divide(flow("revenue"), assets_before),
  };
}

/**
 * Piotroski's nine signals of the last fiscal year against the one before (J. Accounting Research 38, 2000). A signal
 * without its inputs is null and counts for nothing. Null with fewer than two fiscal years.
 */
export function scorePiotroski(base: FactBase): EquityDossierData["piotroski"] {
  const ends = listYears(base, "net_income").map(({ end }) => end);
  const [end, before, earlier] = [ends.at(-1), ends.at(-2), ends.at(-3)];
  if (end === undefined || before === undefined) return null;
  const [now, then] = [readYear(base, end, before), readYear(base, before, earlier)];
  const holds = (a: number | null, b: number | null, test: (a: number, b: number) => boolean): boolean | null =>
    a === null || b === null ? null : test(a, b);
  const above = (a: number, b: number): boolean => a > b;
  const flags: Flags = {
    roa_positive: holds(now.roa, 0, above),
    cfo_positive: holds(now.cfo, 0, above),
    roa_up: holds(now.roa, then.roa, above),
    cfo_above_income: holds(now.cfo, now.net_income, above),
    leverage_not_up: holds(now.leverage, then.leverage, (a, b) => a <= b),
    current_ratio_up: holds(now.current, then.current, above),
    shares_not_up: holds(now.shares, then.shares, (a, b) => a <= b),
    gross_margin_up: holds(now.gross_margin, then.gross_margin, above),
    turnover_up: holds(now.turnover, then.turnover, above),
  };
  const known = Object.values(flags).filter((flag) => flag !== null);
  return { score: known.filter(Boolean).length, evaluated: known.length, flags };
}

export interface AltmanInputs {
  readonly assets: number | null;
  readonly liabilities: number | null;
  readonly working_capital: number | null;
  readonly retained: number | null;
  readonly ebit: number | null;
  readonly market_cap: number | null;
  readonly revenue: number | null;
}

/** Altman's Z of 1968 for listed companies other than banks (J. Finance 23). Null when an input is missing. */
export function scoreAltman(inputs: AltmanInputs): EquityDossierData["altman"] {
  const { assets, liabilities, working_capital, retained, ebit, market_cap, revenue } = inputs;
  const [wc, re, e, turnover] = [working_capital, retained, ebit, revenue].map((value) => divide(value, assets));
  const cover = divide(market_cap, liabilities);
  if (wc == null || re == null || e == null || turnover == null || cover === null) return null;
  const parts = { working_capital: 1.2 * wc, retained: 1.4 * re, ebit: 3.3 * e, market_cap: 0.6 * cover, turnover };
  const z = Object.values(parts).reduce((sum, part) => sum + part, 0);
  return { z, zone: z < 1.81 ? "distress" : z > 2.99 ? "safe" : "grey", parts };
}
