import { expect, test } from "bun:test";
import { settled } from "../../../../test/helpers/settled.ts";
import { parsePair } from "../currencies/codes.ts";
import { chain, invert } from "../quotes/quotes.ts";
import { computeForex, getVol } from "./compute.ts";
import { crossFixes, type Fix, type ForexInputs, findLegs, joinLegs } from "./fetch.ts";
import { judgeOracle, judgeQuote } from "./judge.ts";
import type { ForexData } from "./schema.ts";

const NOW_MS = Date.UTC(2026, 10, 19, 15);
const FIXES: Fix[] = [1.14, 1.1432, 1.1418, 1.145, 1.1448, 1.146].map((rate, index) => ({
  date: `2026-11-${12 + index}`,
  rate,
}));
const live = (provider: string, bid: number, ask: number, age_s = 1) => ({
  provider,
  bid,
  ask,
  at_ms: NOW_MS - age_s * 1000,
});
const REST = { pair: "EUR/USD", oracle: null, fixed_by: "ecb", read_at_ms: NOW_MS, warnings: [] } as const;
const compute = (quotes: ReturnType<typeof live>[], fixes: readonly Fix[] = FIXES, rest: Partial<ForexInputs> = {}) =>
  settled<ForexData>(computeForex({ ...REST, live: quotes, fixes, ...rest }, { now_ms: NOW_MS }));

test("official crosses of the published example", () => {
  const rates = new Map([
    ["USD", [{ date: "d", rate: 1.146 }]],
    ["JPY", [{ date: "d", rate: 180.94 }]],
  ]);
  expect(crossFixes("USD/JPY", rates)[0]?.rate).toBeCloseTo(157.88830715532288, 12);
  expect(crossFixes("JPY/USD", rates)[0]?.rate).toBeCloseTo(0.006333591245716812, 15);
  expect(crossFixes("EUR/USD", rates)[0]?.rate).toBe(1.146);
});

test("live rate, spread, dispersion and distance of the published example", () => {
  const { data } = compute([
    live("kraken", 1.14597, 1.14605),
    live("a", 1.146115, 1.146125, 2),
    live("b", 1.145895, 1.145905, 2),
  ]);
  expect(data.rate).toBeCloseTo(1.14601, 8);
  expect(data.dispersion_bps).toBeCloseTo(1.9197, 4);
  expect(data.deviation_from_official_bps).toBeCloseTo(0.08726, 5);
  expect(compute([live("kraken", 1.14597, 1.14605)]).data.spread_bps).toBeCloseTo(0.69807, 5);
});

test("changes and volatility of six fixes", () => {
  const { data } = compute([]);
  expect(data).toMatchObject({
    kind: "official_daily",
    rate: 1.146,
    bid: null,
    change_22d_pct: null,
    pctile_52w: null,
  });
  expect(data.change_1d_pct).toBeCloseTo(0.1048218, 7);
  expect(data.change_5d_pct).toBeCloseTo(0.52631579, 7);
  expect(getVol(FIXES, 5)).toBeCloseTo(2.84064957, 7);
  expect(data.realised_vol_30d_pct).toBeNull();
});

test("a quote that cannot be used is shown with the reason: zero, crossed, old, wide, of something else", () => {
  const why = (bid: number, ask: number, age_s = 1) => judgeQuote(live("x", bid, ask, age_s), 1.146, NOW_MS);
  expect([why(0, 1), why(1.147, 1.146), why(1.145, 1.1451, 61), why(1.14, 1.15), why(1.09, 1.0901)]).toEqual([
    ...["crossed or without a price", "crossed or without a price", "older than 60 s", "spread above 25 bps"],
    "more than 3 % from the official rate",
  ]);
  const { data, warnings } = compute([live("x", 1.14, 1.15)]);
  expect(data).toMatchObject({ kind: "official_daily", quoted_by: null });
  expect(warnings).toContain("quotes: x is not used, spread above 25 bps");
  expect(() => compute([live("x", 1.14, 1.15)], [])).toThrow("no quote of EUR/USD is usable");
});

test("without a usable quote the oracle's rate is sold under its name, without that the official one", () => {
  const oracle = { rate: 1.1472, updated_at_ms: NOW_MS - 3_600_000 };
  const { data, as_of_ms } = compute([live("x", 1.14, 1.15)], FIXES, { oracle });
  expect(data).toMatchObject({ kind: "oracle", rate: 1.1472, rate_of: ["chainlink"], quoted_by: null });
  expect(data.deviation_from_official_bps).toBeCloseTo(10.4712, 4);
  expect(as_of_ms).toBe(oracle.updated_at_ms);
  expect(compute([live("x", 1.14597, 1.14605)], FIXES, { oracle }).data).toMatchObject({
    kind: "live",
    rate_of: ["x"],
  });
  const far = compute([], FIXES, { oracle: { ...oracle, rate: 1.3 }, fixed_by: "frankfurter" });
  expect(far.data).toMatchObject({ kind: "official_daily", rate_of: ["frankfurter"], rate: 1.146 });
  expect(far.warnings).toContain("rate: the oracle's is not used, more than 3 % from the official rate");
});

test("an oracle's rate grows old by its market's hours", () => {
  const at = (updated: string, now: string) =>
    judgeOracle({ rate: 1, updated_at_ms: Date.parse(updated) }, null, Date.parse(now));
  expect(at("2026-11-18T03:00:00Z", "2026-11-19T15:00:00Z")).toBeNull();
  expect(at("2026-11-18T02:59:00Z", "2026-11-19T15:00:00Z")).toBe("older than its market allows");
  expect(at("2026-11-20T20:00:00Z", "2026-11-23T09:00:00Z")).toBeNull();
});

test("a rate of venues without a time says so", () => {
  const undated = { provider: "kraken", bid: 1.14597, ask: 1.14605, at_ms: null };
  const at = { ...REST, live: [undated], fixes: [] };
  expect(settled<ForexData>(computeForex(at, { now_ms: NOW_MS })).warnings).toContain(
    "rate: no venue that it is made of states a time",
  );
});

test("inverted pairs and crosses cost both legs", () => {
  const eur_usd = { bid: 1.146, ask: 1.1461, at_ms: 5 };
  const usd_jpy = { bid: 157.88, ask: 157.9, at_ms: 3 };
  expect(chain(eur_usd, usd_jpy)).toEqual({ bid: 1.146 * 157.88, ask: 1.1461 * 157.9, at_ms: 3 });
  expect(invert(eur_usd).bid).toBeCloseTo(1 / 1.1461, 15);
  expect(findLegs("CHF/JPY", ["USD/CHF", "USD/JPY"])).toEqual(["USD/CHF", "USD/JPY"]);
  expect(findLegs("EUR/BRL", ["EUR/USD"])).toBeNull();
  const legs = [
    { provider: "x", pair: "USD/CHF", bid: 0.8, ask: 0.8002, at_ms: 1, size: null },
    { provider: "x", pair: "USD/JPY", bid: 157, ask: 157.1, at_ms: 2, size: null },
  ] as const;
  const cross = joinLegs("CHF/JPY", legs);
  expect(cross?.bid).toBeCloseTo(157 / 0.8002, 10);
  expect(cross?.ask).toBeCloseTo(157.1 / 0.8, 10);
});

test("pairs as people write them", () => {
  expect(["eur-usd", "EUR_USD", "JPY", "gbp", "usd/brl", "EUR USD"].map(parsePair)).toEqual([
    ...(["EUR/USD", "EUR/USD", "USD/JPY", "GBP/USD", "USD/BRL", "EUR/USD"] as const),
  ]);
  for (const text of ["CNH", "USD/CNH", "USDUSD", "USD", "XYZ"]) expect(() => parsePair(text)).toThrow();
});
