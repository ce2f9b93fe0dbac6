import { expect, test } from "bun:test";
import { createFactBase } from "./fact-base.ts";
import { listQuarters } from "./periods.ts";
import type { EdgarFact } from "./scan-facts.ts";
import { findSplits } from "./splits.ts";

const EPS = "EarningsPerShareDiluted";
const SHARES = "WeightedAverageNumberOfDilutedSharesOutstanding";
const PERIODS = {
  Q1: ["2023-02-01", "2023-04-30"],
  Q2: ["2023-05-01", "2023-07-31"],
  Q3: ["2023-08-01", "2023-10-31"],
  M9: ["2023-02-01", "2023-10-31"],
  FY: ["2023-02-01", "2024-01-31"],
  Q1B: ["2024-02-01", "2024-04-30"],
  Q2B: ["2024-05-01", "2024-07-31"],
} as const;
type Period = keyof typeof PERIODS;
const file = (
  filed: string,
  rows: Readonly<Partial<Record<Period, readonly [eps: number, shares: number]>>>,
): EdgarFact[] =>
  Object.entries(rows).flatMap(([period, [eps, shares]]) => {
    const [start, end] = PERIODS[period as Period];
    const about = { start, end, accession: filed, filed, form: "10-Q" };
    return [
      { ...about, tag: EPS, unit: "USD/shares", value: eps },
      { ...about, tag: SHARES, unit: "shares", value: shares * 1e6 },
    ];
  });
const assets: EdgarFact = {
  tag: "Assets",
  unit: "USD",
  start: null,
  end: "2024-07-31",
  value: 1,
  accession: "a",
  form: "10-Q",
  filed: "2024-08-28",
};

/** A split of ten to one in June 2024, first shown by the report of August; one quarter alone is restated. */
const BEFORE = [
  ...file("2023-05-26", { Q1: [0.82, 2490] }),
  ...file("2023-08-28", { Q2: [2.48, 2499] }),
  ...file("2023-11-21", { Q3: [3.71, 2494], M9: [7.01, 2494] }),
  ...file("2024-02-21", { FY: [11.93, 2494] }),
  ...file("2024-05-29", { Q1B: [5.98, 2489] }),
];
const AFTER = file("2024-08-28", { Q2: [0.25, 24_994], Q2B: [0.67, 24_848] });

test("a split is a restatement in later filings, by one ratio; all before it is in new shares", () => {
  const base = createFactBase([...BEFORE, ...AFTER, assets], "2024-09-01");
  expect(base.splits).toEqual([{ filed: "2024-08-28", factor: 10 }]);
  const quarters = listQuarters(base, "eps_diluted").map(({ end, value }) => [end, Number(value.toFixed(4))]);
  expect(quarters).toEqual([
    ["2023-04-30", 0.082],
    ["2023-07-31", 0.25],
    ["2023-10-31", 0.371],
    // The year less nine months, both in new shares.
    ["2024-01-31", 0.492],
    ["2024-04-30", 0.598],
    ["2024-07-31", 0.67],
  ]);
  const shares = listQuarters(base, "shares_diluted").map(({ value }) => value / 1e6);
  expect([shares[0], shares.at(-1)]).toEqual([24_900, 24_848]);
  expect(base.of("eps_diluted").filter(({ restated }) => restated)).toEqual([]);
});

test("as known before that report there is no split", () => {
  const base = createFactBase([...BEFORE, ...AFTER, assets, { ...assets, filed: "2024-05-29" }], "2024-08-01");
  expect(base.splits).toEqual([]);
  expect(listQuarters(base, "eps_diluted").at(-1)?.value).toBe(5.98);
});

test("a reverse split multiplies; a restatement of earnings alone, or a small change of shares, does not count", () => {
  const reverse = [...file("2023-08-28", { Q2: [0.11, 1000] }), ...file("2024-08-28", { Q2: [2.2, 50] })];
  expect(findSplits(reverse)).toEqual([{ filed: "2024-08-28", factor: 0.05 }]);
  for (const [eps, shares] of [
    [1.2, 1000],
    [0.1, 1100],
    [0.055, 1990 * 1.4],
    [-0.055, 2000],
    [0.11, 2000],
  ] as const)
    expect(
      findSplits([...file("2023-08-28", { Q2: [0.11, 1000] }), ...file("2024-08-28", { Q2: [eps, shares] })]),
    ).toEqual([]);
});

test("one split seen in several reports is one; two splits are two", () => {
  const again = file("2025-02-26", { FY: [1.19, 24_940] });
  expect(findSplits([...BEFORE, ...AFTER, ...again])).toEqual([{ filed: "2024-08-28", factor: 10 }]);
  const second = file("2025-08-28", { Q2B: [0.335, 49_696] });
  const base = createFactBase([...BEFORE, ...AFTER, ...second, assets], "2026-01-01");
  expect(base.splits.map(({ factor }) => factor)).toEqual([10, 2]);
  expect(listQuarters(base, "eps_diluted")[0]?.value).toBeCloseTo(0.041, 6);
});
