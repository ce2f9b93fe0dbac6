import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { toDailySeries } from "../../../../test/helpers/daily-series.ts";
import { asSold } from "../../../../test/helpers/settled.ts";
import { series1, series2 } from "../../../../test/helpers/test-series.ts";
import { NodeError } from "../../../core/errors.ts";
import type { BarSeries } from "../../../upstream/series/bar-series.ts";
import { computeBacktest as draft, redactBacktest, rewindBacktest, thin } from "./compute.ts";
import { type BacktestData, BacktestSchema, CURVE_POINTS, TRADES } from "./schema.ts";
import { STRATEGY_IDS } from "./strategies.ts";
import { vector } from "./vector.ts";

const computeBacktest = asSold(BacktestSchema, draft);

const DAY_MS = 86_400_000;
const LAST_MS = Date.UTC(2026, 8, 26);
const BTC = toDailySeries("BTC", series2(), { last_ms: LAST_MS, scale: 640 });
const ETH = toDailySeries("ETH", series1(), { last_ms: LAST_MS, scale: 30 });

const compute = (strategy: string, days: number, series: readonly BarSeries[] = [BTC]) =>
  computeBacktest({ series }, { params: { strategy, days, points: CURVE_POINTS.max, trades: TRADES.max } });

describe("a backtest", () => {
  test("the published example follows from the published series", () => {
    const { data, as_of_ms, warnings } = compute("donchian_20_10", 200);
    const curve = data.equity_curve ?? [];
    const shown = [0, 100, 199].flatMap((index) => curve[index] ?? []);
    const seen: BacktestData = { ...data, equity_curve: shown };
    expect(seen).toEqual(vector.data);
    expect(new Date(as_of_ms).toISOString()).toBe("2026-09-27T00:00:00.000Z");
    expect(warnings).toEqual([]);
  });

  test("shares of days and of trades are shown to four digits", () => {
    // 97 is a prime: no count of its days but none and all of them is a share that ends.
    const { metrics, equity_curve, trades_list } = compute("ema_cross_12_26", 97).data;
    expect(equity_curve?.filter(({ weight }) => weight > 0)).toHaveLength(55);
    // 55/97 = 0.56701, and one won of three.
    expect(metrics.exposure_frac).toBe(0.567);
    expect(trades_list?.map(({ return_pct }) => return_pct > 0)).toEqual([true, false, false]);
    expect(metrics.win_rate_frac).toBe(0.3333);
    expect(metrics.profit_factor).toBe(Number(metrics.profit_factor?.toFixed(4)));
  });

  test("every rule gives data of the published shape, with a benchmark over the same days", () => {
    for (const strategy of STRATEGY_IDS) {
      const { data } = compute(strategy, 100, strategy.startsWith("dual") ? [BTC, ETH] : [BTC]);
      expect([...Value.Errors(BacktestSchema, data)]).toEqual([]);
      expect(data.benchmark.exposure_frac).toBe(1);
      expect(data.equity_curve).toHaveLength(100);
      expect(data.excess_return_pct).toBeCloseTo(data.metrics.total_return_pct - data.benchmark.total_return_pct, 1);
    }
    expect(compute("buy_hold", 100).data.excess_return_pct).toBe(0);
  });

  test("a history that is short cuts the days, and the answer says so", () => {
    const { data, warnings } = compute("tsmom_90", 730);
    expect([data.days, data.from, data.to]).toEqual([200, "2026-03-11", "2026-09-26"]);
    expect(warnings).toEqual(["days: history is short, so that 200 of 730 days count"]);
  });

  test("with fewer than 90 days there is no answer", () => {
    const short = { ...BTC, bars: BTC.bars.slice(-349) };
    expect(() => compute("tsmom_90", 90, [short])).toThrow(NodeError);
    expect(compute("tsmom_90", 90, [{ ...BTC, bars: BTC.bars.slice(-350) }]).data.days).toBe(90);
  });

  test("a missing day and a price that is not a number give no answer", () => {
    const gap = { ...BTC, bars: BTC.bars.filter((_, index) => index !== 300) };
    expect(() => compute("tsmom_90", 90, [gap])).toThrow("have a gap");
    for (const value of [Number.NaN, 0, Number.POSITIVE_INFINITY]) {
      const bars = BTC.bars.map((bar, index) => (index === 300 ? { ...bar, low: value } : bar));
      expect(() => compute("tsmom_90", 90, [{ ...BTC, bars }])).toThrow(NodeError);
    }
  });

  test("an asset that costs less than a dollar is tested like any other", () => {
    const cheap = toDailySeries("BTC", series2(), { last_ms: LAST_MS, scale: 0.000_64 });
    expect(compute("tsmom_90", 90, [cheap]).data.metrics).toEqual(compute("tsmom_90", 90).data.metrics);
  });

  test("the warm-up is 260 days whatever was read before them", () => {
    const longer = { ...BTC, bars: BTC.bars.slice(60) };
    expect(compute("donchian_20_10", 140, [longer]).data).toEqual(compute("donchian_20_10", 140).data);
  });

  test("two assets are compared on the days both have", () => {
    const late = { ...ETH, bars: ETH.bars.slice(0, -1) };
    const { data, as_of_ms } = compute("dual_momentum_btc_eth", 100, [BTC, late]);
    expect(data.to).toBe("2026-09-25");
    expect(as_of_ms).toBe(LAST_MS);
    expect(data.trades_list?.every(({ symbol }) => symbol === "BTC" || symbol === "ETH")).toBe(true);
  });

  test("the same bars are computed once, corrected ones anew", () => {
    const made = (bars = BTC.bars) =>
      draft({ series: [{ ...BTC, bars }] }, { params: { strategy: "macd_12_26_9", days: 150 } }).data;
    const first = made();
    expect(made([...BTC.bars]).metrics).toBe(first.metrics);
    const corrected = BTC.bars.map((bar, index) => (index === 400 ? { ...bar, close: bar.close * 1.05 } : bar));
    expect(made(corrected)).not.toEqual(first);
  });

  test("a buyer chooses how much of the curve and of the trades is in the answer; the figures stay the same", () => {
    const whole = compute("donchian_20_10", 200).data;
    const few = { strategy: "donchian_20_10", days: 200, points: 3, trades: 1 };
    const { data } = computeBacktest({ series: [BTC] }, { params: few });
    const [first, last] = [whole.equity_curve?.[0], whole.equity_curve?.at(-1)];
    expect(data.equity_curve).toEqual([first, whole.equity_curve?.[100], last] as typeof data.equity_curve);
    expect(data.trades_list).toEqual(whole.trades_list?.slice(-1) ?? null);
    expect(data.metrics).toEqual(whole.metrics);
    const none = computeBacktest({ series: [BTC] }, { params: { ...few, trades: 0 } }).data;
    expect(none.trades_list).toEqual([]);
    const { data: usual } = computeBacktest({ series: [BTC] }, { params: { strategy: few.strategy, days: 200 } });
    expect(usual.equity_curve).toHaveLength(60);
    expect(usual.trades_list?.length).toBeLessThanOrEqual(10);
  });

  test("a curve of more than 365 days is thinned evenly and keeps both ends", () => {
    expect(thin(200, 365)).toHaveLength(200);
    const points = thin(3_000, 365);
    expect([points.length, points[0], points.at(-1)]).toEqual([365, 0, 2_999]);
    expect(new Set(points).size).toBe(365);
    const steps = points.slice(1).map((point, index) => point - (points[index] ?? 0));
    expect([Math.min(...steps), Math.max(...steps)]).toEqual([8, 9]);
  });
});

describe("the preview", () => {
  test("is yesterday's, and shows metrics only", () => {
    const before = rewindBacktest({ series: [BTC] });
    const { data, as_of_ms } = computeBacktest(before, { params: { strategy: "price_sma_200", days: 199 } });
    expect(as_of_ms).toBe(LAST_MS);
    const shown = redactBacktest(data);
    expect(Value.Check(BacktestSchema, shown)).toBe(true);
    expect([shown.equity_curve, shown.trades_list, shown.open_trade]).toEqual([null, null, null]);
    expect(shown.metrics).toEqual(data.metrics);
  });

  test("yesterday's days are today's, one earlier", () => {
    const today = compute("tsmom_90", 150).data.equity_curve ?? [];
    const before = rewindBacktest({ series: [BTC] });
    const yesterday =
      computeBacktest(before, { params: { strategy: "tsmom_90", days: 150, points: 150 } }).data.equity_curve ?? [];
    expect(yesterday.at(-1)?.date).toBe(new Date(LAST_MS - DAY_MS).toISOString().slice(0, 10));
    expect(yesterday.slice(1).map(({ date }) => date)).toEqual(today.slice(0, -1).map(({ date }) => date));
  });
});
