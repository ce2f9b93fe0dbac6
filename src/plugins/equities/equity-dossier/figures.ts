import type { ConceptId } from "../facts/concepts.ts";
import type { FactBase } from "../facts/fact-base.ts";
import {
  getBalance,
  getTrailingYear,
  type listQuarters,
  type listYears,
  type ReportedFigure,
} from "../facts/periods.ts";
import { readDebt } from "./debt.ts";
import type { BalanceId, ItemId } from "./schema.ts";

type Numbers<K extends string> = Record<K, number | null>;
/** A number of one concept in one period; null when it is not reported. */
type Read = (id: ConceptId) => number | null;

export const combine = (a: number | null, b: number | null, by: (a: number, b: number) => number): number | null =>
  a === null || b === null ? null : by(a, b);
const subtract = (a: number | null, b: number | null) => combine(a, b, (x, y) => x - y);
const add = (a: number | null, b: number | null) => combine(a, b, (x, y) => x + y);
/** Null unless what is divided by is above 0. */
export const divide = (a: number | null, b: number | null): number | null =>
  a === null || b === null || b <= 0 ? null : a / b;

export function describeItems(read: Read): Numbers<ItemId> {
  const [revenue, cost, operating_income, cfo, capex] = [
    ...[read("revenue"), read("cost"), read("operating_income"), read("cfo"), read("capex")],
  ];
  return {
    revenue: revenue ?? null,
    gross_profit: read("gross_profit") ?? subtract(revenue ?? null, cost ?? null),
    operating_income: operating_income ?? null,
    net_income: read("net_income"),
    ebitda: add(operating_income ?? null, read("d_and_a")),
    cfo: cfo ?? null,
    capex: capex ?? null,
    fcf: subtract(cfo ?? null, capex ?? null),
    sbc: read("sbc"),
    r_and_d: read("r_and_d"),
    eps_diluted: read("eps_diluted"),
  };
}

export const readTrailing =
  (base: FactBase): Read =>
  (id) =>
    getTrailingYear(base, id)?.value ?? null;

/** The periods of revenue with what else is reported of them, newest first. */
export function listPeriods(base: FactBase, list: typeof listYears | typeof listQuarters, count: number) {
  const known = new Map<ConceptId, readonly ReportedFigure[]>();
  const all = (id: ConceptId): readonly ReportedFigure[] => {
    const figures = known.get(id) ?? list(base, id);
    known.set(id, figures);
    return figures;
  };
  const periods = all("revenue").length > 0 ? all("revenue") : all("net_income");
  return periods
    .slice(-count)
    .reverse()
    .map(({ end, derived }) => ({
      period_end: end,
      derived,
      ...describeItems((id) => all(id).find((figure) => figure.end === end)?.value ?? null),
    }));
}

/** The newest balance sheet, or the one near a day: a number of another day does not count. */
export function describeBalance(
  base: FactBase,
  at: string,
): Numbers<BalanceId> & Numbers<"assets_current" | "liabilities_current" | "receivables" | "retained"> {
  const read = (id: ConceptId): number | null => getBalance(base, id, at)?.value ?? null;
  const [assets, equity, cash, short_investments] = [
    read("assets"),
    read("equity"),
    read("cash"),
    read("short_investments"),
  ];
  const { long: debt_long, short: debt_short } = readDebt(base, at);
  // If neither is reported the figure is zero or unknown.
  const debt = debt_long === null && debt_short === null ? null : (debt_long ?? 0) + (debt_short ?? 0);
  return {
    assets,
    equity,
    cash,
    short_investments,
    debt_long,
    debt_short,
    liabilities: read("liabilities") ?? subtract(assets ?? null, equity ?? null),
    net_debt: debt === null || cash === null || cash === undefined ? null : debt - cash - (short_investments ?? 0),
    shares_out: getBalance(base, "shares_out")?.value ?? base.of("shares_diluted").at(-1)?.value ?? null,
    assets_current: read("assets_current"),
    liabilities_current: read("liabilities_current"),
    receivables: read("receivables"),
    retained: read("retained"),
  } as ReturnType<typeof describeBalance>;
}
