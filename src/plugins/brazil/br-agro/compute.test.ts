import { describe, expect, test } from "bun:test";
import { settled } from "../../../../test/helpers/settled.ts";
import { findFront, listFutures } from "../agro/fronts.ts";
import { getFronts } from "../agro/stored-ratios.ts";
import { expiryOf, parseContract } from "../b3/contracts.ts";
import { keepCredible } from "../datasets/conab.ts";
import { computeAgro, convert, describeFarm, getBasis, getRatios, getTerm } from "./compute.ts";
import type { FarmPrice } from "./fetch.ts";
import type { AgroData } from "./schema.ts";
import { bushelsOfSack, getParity, poundsOfSack } from "./units.ts";

const DATE = "2026-01-12";
const PTAX = 5.3793;
const SETTLED = Object.entries({
  BGIF26: 320,
  BGIG26: 319.1,
  BGIH26: 319.05,
  CCMF26: 68.83,
  CCMU26: 69.02,
  CCMN26: 70.08,
  CCMX26: 71.9,
  ICFH26: 433.3,
  ICFK26: 421.5,
  ETHF26: 3_182,
  SJCH26: 23.1261,
  SOYH26: 400.2,
}).map(([symbol, settle]) => ({ symbol, settle, rate: null, contracts: 1, open_interest: null }));

describe("the published example of 2026-01-12", () => {
  test("units: bushels and pounds of a sack", () => {
    expect(bushelsOfSack("corn")).toBeCloseTo(2.362096, 6);
    expect(bushelsOfSack("soy")).toBeCloseTo(2.204623, 6);
    expect(poundsOfSack()).toBeCloseTo(132.277357, 6);
  });

  test("dollars as reais, and soy FOB Santos per sack", () => {
    const of = (symbol: string) => SETTLED.find((row) => row.symbol === symbol)?.settle ?? 0;
    expect(convert({ root: "SJC", settle: of("SJCH26") }, PTAX).brl).toBeCloseTo(124.4022, 4);
    expect(convert({ root: "ICF", settle: of("ICFH26") }, PTAX).brl).toBeCloseTo(2330.8507, 4);
    const soy = convert({ root: "SOY", settle: of("SOYH26") }, PTAX);
    expect([soy.usd, soy.brl].map((value) => Number(value.toFixed(4)))).toEqual([24.012, 129.1678]);
  });

  test("slope of corn to the last contract that is settled", () => {
    // Without the front of the example, which has 3 bank days left on that day.
    const corn = listFutures(SETTLED, "CCM");
    const term = getTerm(corn, corn[0] ?? null);
    expect(term).toMatchObject({ front: "CCMF26", last: "CCMX26", shape: "contango" });
    expect(term?.slope_pct).toBeCloseTo(4.4603, 4);
    expect(term?.slope_annual_pct).toBeCloseTo(5.3759, 4);
  });

  test("cattle and corn, basis, parity", () => {
    const fronts = { cattle: 319.1, corn: 68.83, soy_usd_60kg: 23.1261, coffee_usd_60kg: 433.3 };
    expect(getRatios(fronts, PTAX).cattle_corn).toBeCloseTo(4.6361, 4);
    const basis = getBasis(2.05 * 60, 124.4022);
    expect([basis.basis_brl, basis.basis_pct].map((value) => Number(value.toFixed(4)))).toEqual([-1.4022, -1.1272]);
    const corn = getParity({ product: "corn", usd_per_bushel: 4.2025 }, PTAX, 68.83);
    expect(corn.brl_per_sack_60kg).toBeCloseTo(53.3987, 3);
    expect(corn.premium_pct).toBeCloseTo(28.8982, 2);
    expect(getParity({ product: "soy", usd_per_bushel: 10.49 }, PTAX, null).usd_per_sack_60kg).toBeCloseTo(23.1265, 4);
  });
});

test("parity a second way: by the bushels of a tonne that the USDA publishes", () => {
  // USDA, Weights, Measures and Conversion Factors: 36.7437 bushels of soy and 39.36825 of corn are a tonne.
  const BUSHELS_OF_TONNE = { soy: 36.7437, corn: 39.36825 } as const;
  for (const product of ["soy", "corn"] as const) {
    for (const [usd_per_bushel, ptax, front] of [
      [10.49, 5.3793, 133.1],
      [4.2025, 4.9, 61.25],
      [17.7, 6.2, 140],
    ] as const) {
      const parity = getParity({ product, usd_per_bushel }, ptax, front);
      const brl_per_tonne = usd_per_bushel * BUSHELS_OF_TONNE[product] * ptax;
      expect(parity.brl_per_sack_60kg / ((brl_per_tonne * 60) / 1_000)).toBeCloseTo(1, 5);
      expect(parity.premium_pct).toBeCloseTo((((front / 60) * 1_000) / brl_per_tonne) * 100 - 100, 3);
    }
  }
});

test("the front has 5 bank days left; last trading days follow the contract", () => {
  const dayOf = (symbol: string) => {
    const contract = parseContract(symbol);
    return contract && expiryOf(contract);
  };
  expect(["CCMF26", "BGIG26", "ICFH26", "SJCH26", "SOYH26", "ETHF26", "CCMX26"].map(dayOf)).toEqual([
    ...["2026-01-15", "2026-02-27", "2026-03-23", "2026-02-26", "2026-02-13", "2026-01-30", "2026-11-16"],
  ]);
  expect(findFront(listFutures(SETTLED, "CCM"), DATE)?.symbol).toBe("CCMN26");
  expect(getFronts(SETTLED, DATE)).toEqual({ cattle: 320, corn: 70.08, soy_usd_60kg: 23.1261, coffee_usd_60kg: 433.3 });
});

test("farm prices: sacks, arrobas, median of states, changes by the week", () => {
  const row = (uf: string, week_start: string, brl_per_kg: number): FarmPrice => ({
    product: "soy",
    uf,
    week_start,
    week_end: week_start,
    brl_per_kg,
  });
  const found = describeFarm([
    ...[row("PR", "2026-01-05", 2.05), row("MT", "2026-01-05", 1.9), row("RS", "2026-01-05", 2.1)],
    ...[row("PR", "2025-12-08", 2), row("PR", "2025-01-06", 2.5)],
  ]);
  expect(found.map(({ uf }) => uf)).toEqual(["median", "MT", "PR", "RS"]);
  expect(found[2]).toMatchObject({ brl_per_arroba_15kg: null });
  expect(found[2]?.brl_per_sack_60kg).toBeCloseTo(123, 10);
  expect(found[2]?.change_4w_pct).toBeCloseTo(2.5, 10);
  expect(found[2]?.change_52w_pct).toBeCloseTo(-18, 10);
  expect(found[0]?.brl_per_kg).toBe(2.05);
});

test("a crop's estimate is compared with the month before, and with the same month of the year before", () => {
  const of = (crop: string, values: Readonly<Record<string, number>>) =>
    Object.entries(values).map(([period, value]) => ({ crop, period, value }));
  const production = [
    ...of("soy", { 202512: 160, 202601: 168, 202501: 140, 202412: 1, 202502: 2, 202401: 3 }),
    ...of("wheat", { 202512: 8, 202601: 7 }),
    ...of("rice", { 202512: 0, 202601: 5 }),
  ];
  const area = [...of("soy", { 202601: 47, 202512: 46 }), ...of("wheat", { 202512: 2 })];
  const { crop } = settled<AgroData>(
    computeAgro(
      {
        day: { date: DATE, source: "b3_files", dropped: [], nss: { nominal: null, real: null }, settlements: SETTLED },
        before: null,
        ptax: { date: DATE, sell: PTAX },
        farm: null,
        history: [],
        production,
        area,
        releases: null,
        chicago: null,
      },
      { now_ms: Date.UTC(2026, 0, 13) },
    ),
  ).data;
  expect(crop?.map((one) => [one.crop, one.year, one.period, one.production_t, one.area_ha])).toEqual([
    ["soy", 2026, "2026-01", 168, 47],
    ["wheat", 2026, "2026-01", 7, null],
    ["rice", 2026, "2026-01", 5, null],
  ]);
  // 168 / 160 and 168 / 140; wheat 7 / 8, and nothing of a year before; rice began with nothing.
  expect(crop?.[0]?.change_vs_previous_estimate_pct).toBeCloseTo(5, 10);
  expect(crop?.[0]?.change_yoy_pct).toBeCloseTo(20, 10);
  expect(crop?.[1]?.change_vs_previous_estimate_pct).toBeCloseTo(-12.5, 10);
  expect([crop?.[1]?.change_yoy_pct, crop?.[2]?.change_vs_previous_estimate_pct]).toEqual([null, null]);
});

test("a price with a digit too many is left out", () => {
  const weeks = Array.from({ length: 10 }, (_, index) => ({
    product: "corn",
    rank: 0,
    uf: "PR",
    week_start: `2026-01-${10 + index}`,
    week_end: `2026-01-${10 + index}`,
    brl_per_kg: index === 4 ? 10.2 : 1.02,
  }));
  expect(keepCredible(weeks)).toHaveLength(9);
});

test("volumes of a day known only from the session report are null, with a warning", () => {
  const settlements = SETTLED.map((row) => ({ ...row, contracts: null }));
  const { data, warnings } = settled<AgroData>(
    computeAgro(
      {
        day: { date: DATE, source: "b3_reports", dropped: [], nss: { nominal: null, real: null }, settlements },
        before: null,
        ptax: { date: DATE, sell: PTAX },
        farm: null,
        history: [],
        production: null,
        area: null,
        releases: null,
        chicago: null,
      },
      { now_ms: Date.UTC(2026, 0, 13) },
    ),
  );
  expect(data.futures.every(({ volume }) => volume === null)).toBe(true);
  expect(warnings).toContain("futures[].volume (12 of them): the session report does not say how many were traded");
});

test("of two prices neither is the middle: the lower one counts as much", () => {
  const week = { product: "corn", rank: 0, uf: "PR" };
  const weeks = [
    { ...week, week_start: "2026-01-10", week_end: "2026-01-16", brl_per_kg: 1 },
    { ...week, week_start: "2026-01-17", week_end: "2026-01-23", brl_per_kg: 6 },
  ];
  expect(keepCredible(weeks)).toHaveLength(2);
});
