import { describe, expect, test } from "bun:test";
import { fc } from "../../../../test/helpers/properties.ts";
import { computeEquityByFactors, decideAgain } from "../../../../test/helpers/second-backtest.ts";
import { series1, series2 } from "../../../../test/helpers/test-series.ts";
import { CAPITAL_USD, COSTS, runEngine } from "./engine.ts";
import { computeMetrics, getMaxDrawdown } from "./metrics.ts";
import { getStrategy, type PriceBar, STRATEGIES, STRATEGY_IDS } from "./strategies.ts";

const FIRST = 260;
const FEE = COSTS.fee_bps / 10_000;
const SLIPPAGE = COSTS.slippage_bps / 10_000;

const runStrategy = (id: string, series: readonly (readonly PriceBar[])[], first = FIRST) => {
  const strategy = getStrategy(id);
  const used = series.slice(0, strategy.symbols.length);
  const targets = strategy.decide(used);
  const run = runEngine({ series: used, targets, drift_max: strategy.drift_max, first });
  return { run, targets, metrics: computeMetrics(run) };
};

/** Bars whose open, high, low and close follow a walk, for property tests. */
const walks = fc.array(fc.integer({ min: -80, max: 80 }), { minLength: 320, maxLength: 340 }).map((steps) => {
  let close = 100;
  return steps.map((step): PriceBar => {
    const open = close;
    close *= Math.exp(step / 1000);
    return { open, high: Math.max(open, close) * 1.01, low: Math.min(open, close) * 0.99, close };
  });
});
/** Two prices series of equal length: the second asset is the first one mirrored. */
const pairOf = (bars: readonly PriceBar[]): PriceBar[][] => [
  [...bars],
  bars.map(({ open, high, low, close }) => ({
    open: 1e4 / open,
    high: 1e4 / low,
    low: 1e4 / high,
    close: 1e4 / close,
  })),
];

/** final equity, cagr, sharpe, sortino, max drawdown, exposure, trades, win rate, psr. */
const PUBLISHED: Readonly<Record<string, readonly (string | number | null)[]>> = {
  buy_hold: ["13386.0850", "0.7027", "1.2458", "1.9105", "-0.3938", "1.000", 0, null, "0.8217"],
  price_sma_200: ["10378.8502", "0.0702", "0.3746", "0.5654", "-0.3477", "0.655", 5, "0.0000", "0.6092"],
  sma_cross_50_200: ["7104.2019", "-0.4642", "-1.3358", "-1.8132", "-0.4422", "0.595", 1, "0.0000", "0.1630"],
  ema_cross_12_26: ["12944.2346", "0.6015", "1.3399", "2.1890", "-0.2937", "0.530", 4, "0.5000", "0.8421"],
  macd_12_26_9: ["11401.4563", "0.2704", "0.7799", "1.2298", "-0.2926", "0.605", 8, "0.2500", "0.7191"],
  tsmom_90: ["8923.0861", "-0.1877", "-0.2545", "-0.3637", "-0.3773", "0.660", 3, "0.6667", "0.4255"],
  vol_target_tsmom: ["9021.7110", "-0.1713", "-0.4043", "-0.5707", "-0.3004", "0.660", 3, "0.6667", "0.3828"],
  donchian_20_10: ["15425.8134", "1.2057", "2.2468", "3.8931", "-0.2114", "0.455", 2, "1.0000", "0.9557"],
  rsi_reversion_14: ["9642.7103", "-0.0642", "-0.1233", "-0.1700", "-0.1776", "0.300", 1, "0.0000", "0.4637"],
  bollinger_reversion_20_2: ["9763.4607", "-0.0427", "-0.0426", "-0.0597", "-0.2323", "0.210", 3, "0.6667", "0.4874"],
};

describe("the published table (series 2, 200 days)", () => {
  for (const [id, row] of Object.entries(PUBLISHED)) {
    test(`${id}, to the digit`, () => {
      const { metrics } = runStrategy(id, [series2()]);
      expect([
        metrics.final_equity_usd.toFixed(4),
        metrics.cagr.toFixed(4),
        metrics.sharpe?.toFixed(4) ?? null,
        metrics.sortino?.toFixed(4) ?? null,
        metrics.max_drawdown.ratio.toFixed(4),
        metrics.exposure.toFixed(3),
        metrics.trades,
        metrics.win_rate?.toFixed(4) ?? null,
        metrics.psr?.toFixed(4) ?? null,
      ]).toEqual([...row]);
    });
  }

  test("covers every rule but the one that needs a second asset", () => {
    expect(STRATEGY_IDS.filter((id) => !(id in PUBLISHED))).toEqual(["dual_momentum_btc_eth"]);
    expect(STRATEGY_IDS).toHaveLength(11);
  });
});

describe("a second computation, by factors per bar and other indicators", () => {
  const series = [series2(), series1().concat(series1().slice(0, 10))];
  for (const strategy of STRATEGIES) {
    test(`${strategy.id} comes to the same equity every day`, () => {
      const used = series.slice(0, strategy.symbols.length);
      const { run } = runStrategy(strategy.id, series);
      const again = computeEquityByFactors(used, {
        targets: decideAgain(strategy.id, used),
        drift_max: strategy.drift_max,
        first: FIRST,
      });
      expect(run.equity).toHaveLength(200);
      for (const [index, value] of run.equity.entries()) {
        expect(Math.abs(value / ((again[index] ?? 0) * CAPITAL_USD) - 1)).toBeLessThan(1e-6);
      }
    });
  }

  test("on walks too, with both assets", () => {
    fc.assert(
      fc.property(walks, fc.constantFrom(...STRATEGIES), (bars, strategy) => {
        const used = pairOf(bars).slice(0, strategy.symbols.length);
        const targets = strategy.decide(used);
        const run = runEngine({ series: used, targets, drift_max: strategy.drift_max, first: FIRST });
        const again = computeEquityByFactors(used, { targets, drift_max: strategy.drift_max, first: FIRST });
        expect(run.equity.at(-1) ?? 0).toBeCloseTo((again.at(-1) ?? 0) * CAPITAL_USD, 6);
      }),
      { numRuns: 150 },
    );
  });
});

describe("look-ahead", () => {
  test("changing what comes after a close changes no target up to it and no equity before it", () => {
    fc.assert(
      fc.property(
        walks,
        fc.constantFrom(...STRATEGY_IDS),
        fc.integer({ min: FIRST, max: 318 }),
        fc.double({ min: 0.2, max: 5, noNaN: true }),
        (bars, id, after, scale) => {
          const changed = bars.map(({ open, high, low, close }, index) =>
            index <= after
              ? { open, high, low, close }
              : { open: open * scale, high: high * 6, low: low / 6, close: open },
          );
          const [was, is] = [runStrategy(id, pairOf(bars)), runStrategy(id, pairOf(changed))];
          for (const [asset, targets] of was.targets.entries()) {
            expect(is.targets[asset]?.slice(0, after + 1)).toEqual(targets.slice(0, after + 1));
          }
          expect(is.run.equity.slice(0, after - FIRST + 1)).toEqual(was.run.equity.slice(0, after - FIRST + 1));
        },
      ),
      { numRuns: 150 },
    );
  });

  test("leaving the future out changes nothing before", () => {
    for (const id of STRATEGY_IDS) {
      const whole = runStrategy(id, pairOf(series2()));
      const cut = runStrategy(id, pairOf(series2().slice(0, 400)));
      expect(cut.run.equity).toEqual(whole.run.equity.slice(0, 140));
      expect(cut.run.weights).toEqual(whole.run.weights.slice(0, 140));
    }
  });
});

describe("the engine", () => {
  const bar = (price: number): PriceBar => ({ open: price, high: price, low: price, close: price });

  test("a round trip at a constant price costs both fees and both slippages, and no more", () => {
    const run = runEngine({ series: [[bar(50), bar(50), bar(50)]], targets: [[1, 0, 0]], drift_max: 0, first: 1 });
    const bought = CAPITAL_USD / ((1 + FEE) * (1 + SLIPPAGE));
    expect(run.equity[0]).toBeCloseTo(bought, 9);
    expect(run.equity[1]).toBeCloseTo(bought * (1 - SLIPPAGE) * (1 - FEE), 9);
    expect(run.trades).toHaveLength(1);
    expect(run.trades[0]).toMatchObject({ entry: 1, exit: 2 });
    expect(run.trades[0]?.return_ratio).toBeCloseTo((run.equity[1] ?? 0) / CAPITAL_USD - 1, 12);
    expect(run.open_trade).toBeNull();
  });

  test("what is held at the end is not sold, and shown as open", () => {
    const run = runEngine({ series: [[bar(50), bar(50), bar(75)]], targets: [[1, 1, 0]], drift_max: 0, first: 1 });
    expect(run.trades).toEqual([]);
    expect(run.open_trade).toMatchObject({ entry: 1, exit: null, exit_price: null });
    expect(run.open_trade?.return_ratio).toBeCloseTo(1.5 / ((1 + FEE) * (1 + SLIPPAGE)) - 1, 12);
  });

  test("moving from one asset to the other never borrows", () => {
    const series = [
      [bar(10), bar(10), bar(10)],
      [bar(20), bar(20), bar(20)],
    ];
    const targets = [
      [1, 0, 0],
      [0, 1, 1],
    ];
    const run = runEngine({ series, targets, drift_max: 0, first: 1 });
    const once = 1 / ((1 + FEE) * (1 + SLIPPAGE));
    expect(run.equity[1]).toBeCloseTo(CAPITAL_USD * once * (1 - SLIPPAGE) * (1 - FEE) * once, 8);
    expect(run.weights[1]).toBeCloseTo(1, 12);
    expect(run.trades.map(({ asset }) => asset)).toEqual([0]);
    expect(run.open_trade?.asset).toBe(1);
  });

  test("prices in another unit make no difference", () => {
    const scaled = series2().map(({ open, high, low, close }) => ({
      open: open * 1024,
      high: high * 1024,
      low: low * 1024,
      close: close * 1024,
    }));
    for (const id of Object.keys(PUBLISHED)) {
      const [was, is] = [runStrategy(id, [series2()]), runStrategy(id, [scaled])];
      expect(is.metrics.final_equity_usd).toBeCloseTo(was.metrics.final_equity_usd, 6);
      expect(is.metrics.trades).toBe(was.metrics.trades);
    }
  });

  test("on constant prices only the holder trades, and no ratio is shown", () => {
    for (const price of [100, 0.1, 64_012.3]) {
      const flat = Array.from({ length: 460 }, () => bar(price));
      for (const id of STRATEGY_IDS) {
        const { metrics } = runStrategy(id, [flat, flat]);
        const held = id === "buy_hold" ? 1 / ((1 + FEE) * (1 + SLIPPAGE)) : 1;
        expect(metrics.final_equity_usd).toBeCloseTo(CAPITAL_USD * held, 8);
        expect(metrics.max_drawdown.ratio).toBeCloseTo(held - 1, 12);
        expect([metrics.sharpe, metrics.sortino, metrics.psr]).toEqual([null, null, null]);
      }
    }
  });

  test("equity never falls to 0 or below, and weights stay within 0 and 1", () => {
    fc.assert(
      fc.property(walks, fc.constantFrom(...STRATEGY_IDS), (bars, id) => {
        const { run } = runStrategy(id, pairOf(bars));
        expect(run.equity.every((value) => value > 0)).toBe(true);
        expect(run.weights.every((weight) => weight >= 0 && weight <= 1 + 1e-12)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  test("series of different lengths and windows without a bar are refused", () => {
    const input = { targets: [[1], [1]], drift_max: 0, first: 1 };
    expect(() => runEngine({ ...input, series: [[bar(1), bar(1)], [bar(1)]] })).toThrow(RangeError);
    expect(() => runEngine({ ...input, series: [[bar(1)]] })).toThrow(RangeError);
    expect(() => runEngine({ ...input, series: [[bar(1), bar(1)]], first: 0 })).toThrow(RangeError);
  });
});

test("the drawdown counts from the capital, not from the first close", () => {
  expect(getMaxDrawdown([9_000, 12_000, 11_000])).toEqual({ ratio: 9_000 / CAPITAL_USD - 1, peak: -1, trough: 0 });
  expect(getMaxDrawdown([11_000, 12_000])).toEqual({ ratio: 0, peak: null, trough: null });
});
