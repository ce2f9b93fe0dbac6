import { describe, expect, test } from "bun:test";
import { WANTED_TAGS } from "./concepts.ts";
import { createFactBase } from "./fact-base.ts";
import { getBalance, getTrailingYear, listQuarters, listYears } from "./periods.ts";
import { type EdgarFact, scanFacts } from "./scan-facts.ts";

const fact = (
  tag: string,
  start: string | null,
  end: string,
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
const REVENUE = "RevenueFromContractWithCustomerExcludingAssessedTax";
/** Snowflake, CIK 1640147, as filed. */
const SNOW: readonly EdgarFact[] = [
  fact("Assets", null, "2025-04-30", 8_157_407_000),
  fact("Assets", null, "2025-01-31", 9_033_938_000, { filed: "2025-03-21" }),
  fact(REVENUE, "2023-02-01", "2024-01-31", 2_806_489_000, { filed: "2024-03-26", form: "10-K" }),
  fact(REVENUE, "2023-02-01", "2023-10-31", 2_031_790_000, { filed: "2023-11-30" }),
  fact(REVENUE, "2024-02-01", "2024-10-31", 2_639_626_000, { filed: "2024-11-27" }),
  fact(REVENUE, "2024-02-01", "2024-04-30", 828_709_000, { filed: "2024-05-31" }),
  fact(REVENUE, "2024-02-01", "2025-01-31", 3_626_396_000, { filed: "2025-03-21", form: "10-K" }),
  fact(REVENUE, "2025-02-01", "2025-04-30", 1_042_074_000),
  fact("EarningsPerShareDiluted", "2024-02-01", "2025-01-31", -3.86, { unit: "USD/shares", filed: "2025-03-21" }),
  fact("EarningsPerShareDiluted", "2024-02-01", "2024-10-31", -2.88, { unit: "USD/shares", filed: "2024-11-27" }),
  fact("StockholdersEquity", null, "2025-04-30", 2_408_000_000),
  fact("StockholdersEquity", null, "2024-04-30", 4_558_234_000, { filed: "2024-05-31" }),
];

describe("facts of Snowflake", () => {
  test("twelve months: the year, this year's months, less last year's", () => {
    const base = createFactBase(SNOW, "2025-06-30");
    expect(getTrailingYear(base, "revenue")?.value).toBe(3_839_761_000);
    expect(getBalance(base, "equity")?.value).toBe(2_408_000_000);
    expect(getBalance(base, "equity", "2024-04-30")?.value).toBe(4_558_234_000);
    expect(listYears(base, "revenue").map(({ value }) => value)).toEqual([2_806_489_000, 3_626_396_000]);
  });

  test("only what was filed by then is known", () => {
    expect(getTrailingYear(createFactBase(SNOW, "2025-03-25"), "revenue")?.value).toBe(3_626_396_000);
    expect(getTrailingYear(createFactBase(SNOW, "2025-03-20"), "revenue")?.value).toBe(3_414_325_000);
  });

  test("the fourth quarter is the year less nine months, and says that it is derived", () => {
    const quarters = listQuarters(createFactBase(SNOW, "2025-06-30"), "eps_diluted");
    expect(quarters.map(({ end, derived }) => [end, derived])).toEqual([["2025-01-31", true]]);
    expect(quarters[0]?.value).toBeCloseTo(-0.98, 10);
  });
});

describe("facts as they come", () => {
  test("a restated number replaces the old one from the day it was filed, and names it", () => {
    const old = fact("NetIncomeLoss", "2025-01-01", "2025-03-31", 100, { filed: "2025-05-01", accession: "0-1" });
    const restated = { ...old, value: 90, filed: "2026-05-01", accession: "0-2" };
    const assets = fact("Assets", null, "2025-03-31", 1);
    const at = (day: string) => createFactBase([restated, old, assets], day).of("net_income")[0];
    expect(at("2025-12-31")).toMatchObject({ value: 100, restated: null });
    expect(at("2026-06-01")).toMatchObject({ value: 90, restated: { previous: 100, previous_accession: "0-1" } });
    expect(createFactBase([old, assets], "2025-04-01").of("net_income")).toEqual([]);
  });

  test("a tag that was given up leads to its successor; of several alive ones the largest revenue counts", () => {
    const years = [2020, 2021, 2022, 2023, 2024];
    const revenue = years.map((year) => {
      const tag = year < 2023 ? "SalesRevenueNet" : "Revenues";
      return fact(tag, `${year}-01-01`, `${year}-12-31`, year, { filed: `${year + 1}-02-01`, form: "10-K" });
    });
    const part = fact(REVENUE, "2024-01-01", "2024-12-31", 7, { filed: "2025-02-01", form: "10-K" });
    const assets = fact("Assets", null, "2024-12-31", 1, { filed: "2025-02-01" });
    const base = createFactBase([...revenue, part, assets], "2025-06-01");
    expect(listYears(base, "revenue").map(({ value }) => value)).toEqual(years);
    expect(base.of("revenue").at(-1)?.tag).toBe("Revenues");
  });

  test("years of 52 and 53 weeks are years, and compare within a week", () => {
    const assets = fact("Assets", null, "2024-12-28", 1, { filed: "2025-01-30" });
    const facts = [
      fact("NetIncomeLoss", "2022-09-25", "2023-09-30", 53, { filed: "2023-11-01", form: "10-K" }),
      fact("NetIncomeLoss", "2023-10-01", "2024-09-28", 52, { filed: "2024-11-01", form: "10-K" }),
      fact("NetIncomeLoss", "2023-10-01", "2023-12-30", 10, { filed: "2024-02-01" }),
      fact("NetIncomeLoss", "2024-09-29", "2024-12-28", 12, { filed: "2025-01-30" }),
    ];
    const base = createFactBase([...facts, assets], "2025-02-01");
    expect(getTrailingYear(base, "net_income")?.value).toBe(54);
    expect(listYears(base, "net_income")).toHaveLength(2);
  });

  test("ratios stay within one currency: the balance's", () => {
    const facts = [
      fact("Assets", null, "2024-12-31", 1, { unit: "EUR", filed: "2025-03-01", form: "20-F" }),
      fact("Revenue", "2024-01-01", "2024-12-31", 5, { unit: "EUR", filed: "2025-03-01", form: "20-F" }),
      fact("Revenue", "2024-01-01", "2024-12-31", 6, { unit: "USD", filed: "2025-03-01", form: "20-F" }),
    ];
    const base = createFactBase(facts, "2025-06-01");
    expect([base.currency, getTrailingYear(base, "revenue")?.value]).toEqual(["EUR", 5]);
  });
});

describe("reading a file", () => {
  const body = {
    cik: 1,
    entityName: 'A "quoted" {name}',
    facts: {
      dei: {},
      "us-gaap": {
        Assets: {
          label: 'braces } and \\ "quotes" {',
          units: {
            USD: [{ end: "2024-12-31", val: 5, accn: "a", fy: 2024, fp: "FY", form: "10-K", filed: "2025-02-01" }],
          },
        },
        Unwanted: {
          label: "x",
          units: { USD: [{ end: "2024-12-31", val: 6, accn: "a", form: "10-K", filed: "2025-02-01" }] },
        },
        Revenues: { units: { USD: [{ end: "2024-12-31", val: 6, accn: "a", form: "S-1", filed: "2025-02-01" }] } },
      },
    },
  };
  const scan = (text: string) => scanFacts(new TextEncoder().encode(text), WANTED_TAGS);

  test("wanted tags of wanted forms, whatever the texts hold", async () => {
    const { facts } = await scan(JSON.stringify(body));
    expect(facts.map(({ tag, value }) => [tag, value])).toEqual([["Assets", 5]]);
    expect((await scan(JSON.stringify(body, null, 2).replaceAll('": ', '":'))).facts).toEqual(facts);
  });

  test.each([
    ["beyond any company", { val: 1e90 }],
    ["no number", { val: "5" }],
    ["no value", { val: null }],
    ["of no day", { end: undefined }],
    ["of no form", { form: undefined }],
  ])("one that is %s is left out, counted, and spoils no other", async (_, bent) => {
    const good = { end: "2024-12-31", val: 5, accn: "a", form: "10-K", filed: "2025-02-01" };
    const units = { USD: [good, { ...good, ...bent }, { ...good, form: "S-1" }] };
    const found = await scan(JSON.stringify({ ...body, facts: { "us-gaap": { Assets: { units } } } }));
    expect([found.facts.map(({ value }) => value), found.dropped, found.of]).toEqual([[5], 1, 2]);
  });

  test("an invalid row is left out", async () => {
    const good = { end: "2024-12-31", val: 5, accn: "a", form: "10-K", filed: "2025-02-01" };
    const found = await scan(JSON.stringify({ facts: { "us-gaap": { Assets: { units: { USD: [null, good] } } } } }));
    expect([found.facts.length, found.dropped]).toEqual([1, 1]);
  });

  test("a file that is cut off is refused", async () => {
    const text = JSON.stringify(body);
    for (const length of [text.length - 1, text.length - 30, 200])
      await expect(scan(text.slice(0, length))).rejects.toThrow();
  });

  test("16 MB yield every megabyte", async () => {
    const filler = Array.from({ length: 160 }, (_, index) => [
      `Filler${index}`,
      { label: "y".repeat(100_000), units: {} },
    ]);
    const facts = { "us-gaap": { ...Object.fromEntries(filler), Assets: body.facts["us-gaap"].Assets } };
    let turns = 0;
    const bytes = new TextEncoder().encode(JSON.stringify({ ...body, facts }));
    const found = await scanFacts(bytes, WANTED_TAGS, async () => {
      turns += 1;
    });
    expect([found.facts.length, turns]).toEqual([1, Math.floor(bytes.length / 1_000_000)]);
  });
});
