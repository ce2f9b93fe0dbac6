import { expect, test } from "bun:test";
import { settled } from "../../../../test/helpers/settled.ts";
import { createRounder } from "../../../catalog/round-data.ts";
import { COMMODITIES, type CommoditySymbol, parseCommodity, SYMBOLS } from "./commodities.ts";
import { compareTo, computeCommodity, judgeQuote } from "./compute.ts";
import type { CommodityInputs, MetalQuote } from "./fetch.ts";
import { type CommodityData, CommoditySchema } from "./schema.ts";

/** 2026-08-18, a Tuesday. */
const NOW_MS = 1_787_059_781_075;
const round = createRounder(CommoditySchema);

const dealer = (bid: number, ask: number, at_ms = NOW_MS): MetalQuote => ({
  provider: "swissquote",
  kind: "dealer",
  bid,
  ask,
  mid: (bid + ask) / 2,
  at_ms,
});
const spot = (mid: number): MetalQuote => ({
  provider: "goldapi",
  kind: "spot",
  bid: null,
  ask: null,
  mid,
  at_ms: NOW_MS,
});
function compute(symbol: CommoditySymbol, inputs: Partial<CommodityInputs>): CommodityData {
  const whole: CommodityInputs = {
    symbol,
    quotes: [],
    history: [],
    partner: { quote: null, history: [] },
    read_at_ms: NOW_MS,
    warnings: [],
    ...inputs,
  };
  const { data } = settled<CommodityData>(computeCommodity(whole));
  return (round ? round(data) : data) as CommodityData;
}

test("the dealer's quote of the product file, converted", () => {
  const data = compute("gold", { quotes: [dealer(4389.128, 4389.632), spot(4392)] });
  expect(data).toMatchObject({ price: 4389.38, price_type: "spot_mid", bid: 4389.128, ask: 4389.632 });
  expect(data.spread_bps).toBeCloseTo(1.14823, 4);
  expect(data.conversions.map(({ value }) => value)).toEqual([141.12184, 141121.84]);
  // 4392 is 5.96895 bps above the dealer's middle.
  expect((4392 / 4389.38 - 1) * 1e4).toBeCloseTo(5.96895, 5);
  expect(data.dispersion_bps).toBeCloseTo(((4392 - 4389.38) / 4390.69) * 1e4, 3);
});

test.each<[CommoditySymbol, number, number]>([
  ["wheat", 218.4, 594.38761],
  ["corn", 196.3, 498.62833],
  ["soybeans", 405.2, 1102.7741],
  ["copper", 9850, 4.4678848],
])("%s at %p USD/t", (symbol, price, converted) => {
  const data = compute(symbol, { history: [{ date: "2026-06-01", value: price }] });
  expect(data).toMatchObject({ price, freshness: "monthly", observed_at: "2026-06" });
  expect(data.conversions[0]?.value).toBe(converted);
});

test("Brent above WTI, of the same day only", () => {
  const of = (date: string, value: number) => [{ date, value }];
  const related = (date: string) =>
    compute("wti", {
      history: of("2026-08-12", 64.15),
      partner: { quote: null, history: of(date, 68.42) },
    }).related;
  expect(related("2026-08-12")).toMatchObject({ name: "brent_wti_spread", value: 4.27 });
  expect(related("2026-08-11")).toBeNull();
});

test("both oils state the spread of the newest day that both have, whichever was published first", () => {
  const wti = [
    { date: "2026-08-11", value: 63.9 },
    { date: "2026-08-12", value: 64.15 },
  ];
  const brent = [...wti.map(({ date, value }) => ({ date, value: value + 4.27 })), { date: "2026-08-13", value: 70 }];
  const partner = (history: typeof wti) => ({ partner: { quote: null, history } });
  const of_wti = compute("wti", { history: wti, ...partner(brent) });
  const of_brent = compute("brent", { history: brent, ...partner(wti) });
  expect(of_brent.related).toEqual({ name: "brent_wti_spread", value: 4.27, observed_at: "2026-08-12" });
  expect(of_wti.related).toEqual(of_brent.related);
  // The price itself is of its own newest day.
  expect([of_brent.price, of_brent.observed_at]).toEqual([70, "2026-08-13"]);
  // Nobody takes a spread of weeks ago for today's.
  const late = brent.map(({ value }, index) => ({ date: `2026-08-${29 + index}`, value }));
  expect(compute("brent", { history: late, ...partner(wti) }).related).toBeNull();
});

test("sources that disagree make a median, and a lone one keeps its kind", () => {
  const apart = compute("gold", { quotes: [dealer(4389.128, 4389.632), spot(4500)] });
  expect(apart).toMatchObject({ price_type: "median", bid: null, price: 4444.69 });
  expect(compute("gold", { quotes: [spot(4392)] })).toMatchObject({ price_type: "spot_price", dispersion_bps: null });
  expect(() => compute("gold", { quotes: [dealer(0, 0)] })).toThrow();
});

test("the ratio of gold and silver is the same from either side", () => {
  const gold = dealer(4389.128, 4389.632);
  const silver = dealer(51.9, 51.92);
  const value = 4389.38 / 51.91;
  const ratio = (symbol: CommoditySymbol, [own, other]: readonly [MetalQuote, MetalQuote]) =>
    compute(symbol, { quotes: [own], partner: { quote: other, history: [] } }).related?.value;
  expect(ratio("gold", [gold, silver])).toBeCloseTo(value, 5);
  expect(ratio("silver", [silver, gold])).toBeCloseTo(value, 5);
});

test("quotes age by their market's hours: a weekend does not count, and tokens do not age", () => {
  const saturday = Date.UTC(2026, 7, 22, 12);
  const friday = Date.UTC(2026, 7, 21, 20, 59);
  expect(judgeQuote(dealer(4389, 4390, friday), saturday)).toBeNull();
  expect(judgeQuote({ ...dealer(4389, 4390, friday), kind: "token" }, saturday)).toContain("older");
  expect(judgeQuote(dealer(4389, 4390, NOW_MS - 2 * 3_600_000), NOW_MS)).toContain("older");
  expect(judgeQuote(dealer(4300, 4390), NOW_MS)).toContain("spread");
});

test("a price is called live only while it is of now, by whatever source", () => {
  const freshnessOf = (quote: MetalQuote) => compute("gold", { quotes: [quote] }).freshness;
  for (const kind of ["dealer", "spot", "oracle", "token"] as const) {
    const of = (at_ms: number | null) => freshnessOf({ ...dealer(4389.1, 4389.6), kind, at_ms });
    expect([kind, of(NOW_MS), of(NOW_MS - 60_000)]).toEqual([kind, "live", "live"]);
    expect([kind, of(NOW_MS - 60_001), of(null)]).toEqual([kind, "last_quote", "last_quote"]);
  }
  const feed: MetalQuote = { ...dealer(4389.1, 4389.6), kind: "oracle", at_ms: NOW_MS - 43_412_000 };
  expect(freshnessOf(feed)).toBe("last_quote");
});

test("changes never look at the day of the price or after it", () => {
  const history = Array.from({ length: 60 }, (_, index) => ({
    date: new Date(Date.UTC(2026, 5, 1) + index * 86_400_000).toISOString().slice(0, 10),
    value: 100 + index,
  }));
  const last = compareTo(history, 159, "2026-07-30");
  expect(last.change_pct).toBeCloseTo((159 / 158 - 1) * 100, 10);
  expect(last.change_30d_pct).toBeCloseTo((159 / 129 - 1) * 100, 10);
  expect(last.pctile_1y).toBe(1);
  expect(compareTo([...history, { date: "2026-08-30", value: 1 }], 159, "2026-07-30")).toEqual(last);
  expect(compareTo(history.slice(0, 5), 104, "2026-06-05")).toMatchObject({ change_30d_pct: null, pctile_1y: null });
});

test("names people use, each of one commodity", () => {
  expect(["XAU", "gc", "Gold", "xau/usd"].map(parseCommodity)).toEqual(Array(4).fill("gold"));
  expect(() => parseCommodity("uranium")).toThrow("one of gold");
  const names = SYMBOLS.flatMap((symbol) => [symbol, ...COMMODITIES[symbol].aliases]);
  expect(new Set(names).size).toBe(names.length);
});
