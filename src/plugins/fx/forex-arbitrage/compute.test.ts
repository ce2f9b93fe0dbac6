import { expect, test } from "bun:test";
import { settled } from "../../../../test/helpers/settled.ts";
import type { CurrencyPair } from "../currencies/codes.ts";
import type { FXQuote } from "../quotes/quotes.ts";
import { computeArbitrage, listCrossed, listLoops, listSynthetic } from "./compute.ts";
import type { ForexArbitrageData } from "./schema.ts";

/** A Thursday. */
const NOW_MS = Date.UTC(2026, 10, 19, 15);
const quote = (pair: CurrencyPair, bid: number, ask: number, at_ms: number | null = NOW_MS - 1_000): FXQuote => ({
  provider: "swissquote",
  pair,
  bid,
  ask,
  at_ms,
  size: null,
});
const EURUSD = quote("EUR/USD", 1.146, 1.14608);
const GBPUSD = quote("GBP/USD", 1.3344, 1.33456);
const AT = { fee_bps: 2, read_at_ms: NOW_MS, is_open: true };
const loopsOf = (eur_gbp: FXQuote) =>
  new Map(listLoops([EURUSD, GBPUSD, eur_gbp], AT).map((loop) => [loop.path.join("-"), loop]));
const compute = (quotes: readonly FXQuote[], now_ms = NOW_MS) =>
  settled<ForexArbitrageData>(
    computeArbitrage({ ...AT, read_at_ms: now_ms, quotes, min_net_bps: 1, warnings: [] }, { now_ms }),
  );

test.each([
  [quote("EUR/GBP", 0.8587, 0.85882), "USD-EUR-GBP-USD", -2.0131, -8.0107],
  [quote("EUR/GBP", 0.8587, 0.85882), "USD-GBP-EUR-USD", -1.281, -7.279],
  [quote("EUR/GBP", 0.8599, 0.86002), "USD-EUR-GBP-USD", 11.9587, 5.9527],
  [quote("EUR/GBP", 0.8599, 0.86002), "USD-GBP-EUR-USD", -15.2324, -21.222],
] as const)("the published loops: %p %s", (eur_gbp, path, gross, net) => {
  const loop = loopsOf(eur_gbp).get(path);
  expect(loop?.gross_bps).toBeCloseTo(gross, 4);
  expect(loop?.net_bps).toBeCloseTo(net, 4);
});

test("a cross against its legs", () => {
  const [first] = listSynthetic([EURUSD, GBPUSD, quote("EUR/GBP", 0.8587, 0.85882)]);
  expect(first?.synthetic_bid).toBeCloseTo(0.8587099868, 10);
  expect(first?.synthetic_ask).toBeCloseTo(0.8588729017, 10);
  expect(first?.mid_deviation_bps).toBeCloseTo(-0.3661, 4);
  const [second] = listSynthetic([EURUSD, GBPUSD, quote("EUR/GBP", 0.8599, 0.86002)]);
  expect(second?.mid_deviation_bps).toBeCloseTo(13.607, 4);
});

test("an opportunity is fresh, net of costs, and of an open market", () => {
  const good = [EURUSD, GBPUSD, quote("EUR/GBP", 0.8599, 0.86002)];
  const open = compute(good);
  expect(open.data).toMatchObject({ verdict: "opportunity", loops_checked: 2 });
  expect(open.data.opportunities.map(({ path }) => path.join())).toEqual(["USD,EUR,GBP,USD"]);
  // One leg of a minute ago; legs ten seconds apart.
  for (const at_ms of [NOW_MS - 61_000, NOW_MS - 11_000]) {
    const stale = compute([EURUSD, GBPUSD, quote("EUR/GBP", 0.8599, 0.86002, at_ms)]);
    expect(stale.data).toMatchObject({ verdict: "not_executable", best_loop: null, opportunities: [] });
    expect(stale.warnings.join()).toContain("best_loop: no loop has three fresh prices");
  }
  const saturday = Date.UTC(2026, 10, 21, 15);
  const closed = compute(
    good.map((one) => ({ ...one, at_ms: saturday - 1_000 })),
    saturday,
  );
  expect(closed.data).toMatchObject({ verdict: "not_executable", market_state: "weekend", opportunities: [] });
  expect(compute([EURUSD, GBPUSD, quote("EUR/GBP", 0.8587, 0.85882)]).data.verdict).toBe("none");
});

test("a loop that cannot be dealt in has no confidence, at any venue", () => {
  const legs = (provider: string, at_ms: number) =>
    [EURUSD, GBPUSD, quote("EUR/GBP", 0.8599, 0.86002)].map((one) => ({ ...one, provider, at_ms }));
  const confidenceOf = (provider: string, at_ms: number, now_ms = NOW_MS) =>
    compute(legs(provider, at_ms), now_ms).data.best_loop?.executable_confidence;
  const saturday = Date.UTC(2026, 10, 21, 15);
  expect([confidenceOf("kraken", NOW_MS), confidenceOf("swissquote", NOW_MS)]).toEqual(["medium", "low"]);
  for (const provider of ["kraken", "swissquote"]) expect(confidenceOf(provider, saturday, saturday)).toBe("none");
  const [stale] = listLoops(legs("kraken", NOW_MS - 61_000), AT);
  expect(stale).toMatchObject({ is_stale: true, executable_confidence: "none" });
});

test("a missing leg closes no loop; the size is what the smallest leg takes", () => {
  expect(listLoops([EURUSD, GBPUSD], AT)).toEqual([]);
  const sized = [EURUSD, GBPUSD, quote("EUR/GBP", 0.8587, 0.85882)].map((one, index) => ({
    ...one,
    size: { bid: [1_000, 100, 1_000][index] ?? 0, ask: [1_000, 100, 1_000][index] ?? 0 },
  }));
  const loop = listLoops(sized, AT).find(({ path }) => path.join() === "USD,EUR,GBP,USD");
  // 100 pounds are sold last: 100 / 0.8587 euros, which cost 1.14608 dollars each.
  expect(loop?.max_size).toBeCloseTo((100 / 0.8587) * 1.14608, 6);
});

test("venues that disagree are listed by pair", () => {
  const other = { ...quote("EUR/USD", 1.1463, 1.1464), provider: "kraken" };
  const costs = { ...AT, min_net_bps: 1, is_open: true };
  expect(listCrossed([EURUSD, other], costs)).toMatchObject([
    { pair: "EUR/USD", buy_at: "swissquote", sell_at: "kraken" },
  ]);
  expect(listCrossed([EURUSD, { ...other, bid: 1.146 }], costs)).toEqual([]);
});

test("across venues: net of both conversions, and why it is impossible to deal at both prices", () => {
  const costs = { ...AT, min_net_bps: 1, is_open: true };
  const at = (bid: number, at_ms: number | null, rest = {}) =>
    listCrossed([EURUSD, { ...quote("EUR/USD", bid, bid + 0.0001, at_ms), provider: "kraken" }], {
      ...costs,
      ...rest,
    })[0];
  // 10 bps gross, two conversions at 2 bps each.
  const wide = at(1.14608 * 1.001, NOW_MS - 3_000);
  expect(wide?.edge_bps).toBeCloseTo(10, 6);
  expect(wide?.net_bps).toBeCloseTo((1.001 * 0.9998 * 0.9998 - 1) * 1e4, 8);
  expect(wide).toMatchObject({ apart_s: 2, not_executable: "indicative" });
  expect(at(1.14608 * 1.001, NOW_MS - 7_000)).toMatchObject({ apart_s: 6, not_executable: "apart" });
  expect(at(1.14608 * 1.0004, null)).toMatchObject({ apart_s: 1, not_executable: "costs" });
  expect(at(1.14608 * 1.001, null, { is_open: false })?.not_executable).toBe("market_closed");
});
