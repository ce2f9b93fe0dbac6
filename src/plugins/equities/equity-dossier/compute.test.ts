import { describe, expect, test } from "bun:test";
import { cutToKnown } from "../companies/as-known-at.ts";
import { createFactBase } from "../facts/fact-base.ts";
import type { EdgarFact } from "../facts/scan-facts.ts";
import type { Registrant } from "../providers/sec/submissions.ts";
import { computeEquityDossier } from "./compute.ts";
import { scoreAltman, scorePiotroski } from "./scores.ts";

const fact = (
  tag: string,
  [start, end]: readonly [string | null, string],
  value: number,
  rest: Partial<EdgarFact> = {},
): EdgarFact => ({
  tag,
  start,
  end,
  value,
  unit: "USD",
  accession: "0-1",
  form: "10-Q",
  filed: "2025-05-30",
  ...rest,
});
const YEAR = ["2024-05-01", "2025-04-30"] as const;
const NOW = [null, "2025-04-30"] as const;
/** Snowflake's twelve months to April 2025 and its balance sheet, CIK 1640147. */
const SNOW: readonly EdgarFact[] = [
  fact("Revenues", YEAR, 3_839_761_000),
  fact("GrossProfit", YEAR, 2_548_819_000),
  fact("OperatingIncomeLoss", YEAR, -1_554_695_000),
  fact("NetIncomeLoss", YEAR, -1_398_744_000),
  fact("NetCashProvidedByUsedInOperatingActivities", YEAR, 832_669_000),
  fact("PaymentsToAcquirePropertyPlantAndEquipment", YEAR, 74_749_000),
  fact("Assets", NOW, 8_157_407_000),
  fact("AssetsCurrent", NOW, 4_785_974_000),
  fact("LiabilitiesCurrent", NOW, 3_030_544_000),
  fact("Liabilities", NOW, 5_742_553_000),
  fact("CashAndCashEquivalentsAtCarryingValue", NOW, 2_243_083_000),
  fact("ShortTermInvestments", NOW, 1_667_601_000),
  fact("ConvertibleDebtNoncurrent", NOW, 2_273_600_000),
  fact("StockholdersEquity", NOW, 2_408_000_000),
  fact("StockholdersEquity", [null, "2024-04-30"], 4_558_234_000, { filed: "2024-05-31" }),
  fact("EntityCommonStockSharesOutstanding", [null, "2025-05-08"], 333_700_000, { unit: "shares" }),
  fact("EarningsPerShareDiluted", YEAR, -4.1917, { unit: "USD/shares" }),
];
const registrant = {
  cik: 1_640_147,
  name: "Snowflake Inc.",
  sic: "7372",
  sic_description: "Services-Prepackaged Software",
  exchange: "NYSE",
  fiscal_year_end: "0131",
  category: "Large accelerated filer",
  filings: [],
};
const listing = { cik: 1_640_147, name: "Snowflake Inc.", ticker: "SNOW", exchange: "NYSE" };
const price = { price: 200, price_basis: "mid", is_proxy: false };
const compute = (facts: readonly EdgarFact[], of: Partial<Registrant> = {}, now = "2025-06-30") =>
  computeEquityDossier(
    {
      company: cutToKnown({ listing, registrant: { ...registrant, ...of }, facts, warnings: [] }, now),
      known_at: now,
      price,
      insiders: null,
      holdings: [],
      closes: [],
      warnings: [],
    },
    { now_ms: Date.parse("2026-11-22") },
  );

/** At the end of the year of the vector. */
const debtOf = (tags: Readonly<Record<string, number>>) => {
  const facts = Object.entries(tags).map(([tag, value]) => fact(tag, NOW, value));
  const { debt_long, debt_short, net_debt, cash, short_investments } = compute([
    ...SNOW.filter(({ tag }) => !/Debt|Convertible/.test(tag)),
    ...facts,
  ]).data.balance;
  return { long: debt_long, short: debt_short, debt: (net_debt ?? 0) + (cash ?? 0) + (short_investments ?? 0) };
};

describe("a company file", () => {
  test("short-term debt is all of it, and nothing twice", () => {
    const parts = { LongTermDebtNoncurrent: 900, LongTermDebtCurrent: 110, CommercialPaper: 80 };
    expect(debtOf(parts)).toEqual({ long: 900, short: 190, debt: 1_090 });
    expect(debtOf({ ...parts, ShortTermBorrowings: 95 })).toMatchObject({ short: 205 });
    expect(debtOf({ ...parts, DebtCurrent: 200 })).toMatchObject({ short: 200, debt: 1_100 });
    expect(debtOf({ LongTermDebt: 1_010, LongTermDebtCurrent: 110, CommercialPaper: 80 })).toMatchObject({
      long: 1_010,
      short: 80,
      debt: 1_090,
    });
  });

  test("margins, liquidity, returns and valuation: the published vector", () => {
    const { data } = compute(SNOW);
    const { ratios, valuation } = data;
    const expected = {
      gross_margin: 0.66379626,
      operating_margin: -0.40489369,
      net_margin: -0.36427892,
      fcf_margin: 0.19738729,
      current_ratio: 1.57924584,
      roe: -0.40157824,
    } as const;
    for (const [name, value] of Object.entries(expected)) {
      expect([name, ratios[name as keyof typeof expected]?.toFixed(7)]).toEqual([name, value.toFixed(7)]);
    }
    expect(data.ttm.fcf).toBe(757_920_000);
    expect(valuation).toMatchObject({ market_cap: 66_740_000_000, pe: null });
    expect(valuation?.ps).toBeCloseTo(17.38129014, 7);
    expect(valuation?.pb).toBeCloseTo(27.71594684, 7);
    expect(valuation?.fcf_yield).toBeCloseTo(0.01135631, 7);
    expect(data.provenance?.revenue).toEqual([
      { tag: "Revenues", unit: "USD", start: "2024-05-01", end: "2025-04-30", accession: "0-1", filed: "2025-05-30" },
    ]);
  });

  test("a loss has no P/E, a negative EBITDA no multiple, and every null is said", () => {
    const { data, warnings } = compute(SNOW);
    expect(data.ratios.net_debt_to_ebitda).toBeNull();
    for (const name of ["ratios.net_debt_to_ebitda", "valuation.pe", "ttm.sbc", "balance.debt_short"]) {
      expect(warnings.some((text) => text.startsWith(`${name}: `))).toBe(true);
    }
  });

  test("a bank has no current ratio, no Altman and no EBITDA multiple; it keeps its returns", () => {
    const { data } = compute(SNOW, { sic: "6021" });
    expect(data.ratios).toMatchObject({
      current_ratio: null,
      quick_ratio: null,
      net_debt_to_ebitda: null,
      gross_margin: null,
    });
    expect(data.ratios.roe).toBeCloseTo(-0.40157824, 7);
    expect(data.altman).toBeNull();
  });

  test("only filings by then count, and changes by later filings are named", () => {
    const later = { ...SNOW[3], value: -1_400_000_000, filed: "2026-05-30", accession: "0-2" } as EdgarFact;
    expect(compute([...SNOW, later]).data.restatements).toEqual([]);
    expect(compute([...SNOW, later], {}, "2026-06-30").data.restatements).toEqual([
      {
        concept: "net_income",
        period: "2024-05-01 to 2025-04-30",
        old: -1_398_744_000,
        new: -1_400_000_000,
        accession: "0-2",
      },
    ]);
    // The newest filing that was known dates the answer.
    expect(compute([...SNOW, later]).as_of_ms).toBe(Date.parse("2025-05-30"));
    expect(() => compute(SNOW, {}, "2024-01-01")).toThrow("no financial statements");
  });

  test("five years, eight quarters and twenty restatements at most, the newest", () => {
    const ENDS = ["03-31", "06-30", "09-30", "12-31"] as const;
    const STARTS = ["01-01", "04-01", "07-01", "10-01"] as const;
    const years = Array.from({ length: 7 }, (_, index) => 2018 + index);
    const facts = ["Revenues", "GrossProfit", "NetIncomeLoss"].flatMap((tag) =>
      years.flatMap((year) => [
        fact(tag, [`${year}-01-01`, `${year}-12-31`], 40),
        ...ENDS.map((end, quarter) => fact(tag, [`${year}-${STARTS[quarter]}`, `${year}-${end}`], 10)),
      ]),
    );
    const changed = facts.map((one) => ({ ...one, value: one.value + 1, filed: "2025-06-01", accession: "0-2" }));
    const { data } = compute([...SNOW, ...facts, ...changed]);
    expect([data.annual.length, data.quarters.length, data.restatements.length]).toEqual([5, 8, 20]);
  });

  test("a balance sheet is old after 135 days", () => {
    // From 2025-04-30: 31 days of May, 30, 31, 31 of August are 123, and 12 of September.
    const oldOn = (now: string) =>
      compute(SNOW, {}, now).data.concerns.find(({ rule }) => rule.startsWith("newest balance sheet"))?.value;
    expect(["2025-09-11", "2025-09-12", "2025-09-13"].map(oldOn)).toEqual([undefined, undefined, 136]);
  });

  test("a red flag stays for 730 days", () => {
    // Back from 2025-06-30: 365 days to 2024-06-30, 366 to 2023-06-30 over a leap day, 731 in all; so 730 is July 1.
    const filed = (date: string, form: string, items: readonly string[] = []) => ({
      accession: "0-9",
      form,
      filed: date,
      period_end: "",
      accepted_ms: Date.parse(date),
      items,
      url: date,
    });
    const filings = [
      filed("2025-06-30", "8-K", ["9.01", "4.01"]),
      filed("2023-07-02", "NT 10-Q"),
      filed("2023-07-01", "8-K", ["4.02", "3.01"]),
      ...[filed("2023-06-30", "8-K", ["1.03"]), filed("2023-06-30", "NT 10-K")],
    ];
    expect(compute(SNOW, { filings }).data.red_flags).toEqual([
      { kind: "change of auditor", date: "2025-06-30", url: "2025-06-30" },
      { kind: "late filing", date: "2023-07-02", url: "2023-07-02" },
      { kind: "past statements not to be relied on", date: "2023-07-01", url: "2023-07-01" },
      { kind: "notice of delisting", date: "2023-07-01", url: "2023-07-01" },
    ]);
  });
});

test("Piotroski: Snowflake's fiscal 2025 against 2024 passes 3 of 9", () => {
  const year = (n: number) => [`${n - 1}-02-01`, `${n}-01-31`] as const;
  const at = (n: number) => [null, `${n}-01-31`] as const;
  const [a25, a24, a23] = [9_033_938_000, 8_223_383_000, 7_722_322_000];
  const facts = [
    ...[fact("Assets", at(2025), a25), fact("Assets", at(2024), a24), fact("Assets", at(2023), a23)],
    ...[fact("NetIncomeLoss", year(2025), -1_285_640_000), fact("NetIncomeLoss", year(2024), -836_097_000)],
    fact("NetIncomeLoss", year(2023), -796_705_000),
    fact("NetCashProvidedByUsedInOperatingActivities", year(2025), 959_764_000),
    fact("ConvertibleDebtNoncurrent", at(2025), 2_271_529_000),
    ...[fact("AssetsCurrent", at(2025), 1.7779602e9), fact("LiabilitiesCurrent", at(2025), 1e9)],
    ...[fact("AssetsCurrent", at(2024), 1.84505296e9), fact("LiabilitiesCurrent", at(2024), 1e9)],
    fact("WeightedAverageNumberOfDilutedSharesOutstanding", year(2025), 332_707_000, { unit: "shares" }),
    fact("WeightedAverageNumberOfDilutedSharesOutstanding", year(2024), 328_001_000, { unit: "shares" }),
    ...[fact("Revenues", year(2025), 3_626_396_000), fact("GrossProfit", year(2025), 3_626_396_000 * 0.66504668)],
    ...[fact("Revenues", year(2024), 2_806_489_000), fact("GrossProfit", year(2024), 2_806_489_000 * 0.67982843)],
  ];
  expect(scorePiotroski(createFactBase(facts, "2025-06-30"))).toEqual({
    score: 3,
    evaluated: 9,
    flags: {
      roa_positive: false,
      cfo_positive: true,
      roa_up: false,
      cfo_above_income: true,
      leverage_not_up: false,
      current_ratio_up: false,
      shares_not_up: false,
      gross_margin_up: false,
      turnover_up: true,
    },
  });
});

test("Altman's Z by hand, and none without an input", () => {
  const inputs = {
    assets: 100,
    liabilities: 50,
    working_capital: 20,
    retained: 30,
    ebit: 10,
    market_cap: 80,
    revenue: 90,
  };
  expect(scoreAltman(inputs)?.z).toBeCloseTo(1.2 * 0.2 + 1.4 * 0.3 + 3.3 * 0.1 + 0.6 * 1.6 + 0.9, 12);
  expect(scoreAltman(inputs)?.zone).toBe("grey");
  expect(scoreAltman({ ...inputs, market_cap: null })).toBeNull();
});
