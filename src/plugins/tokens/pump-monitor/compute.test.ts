import { expect, test } from "bun:test";
import { settled } from "../../../../test/helpers/settled.ts";
import { computePumpMonitor } from "./compute.ts";
import { readCurve } from "./curve.ts";
import type { LaunchRow, PumpMonitorInputs } from "./fetch.ts";
import type { PumpMonitorData } from "./schema.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const MINUTE_MS = 60_000;

test("a recorded launch: progress by tokens, price and value of the curve, and its end", () => {
  const curve = readCurve(44.81, 718_289_256.22);
  expect(curve.progress_pct).toBeCloseTo(44.72, 2);
  expect(curve.sol_raised).toBeCloseTo(14.81, 9);
  expect(curve.price_sol).toBeCloseTo(6.238434e-8, 13);
  expect(curve.mcap_sol).toBeCloseTo(62.38, 2);
  expect((44.81 * 718_289_256.22) / (30 * 1_073_000_000) - 1).toBeCloseTo(-0.000107, 6);
  expect(readCurve(115.005, 279_900_000)).toMatchObject({ is_standard: true, progress_pct: 100 });
  expect(readCurve(85, 1_073_000_000)).toMatchObject({ is_standard: false, progress_pct: null });
});

const inputs = (changes: Partial<PumpMonitorInputs>): PumpMonitorInputs => ({
  read_at_ms: NOW_MS,
  from_ms: NOW_MS - 100 * MINUTE_MS,
  to_ms: NOW_MS,
  gap_ms: 0,
  creates: { minutes_10: 40, hour_1: 150, hours_24: 400 },
  migrations: { hour_1: 1, hours_24: 5, newest: [] },
  near: [],
  newest: [],
  prior: new Map(),
  disputed: new Map(),
  sol_usd: 200,
  factories: [],
  ...changes,
});
/** The published data of one coin. */
const coinOf = (changes: Partial<LaunchRow>, seen: Partial<PumpMonitorInputs> = {}) => {
  const row: LaunchRow = {
    chain: "solana",
    token: "mint",
    name: "Coin",
    symbol: "C",
    creator: "maker",
    source: "pump_fun",
    created_at_ms: NOW_MS - 90_000,
    initial_buy: null,
    v_sol: null,
    v_tokens: null,
    is_complete: false,
    migrated_at_ms: null,
    pool: null,
    last_trade_at_ms: null,
    seen_at_ms: NOW_MS,
    ...changes,
  };
  return settled<PumpMonitorData>(computePumpMonitor(inputs({ newest: [row], ...seen }))).data.newest[0];
};

test("each flag at its threshold, just below it and just above", () => {
  const flags = (changes: Partial<LaunchRow>, prior = 0) =>
    coinOf(changes, { prior: new Map([["mint", prior]]) })?.flags;
  // Stale after 30 minutes without a trade.
  const traded = (ago_ms: number) => flags({ last_trade_at_ms: NOW_MS - ago_ms });
  const half_hour = 30 * MINUTE_MS;
  expect([0, half_hour - 1, half_hour, half_hour + 1].map(traded)).toEqual([[], [], [], ["stale"]]);
  expect(flags({})).toEqual([]);
  // A tenth of the 1,000,000,000 coins of a launch.
  const bought = (initial_buy: number) => flags({ initial_buy });
  expect([99_999_999, 100_000_000, 100_000_001].map(bought)).toEqual([[], ["dev_heavy"], ["dev_heavy"]]);
  expect([4, 5, 6].map((prior) => flags({}, prior))).toEqual([[], ["serial_creator"], ["serial_creator"]]);
  // The curve of a launch begins at 30 SOL and 1,073,000,000 coins.
  expect(flags({ v_sol: 30, v_tokens: 1_073_000_000 })).toEqual([]);
  expect(flags({ v_sol: 85, v_tokens: 1_073_000_000 })).toEqual(["non_standard_curve"]);
});

test("a coin's age, its creator's part and its value in dollars", () => {
  // 90 seconds; 25,000,000 of 1,000,000,000; 30 SOL for 1,073,000,000 coins make 27.959 SOL of all, at 200 dollars.
  const coin = coinOf({ initial_buy: 25_000_000, v_sol: 30, v_tokens: 1_073_000_000 });
  expect(coin).toMatchObject({ age_min: 1.5, dev_buy_pct: 2.5 });
  expect(coin?.mcap_sol).toBeCloseTo(30_000 / 1_073, 9);
  expect(coin?.mcap_usd).toBeCloseTo(6_000_000 / 1_073, 6);
  expect(coinOf({ v_sol: 30, v_tokens: 1_073_000_000 }, { sol_usd: null })?.mcap_usd).toBeNull();
  // A recorded coin of 2026-10-08 (7NTBwYtL…): the curve it left is at 410.88 SOL, the launchpad said 153.78.
  const left = coinOf({ v_sol: 115.00536, v_tokens: 279_900_000, is_complete: true });
  expect(left).toMatchObject({ progress_pct: 100, mcap_sol: null, mcap_usd: null });
  expect(left?.sol_raised).toBeCloseTo(85.00536, 5);
  // A launch that bears a later time than the answer is no younger than now.
  expect(coinOf({ created_at_ms: NOW_MS + 1 })?.age_min).toBe(0);
});

test("the rate needs nine tenths of the window; launches a minute are of the minutes that were watched", () => {
  const rate = (changes: Partial<PumpMonitorInputs>) =>
    settled<PumpMonitorData>(computePumpMonitor(inputs(changes))).data.graduation_rate_24h;
  // 5 of 400; of 100 minutes 10 can be missing.
  const gaps = [10 * MINUTE_MS - 1, 10 * MINUTE_MS, 10 * MINUTE_MS + 1].map((gap_ms) => rate({ gap_ms }));
  expect(gaps).toEqual([0.0125, 0.0125, null]);
  expect(settled<PumpMonitorData>(computePumpMonitor(inputs({ gap_ms: 90_500 }))).data.window.gap_seconds).toBe(90.5);
  expect(rate({ creates: { minutes_10: 0, hour_1: 0, hours_24: 0 } })).toBeNull();
  expect(
    rate({ creates: { minutes_10: 0, hour_1: 0, hours_24: 1 }, migrations: { hour_1: 0, hours_24: 1, newest: [] } }),
  ).toBe(1);
  const perMinute = (minutes: number) =>
    settled<PumpMonitorData>(computePumpMonitor(inputs({ from_ms: NOW_MS - minutes * MINUTE_MS }))).data
      .launches_per_min;
  // 40 in the last ten minutes; of a watch of four minutes, ten a minute; of half a minute, as if it were one.
  expect([11, 10, 4, 1, 0.5].map(perMinute)).toEqual([4, 4, 10, 40, 40]);
});

test("a creator that a judgement of the same coin contradicts is named with its sources", () => {
  const { warnings } = settled<PumpMonitorData>(
    computePumpMonitor(inputs({ disputed: new Map([["mint", "pump_fun, rugcheck"]]) })),
  );
  expect(warnings).toContain("creator: pump_fun, rugcheck do not name the same creator of mint; /rugcheck shows both");
  expect(settled<PumpMonitorData>(computePumpMonitor(inputs({}))).warnings.join()).not.toContain("creator:");
});
