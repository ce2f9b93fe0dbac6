import { expect, test } from "bun:test";
import fc from "fast-check";
import { addDays, toDate } from "intel-node";
import type { EdgarFact } from "../facts/scan-facts.ts";
import { computeEquityDossier } from "./compute.ts";

const FLOWS = {
  revenue: "Revenues",
  cost: "CostOfRevenue",
  operating: "OperatingIncomeLoss",
  income: "NetIncomeLoss",
  pretax: "IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest",
  tax: "IncomeTaxExpenseBenefit",
  depreciation: "DepreciationAndAmortization",
  interest: "InterestExpense",
  cfo: "NetCashProvidedByUsedInOperatingActivities",
  capex: "PaymentsToAcquirePropertyPlantAndEquipment",
  sbc: "ShareBasedCompensation",
} as const;
const BALANCES = {
  assets: "Assets",
  assets_current: "AssetsCurrent",
  liabilities_current: "LiabilitiesCurrent",
  equity: "StockholdersEquity",
  cash: "CashAndCashEquivalentsAtCarryingValue",
  short_investments: "ShortTermInvestments",
  receivables: "AccountsReceivableNetCurrent",
  debt_long: "LongTermDebtNoncurrent",
  debt_short: "DebtCurrent",
} as const;
const SHARES = "WeightedAverageNumberOfDilutedSharesOutstanding";
type Id = keyof typeof FLOWS | keyof typeof BALANCES | "shares";
const IDS = [...Object.keys(FLOWS), ...Object.keys(BALANCES), "shares"] as readonly Id[];
const QUARTERS = 20;

/** A company as it is: what each quarter brought, and what there was at its end. */
interface World {
  readonly numbers: Readonly<Record<Id, readonly number[]>>;
  /** Quarters that are over, 16 to 20: the last report can be of any of the four. */
  readonly length: number;
  /** Month in which fiscal years begin. */
  readonly month: number;
}
const worlds: fc.Arbitrary<World> = fc.record({
  numbers: fc.record(
    Object.fromEntries(
      IDS.map((id) => [
        id,
        fc.array(fc.integer({ min: 1_000, max: 1_000_000 }), { minLength: QUARTERS, maxLength: QUARTERS }),
      ]),
    ) as Record<Id, fc.Arbitrary<number[]>>,
  ),
  length: fc.integer({ min: 16, max: QUARTERS }),
  month: fc.integer({ min: 1, max: 12 }),
});

/** The same company as the SEC has it: quarters and running sums of a year, fourth quarters only within years. */
function report({ numbers, length, month }: World): readonly EdgarFact[] {
  const startOf = (index: number): string => toDate(2020, month + index * 3, 1);
  return Array.from({ length }, (_, index) => index).flatMap((index) => {
    const end = addDays(startOf(index + 1), -1);
    const rest = { end, accession: `0-${index}`, filed: addDays(end, 30), form: index % 4 === 3 ? "10-K" : "10-Q" };
    const first = index - (index % 4);
    const is_fourth = index % 4 === 3;
    const flows = Object.entries(FLOWS).flatMap(([id, tag]): EdgarFact[] => {
      const values = numbers[id as Id];
      const year = values.slice(first, index + 1).reduce((sum, value) => sum + value, 0);
      const running = { ...rest, tag, unit: "USD", start: startOf(first), value: year };
      // Cash flows come as running sums alone, as companies report them.
      if (is_fourth || tag === FLOWS.cfo || tag === FLOWS.capex || index === first) return [running];
      return [running, { ...running, start: startOf(index), value: values[index] ?? Number.NaN }];
    });
    const balances = Object.entries(BALANCES).map(([id, tag]): EdgarFact => {
      return { ...rest, tag, unit: "USD", start: null, value: numbers[id as Id][index] ?? Number.NaN };
    });
    const start = startOf(is_fourth ? first : index);
    const shares = { ...rest, tag: SHARES, unit: "shares", start, value: numbers.shares[index] ?? Number.NaN };
    return [...flows, ...balances, shares];
  });
}

/** The ratios from the quarters themselves, without a report in between. */
function recompute({ numbers, length }: World) {
  const last = length - 1;
  const year = (id: Id) => numbers[id].slice(length - 4, length).reduce((sum, value) => sum + value, 0);
  const before = (id: Id) => numbers[id].slice(length - 8, length - 4).reduce((sum, value) => sum + value, 0);
  const now = (id: Id) => numbers[id][last] ?? Number.NaN;
  const mean = (id: Id) => (now(id) + (numbers[id][last - 4] ?? Number.NaN)) / 2;
  const fiscal = (n: number) => numbers.revenue.slice(n * 4, n * 4 + 4).reduce((sum, value) => sum + value, 0);
  const whole_years = Math.floor(length / 4);
  // Shares of a fourth quarter are not reported: the newest are of the third.
  const shares_at = last % 4 === 3 ? last - 1 : last;
  const growth = (id: Id, at: number) => (numbers[id][at] ?? Number.NaN) / (numbers[id][at - 4] ?? Number.NaN) - 1;
  const invested = now("debt_long") + now("debt_short") + now("equity") - now("cash");
  return {
    gross_margin: 1 - year("cost") / year("revenue"),
    operating_margin: year("operating") / year("revenue"),
    net_margin: year("income") / year("revenue"),
    fcf_margin: (year("cfo") - year("capex")) / year("revenue"),
    revenue_yoy: growth("revenue", last),
    revenue_ttm_yoy: year("revenue") / before("revenue") - 1,
    revenue_cagr_3y: (fiscal(whole_years - 1) / fiscal(whole_years - 4)) ** (1 / 3) - 1,
    roe: year("income") / mean("equity"),
    roa: year("income") / mean("assets"),
    roic: invested > 0 ? (year("operating") * (1 - Math.min(0.35, year("tax") / year("pretax")))) / invested : null,
    current_ratio: now("assets_current") / now("liabilities_current"),
    quick_ratio: (now("cash") + now("short_investments") + now("receivables")) / now("liabilities_current"),
    net_debt_to_ebitda:
      (now("debt_long") + now("debt_short") - now("cash") - now("short_investments")) /
      (year("operating") + year("depreciation")),
    interest_cover: year("operating") / year("interest"),
    accruals: (year("income") - year("cfo")) / mean("assets"),
    sbc_to_revenue: year("sbc") / year("revenue"),
    capex_to_revenue: year("capex") / year("revenue"),
    dilution: growth("shares", shares_at),
  };
}

const listing = { cik: 1, name: "A company", ticker: "A", exchange: "NYSE" };
const registrant = {
  cik: 1,
  name: "A company",
  sic: "7372",
  sic_description: "Software",
  exchange: "NYSE",
  fiscal_year_end: null,
  category: null,
  filings: [],
};

test("every ratio of worlds of any kind is that of the quarters the reports were made of", () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const { data } = computeEquityDossier(
        {
          company: { listing, registrant, facts: report(world), warnings: [] },
          known_at: "2026-06-30",
          price: null,
          insiders: null,
          holdings: [],
          closes: [],
          warnings: [],
        },
        { now_ms: Date.parse("2026-06-30") },
      );
      const expected = recompute(world);
      expect(Object.keys(expected).sort()).toEqual(Object.keys(data.ratios).sort());
      for (const [name, value] of Object.entries(expected)) {
        const ratio = data.ratios[name as keyof typeof expected];
        if (value === null || ratio === null) expect([name, ratio]).toEqual([name, value]);
        else if (Math.abs(ratio - value) > 1e-9 * Math.max(1, Math.abs(value)))
          throw new Error(`${name}: ${ratio} instead of ${value}`);
      }
    }),
    { numRuns: 40 },
  );
});
