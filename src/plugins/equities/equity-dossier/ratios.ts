import { addDays, daysBetween } from "intel-node";
import type { FactBase } from "../facts/fact-base.ts";
import { getTrailingYear, listQuarters, listYears, type ReportedFigure } from "../facts/periods.ts";
import { combine, describeBalance, describeItems, divide, readTrailing } from "./figures.ts";
import type { RatioId } from "./schema.ts";

export type Balance = ReturnType<typeof describeBalance>;

/** A tax rate beyond these is of a year with something special in it; the statutory one where nothing was earned. */
const [TAX_MAX, TAX_STATUTORY] = [0.35, 0.21];

/** Operating income of twelve months less its tax, at the rate the company paid in them. */
function getOperatingProfitAfterTax(base: FactBase, operating_income: number | null): number | null {
  const [pretax, tax] = [getTrailingYear(base, "pretax")?.value, getTrailingYear(base, "tax")?.value];
  if (operating_income === null || pretax === undefined || tax === undefined) return null;
  const rate = pretax <= 0 ? TAX_STATUTORY : Math.min(TAX_MAX, Math.max(0, tax / pretax));
  return operating_income * (1 - rate);
}

/** Debt + equity - cash; null unless debt, equity and cash are all reported. */
function getInvestedCapital({ debt_long, debt_short, equity, cash }: Balance): number | null {
  if (debt_long === null && debt_short === null) return null;
  return equity === null || cash === null ? null : (debt_long ?? 0) + (debt_short ?? 0) + equity - cash;
}

/** The four quarters before the last four; null unless they are four in a row that end a year earlier. */
function sumYearBefore(quarters: readonly ReportedFigure[]): number | null {
  const [last, before] = [quarters.at(-1), quarters.slice(-8, -4)];
  const [first, end] = [before[0], before.at(-1)];
  if (before.length < 4 || !last || !first?.start || !end) return null;
  const is_a_year = Math.abs(daysBetween(first.start, end.end) - 364) <= 10;
  if (!is_a_year || Math.abs(daysBetween(end.end, last.end) - 365) > 10) return null;
  return before.reduce((sum, { value }) => sum + value, 0);
}

/** Null for banks and insurers, whose balance is not split by time and whose debt is their business. */
export function describeRatios(base: FactBase, now: Balance, is_financial: boolean): Record<RatioId, number | null> {
  const ttm = describeItems(readTrailing(base));
  const ago = describeBalance(base, addDays(base.newest_end, -365));
  const mean = (a: number | null, b: number | null) => combine(a, b, (x, y) => (x + y) / 2);
  const growth = (a: number | null | undefined, b: number | null | undefined) => {
    const quotient = divide(a ?? null, b ?? null);
    return quotient === null ? null : quotient - 1;
  };
  const revenues = listQuarters(base, "revenue");
  const years = listYears(base, "revenue");
  const three = divide(years.at(-1)?.value ?? null, years.at(-4)?.value ?? null);
  const shares = listQuarters(base, "shares_diluted").filter(({ derived }) => !derived);
  const last = shares.at(-1);
  const share_before = last && shares.find(({ end }) => Math.abs(daysBetween(end, last.end) - 365) <= 10);
  const last_revenue = revenues.at(-1);
  const revenue_before =
    last_revenue && revenues.find(({ end }) => Math.abs(daysBetween(end, last_revenue.end) - 365) <= 10);
  const quick = now.cash === null ? null : now.cash + (now.short_investments ?? 0) + (now.receivables ?? 0);
  const unless = (value: number | null) => (is_financial ? null : value);
  return {
    gross_margin: unless(divide(ttm.gross_profit, ttm.revenue)),
    operating_margin: divide(ttm.operating_income, ttm.revenue),
    net_margin: divide(ttm.net_income, ttm.revenue),
    fcf_margin: unless(divide(ttm.fcf, ttm.revenue)),
    revenue_yoy: growth(last_revenue?.value, revenue_before?.value),
    revenue_ttm_yoy: growth(ttm.revenue, sumYearBefore(revenues)),
    revenue_cagr_3y: three === null || three <= 0 ? null : Math.cbrt(three) - 1,
    roe: divide(ttm.net_income, mean(now.equity, ago.equity)),
    roa: divide(ttm.net_income, mean(now.assets, ago.assets)),
    roic: unless(divide(getOperatingProfitAfterTax(base, ttm.operating_income), getInvestedCapital(now))),
    current_ratio: unless(divide(now.assets_current, now.liabilities_current)),
    quick_ratio: unless(divide(quick, now.liabilities_current)),
    net_debt_to_ebitda: unless(divide(now.net_debt, ttm.ebitda)),
    interest_cover: unless(divide(ttm.operating_income, getTrailingYear(base, "interest")?.value ?? null)),
    accruals: divide(
      combine(ttm.net_income, ttm.cfo, (a, b) => a - b),
      mean(now.assets, ago.assets),
    ),
    sbc_to_revenue: divide(ttm.sbc, ttm.revenue),
    capex_to_revenue: divide(ttm.capex, ttm.revenue),
    dilution: growth(last?.value, share_before?.value),
  };
}
