import { expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { addDays } from "intel-node";
import { settled } from "../../../../test/helpers/settled.ts";
import type { MacroRow } from "../macro/transforms.ts";
import { computeMacro } from "./compute.ts";
import type { MacroInputs } from "./fetch.ts";
import type { MacroData } from "./schema.ts";
import { MacroSchema } from "./schema.ts";

const NOW_MS = Date.UTC(2026, 0, 13, 15);
const IPCA = [0.16, 1.31, 0.56, 0.43, 0.26, 0.24, 0.26, -0.11, 0.48, 0.09, 0.18, 0.33].map(
  (value, index): MacroRow => [`2025-${String(index + 1).padStart(2, "0")}-01`, value],
);
const createInputs = (change: Partial<MacroInputs> = {}): MacroInputs => ({
  series: {
    selic_target: [
      ["2025-06-17", 14.75],
      ["2025-06-18", 15],
      ["2026-01-12", 15],
    ],
    cdi_annual: [["2026-01-12", 14.9]],
    ipca: IPCA,
    primary_need_12m: [["2025-11-01", 0.67]],
  },
  ptax: [
    ["2026-01-09", 5.1564, 5.157],
    ["2026-01-12", 5.1267, 5.1273],
  ],
  ibge_ipca: [],
  ibge_unemployment: [],
  focus: null,
  focus_selic: null,
  focus_ipca_12m: 4.06,
  releases: null,
  di_1y: 13.6935,
  meetings: ["2026-01-28"],
  target: { centre: 3, band: 1.5, from: "2025-01-01" },
  today: "2026-01-13",
  ...change,
});
const compute = (change?: Partial<MacroInputs>) =>
  settled<MacroData>(computeMacro(createInputs(change), { now_ms: NOW_MS }));

test("the published figures, from one month or day each", () => {
  const { data, as_of_ms } = compute();
  expect([...Value.Errors(MacroSchema, data)]).toEqual([]);
  expect(data.inflation.ipca_12m).toBeCloseTo(4.2644, 4);
  expect(data.inflation.ipca_3m_saar).toBeCloseTo(2.426, 4);
  expect(data.real_rates.ex_ante).toBeCloseTo(9.2576, 4);
  expect(data.real_rates.ex_post).toBeCloseTo(10.2965, 4);
  expect(data.fx.change_1d_pct).toBeCloseTo(-0.5759, 4);
  expect(data.selic).toMatchObject({
    target_pct: 15,
    since_date: "2025-06-18",
    last_step_bps: 25,
    days_to_meeting: 15,
  });
  expect(data.selic.di_minus_target_bps).toBeCloseTo(-10, 8);
  // The newest day's target is that of the day before; 14.75 is older.
  expect(data.indicators.find(({ id }) => id === "selic_target")).toMatchObject({ value: 15, previous: 15, change: 0 });
  // The central bank counts a deficit as positive.
  expect(data.fiscal.primary_balance_12m).toBe(-0.67);
  expect(as_of_ms).toBeLessThanOrEqual(NOW_MS);
});

test("volatility is of 63 returns, and the band of a month is its share of the square root of time", () => {
  // Every other rate is 1 % higher, the newest too: of the last 63 log returns 32 are up and 31 down.
  const rates = Array.from({ length: 254 }, (_, day) => (day % 2 === 0 ? 5 : 5.05));
  const ptaxOf = (sells: readonly number[]): MacroInputs["ptax"] =>
    sells.map((sell, day) => [addDays("2025-05-01", day), sell - 0.001, sell]);
  const { fx } = compute({ ptax: ptaxOf(rates) }).data;
  // An odd number of days before the rate was lower, an even number before the same.
  expect(fx.change_5d_pct).toBeCloseTo(1, 10);
  expect(fx.change_21d_pct).toBeCloseTo(1, 10);
  expect(fx.change_252d_pct).toBe(0);
  // The returns sum to one step s: the mean is s/63 and their squares 63 s^2, so the variance is (63 - 1/63) s^2 / 62.
  const daily = Math.log(1.01) * Math.sqrt((63 - 1 / 63) / 62);
  expect(fx.vol_63d_pct).toBeCloseTo(100 * daily * Math.sqrt(252), 8);
  // A month is 21 of the 252 days: the deviation of 21 days is that of one times the root of 21.
  expect(fx.band_1m_high).toBeCloseTo(5.05 * Math.exp(daily * Math.sqrt(21)), 10);
  expect(fx.band_1m_low).toBeCloseTo(5.05 / Math.exp(daily * Math.sqrt(21)), 10);
  const short = compute({ ptax: ptaxOf(rates.slice(-63)) }).data.fx;
  expect([short.vol_63d_pct, short.band_1m_low, short.band_1m_high]).toEqual([null, null, null]);
});

test("every null has its reason", () => {
  const { data, warnings } = computeMacro(createInputs(), { now_ms: NOW_MS });
  const bare = Object.entries(data).flatMap(([group, fields]) =>
    Object.entries(fields ?? {}).flatMap(([name, value]) => (value === null ? [`${group}.${name}`] : [])),
  );
  expect(bare).toEqual([]);
  expect(warnings.find((text) => text.startsWith("indicators:"))).toContain("unemployment");
});

test("an old observation is shown and called stale", () => {
  const old: MacroRow[] = [["2025-06-01", 5.6]];
  const { data, warnings } = compute({ series: { ...createInputs().series, unemployment: old } });
  expect(data.indicators.find(({ id }) => id === "unemployment")).toMatchObject({ stale: true, period: "2025-06-01" });
  expect(warnings.some((text) => text.includes("unemployment are older than 2.5 times"))).toBe(true);
});

test("the calendar holds 14 days, decisions of the Copom among them", () => {
  const releases = [1, 13, 20].map((days) => ({
    at_ms: Date.parse(`${addDays("2026-01-13", days)}T12:00:00Z`),
    title: `in ${days} days`,
    url: null,
  }));
  const { calendar } = compute({ releases, meetings: ["2026-01-21", "2026-03-18"] }).data;
  expect(calendar?.map(({ title }) => title)).toEqual(["in 1 days", "Copom: Selic target", "in 13 days"]);
});
