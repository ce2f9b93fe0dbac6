import { describe, expect, test } from "bun:test";
import { ADX, ATR, BollingerBands, EMA, MACD, RSI, SMA } from "technicalindicators";
import { fc } from "../../../../test/helpers/properties.ts";
import { asSold } from "../../../../test/helpers/settled.ts";
import { parkMiller, series1, series2 } from "../../../../test/helpers/test-series.ts";
import { type Bar, DAY_MS } from "../../../upstream/providers/bars.ts";
import { type BiasReadings, computeBias, getFlags } from "./bias.ts";
import { computeSheet, computeAnalise as draft, rewindAnalise } from "./compute.ts";
import { clusterPrices, findLevels } from "./levels.ts";
import { AnaliseSchema } from "./schema.ts";

const computeAnalise = asSold(AnaliseSchema, draft);

const LAST_MS = Date.UTC(2026, 8, 30);

const dated = (bars: readonly Omit<Bar, "t_ms">[], step_ms = DAY_MS): Bar[] =>
  bars.map((bar, index) => ({ ...bar, t_ms: LAST_MS - (bars.length - 1 - index) * step_ms }));
const sheetOf = (bars: readonly Bar[], symbol = "BTC") =>
  computeAnalise({
    symbol,
    daily: { symbol, interval: "1d", provider: "kraken", fetched_at_ms: LAST_MS, bars },
    four_hours: { ok: false, error: new Error("none") },
    funding: { ok: false, error: new Error("none") },
    regime: null,
  });
const last = <T>(values: readonly T[]): T => values[values.length - 1] as T;
const scale = (bars: readonly Bar[], unit: number): Bar[] =>
  bars.map((bar) => ({
    ...bar,
    open: bar.open * unit,
    high: bar.high * unit,
    low: bar.low * unit,
    close: bar.close * unit,
  }));

describe("series 1 reads as published at its last bar", () => {
  const { data } = sheetOf(dated(series1()));
  // Shown with 8 significant digits, or 2 decimals where it is an index or percent.
  const published: readonly (readonly [name: string, shown: number | null, expected: number, decimals: number])[] = [
    ["price", data.price, 141.82, 6],
    ["sma20", data.trend.sma20, 143.372745, 5],
    ["sma50", data.trend.sma50, 152.909176, 5],
    ["sma200", data.trend.sma200, 141.714363, 5],
    ["ema12", data.trend.ema12, 142.453961, 5],
    ["ema26", data.trend.ema26, 145.452915, 5],
    ["adx14", data.trend.adx14, 79.625649, 2],
    ["rsi14", data.momentum.rsi14, 11.890612, 2],
    ["macd", data.momentum.macd, -2.998954, 5],
    ["macd_signal", data.momentum.macd_signal, -3.394866, 5],
    ["atr14", data.volatility.atr14, 3.302699, 5],
    ["bb_lower", data.volatility.bb_lower, 139.224042, 5],
    ["bb_mid", data.volatility.bb_mid, 143.372745, 5],
    ["bb_upper", data.volatility.bb_upper, 147.521448, 5],
    ["rv30_pct", data.volatility.rv30_pct, 4.3759, 2],
    ["rv_percentile", data.volatility.rv_percentile, 43.4247, 2],
  ];
  for (const [name, shown, expected, decimals] of published) {
    test(name, () => {
      expect(Math.abs((shown ?? Number.NaN) - expected)).toBeLessThanOrEqual(0.5001 * 10 ** -decimals);
    });
  }
});

test("another package's indicators agree", () => {
  const bars = dated(series2().slice(-400));
  const { data } = sheetOf(bars);
  const closes = bars.map(({ close }) => close);
  const ranges = { high: bars.map(({ high }) => high), low: bars.map(({ low }) => low), close: closes, period: 14 };
  const [adx, bands] = [
    last(ADX.calculate(ranges)),
    last(BollingerBands.calculate({ period: 20, stdDev: 2, values: closes })),
  ];
  const macd = last(
    MACD.calculate({
      values: closes,
      fastPeriod: 12,
      slowPeriod: 26,
      signalPeriod: 9,
      SimpleMAOscillator: false,
      SimpleMASignal: false,
    }),
  );
  const near = (shown: number, other: number | undefined, decimals = 4) =>
    expect(Math.abs(shown - (other ?? Number.NaN))).toBeLessThanOrEqual(10 ** -decimals);
  near(data.trend.sma200, last(SMA.calculate({ period: 200, values: closes })));
  near(data.trend.ema26, last(EMA.calculate({ period: 26, values: closes })));
  near(data.trend.adx14, adx.adx, 2);
  near(data.trend.plus_di, adx.pdi, 2);
  near(data.trend.minus_di, adx.mdi, 2);
  near(data.momentum.rsi14, last(RSI.calculate({ period: 14, values: closes })), 2);
  near(data.momentum.macd_hist, macd.histogram);
  near(data.volatility.atr14, last(ATR.calculate(ranges)));
  near(data.volatility.bb_lower, bands.lower);
});

const readings = (change: Partial<BiasReadings> = {}): BiasReadings => ({
  close: 110,
  sma50: 105,
  sma200: 100,
  ema12: 108,
  ema26: 106,
  macd_hist: 1,
  rsi14: 60,
  adx14: 20,
  donchian_mid: 104,
  bb_lower: 95,
  bb_upper: 115,
  ...change,
});

describe("the bias", () => {
  test("everything for the coin is 1, everything against it -1", () => {
    expect(computeBias(readings())).toMatchObject({ score: 1, label: "bullish", max_points: 8, trend_doubled: false });
    const against = readings({ close: 90, sma50: 95, ema12: 88, macd_hist: -1, rsi14: 40 });
    expect(computeBias({ ...against, donchian_mid: 92 })).toMatchObject({ score: -1, label: "bearish" });
  });

  test("each rule gives its points, and they sum to the score", () => {
    const { points, score } = computeBias(readings({ macd_hist: -1, rsi14: 50 }));
    expect(points.map((one) => one.points)).toEqual([2, 2, 1, -1, 0, 1]);
    expect(score).toBe(5 / 8);
  });

  test("a strong trend counts its three rules twice and stays within 1", () => {
    expect(computeBias(readings({ adx14: 25.01 }))).toMatchObject({ score: 1, max_points: 13, trend_doubled: true });
    expect(computeBias(readings({ adx14: 25 })).trend_doubled).toBe(false);
    const mixed = computeBias(readings({ adx14: 30, macd_hist: -1, rsi14: 50, donchian_mid: 120 }));
    expect(mixed.score).toBe((10 - 2) / 13);
  });

  test("what is equal gives no point", () => {
    const equal = readings({ close: 100, sma50: 100, ema12: 106, macd_hist: 0, rsi14: 55, donchian_mid: 100 });
    expect(computeBias(equal)).toMatchObject({ score: 0, label: "neutral" });
    expect(computeBias(readings({ rsi14: 45 })).points[4]?.points).toBe(0);
  });

  test("the label changes at 0.4 either way", () => {
    // 2 + 2 + 1 + 1 - 1 - 1 = 4 of 8; 2 + 2 + 1 - 1 + 0 - 1 = 3 of 8.
    expect(computeBias(readings({ rsi14: 40, donchian_mid: 120 })).label).toBe("bullish");
    expect(computeBias(readings({ macd_hist: -1, rsi14: 50, donchian_mid: 120 })).label).toBe("neutral");
  });

  test("extremes are flags and change no point", () => {
    expect(getFlags(readings({ rsi14: 70, close: 116 }))).toEqual(["overbought", "above_upper_band"]);
    expect(getFlags(readings({ rsi14: 30, close: 94 }))).toEqual(["oversold", "below_lower_band"]);
    expect(getFlags(readings({ rsi14: 69.9, close: 115 }))).toEqual([]);
  });
});

describe("the levels", () => {
  test("prices cluster from the lowest up, never wider than one range", () => {
    expect(clusterPrices([103, 100, 101, 102, 110], 2)).toEqual([
      { price: 101, touches: 3 },
      { price: 103, touches: 1 },
      { price: 110, touches: 1 },
    ]);
  });

  /** Bars around 100, with a high or a low that stands out at some of them. */
  const bars = (peaks: Readonly<Record<number, number>>, count = 60): Bar[] =>
    dated(
      Array.from({ length: count }, (_, index) => {
        const peak = peaks[index] ?? 100;
        return { open: 100, high: Math.max(101, peak), low: Math.min(99, peak), close: 100, volume: 1 };
      }),
    );

  test("a pivot stands out from five bars on each side", () => {
    expect(findLevels(bars({ 10: 120, 30: 80 }), { price: 100, atr: 2 })).toEqual({
      supports: [{ price: 80, touches: 1 }],
      resistances: [{ price: 120, touches: 1 }],
    });
    expect(findLevels(bars({ 4: 120, 55: 80 }), { price: 100, atr: 2 })).toEqual({ supports: [], resistances: [] });
    expect(findLevels(bars({ 10: 120, 15: 125 }), { price: 100, atr: 2 }).resistances).toEqual([
      { price: 125, touches: 1 },
    ]);
  });

  test("the most touched come first, then the nearer; three at most", () => {
    const peaks = { 6: 110, 12: 111, 18: 130, 24: 120, 30: 140, 36: 150 };
    expect(findLevels(bars(peaks), { price: 100, atr: 2 }).resistances).toEqual([
      { price: 110.5, touches: 2 },
      { price: 120, touches: 1 },
      { price: 130, touches: 1 },
    ]);
  });

  test("only the last 180 days count", () => {
    expect(findLevels(bars({ 10: 120 }, 200), { price: 100, atr: 2 }).resistances).toEqual([]);
    expect(findLevels(bars({ 30: 120 }, 200), { price: 100, atr: 2 }).resistances).toHaveLength(1);
  });
});

describe("laws", () => {
  const walk = (seed: number, count: number): Bar[] => {
    const next = parkMiller(seed);
    let close = 100;
    return dated(
      Array.from({ length: count }, () => {
        const open = close;
        close *= Math.exp(0.08 * (next() - 0.5));
        return { open, high: 1.01 * Math.max(open, close), low: 0.99 * Math.min(open, close), close, volume: 1 };
      }),
    );
  };

  test("another unit of the prices changes prices in proportion, and no index, percent or point", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: -8, max: 8 }), (seed, power) => {
        const unit = 2 ** power;
        const [one, other] = [computeSheet(walk(seed, 400)), computeSheet(scale(walk(seed, 400), unit))];
        expect(other.momentum.rsi14).toBe(one.momentum.rsi14);
        expect(other.trend.sma50 / one.trend.sma50).toBeCloseTo(unit, 4);
        expect(other.bias.points.map(({ points }) => points)).toEqual(one.bias.points.map(({ points }) => points));
        expect(other.levels?.supports.map(({ touches }) => touches)).toEqual(
          one.levels?.supports.map(({ touches }) => touches) ?? [],
        );
        expect(Math.abs(other.bias.score)).toBeLessThanOrEqual(1);
      }),
      { numRuns: 20 },
    );
  });

  test("a price that never changes has no bias but equal averages, and no level", () => {
    const flat = dated(Array.from({ length: 400 }, () => ({ open: 5, high: 5, low: 5, close: 5, volume: 0 })));
    const { data } = sheetOf(flat);
    expect(data.bias).toMatchObject({ score: 0, label: "neutral" });
    expect(data.volatility).toMatchObject({ rv30_pct: 0, atr14: 0, bb_width_pct: 0 });
    expect(data.momentum.rsi14).toBe(50);
    expect(data.levels).toMatchObject({ supports: [], resistances: [], pivot: 5 });
  });

  test("a young coin's missing windows are null and named, never shorter", () => {
    const { data, warnings } = sheetOf(walk(3, 250));
    expect([data.returns_pct.d365, data.range.high_365, data.volatility.rv_percentile]).toEqual([null, null, null]);
    expect(data.returns_pct.d90).not.toBeNull();
    expect(warnings).toContain("returns_pct.d365, volatility.rv_percentile, range (3 figures): only 250 daily bars");
    expect(sheetOf(walk(3, 365)).data.returns_pct.d365).toBeNull();
    expect(sheetOf(walk(3, 366)).data.returns_pct.d365).not.toBeNull();
  });

  test("returns are from the close so many days before, the range from the last 365 bars, both to two decimals", () => {
    // Every close is 100 but the last and those 1, 7, 30, 90 and 365 bars before it.
    const CLOSES: Readonly<Record<number, number>> = { 0: 110, 1: 96, 7: 88, 30: 125, 90: 55, 365: 220 };
    const bars = dated(
      Array.from({ length: 367 }, (_, index) => {
        const close = CLOSES[366 - index] ?? 100;
        return { open: close, high: close + 1, low: close - 1, close, volume: 1 };
      }),
    );
    const { data } = sheetOf(bars);
    // 110/96 = 1.145833, 110/88 = 1.25, 110/125 = 0.88, 110/55 = 2, 110/220 = 0.5
    expect(data.returns_pct).toEqual({ d1: 14.58, d7: 25, d30: -12, d90: 100, d365: -50 });
    // 126 is 30 bars old and 54 is 90; the 221 of 365 bars before is the 366th. 110/126 = 0.873016
    expect(data.range).toEqual({ high_365: 126, low_365: 54, from_high_pct: -12.7 });
    expect(sheetOf(bars.slice(-365)).data.range).toEqual(data.range);
    const none = { high_365: null, low_365: null, from_high_pct: null };
    expect(sheetOf(bars.slice(-364)).data.range).toEqual(none);
  });

  test("a single missing window is named alone", () => {
    expect(sheetOf(walk(3, 370)).warnings[0]).toBe("volatility.rv_percentile: only 370 daily bars");
  });

  test("the range of a day in percent is that of the last close, to two decimals", () => {
    const bars = dated(series2().slice(-400));
    const { atr14, atr_pct } = sheetOf(bars).data.volatility;
    expect(atr_pct).toBe(Number(((atr14 / last(bars).close) * 100).toFixed(2)));
    expect(atr_pct).toBeGreaterThan(0);
  });

  test("a preview has four-hour readings from 200 bars before its day on", () => {
    const bars = walk(3, 300);
    const rewound = (count: number) => {
      const until_ms = last(bars).t_ms;
      const past = Array.from({ length: count }, (_, n) => ({
        ...last(bars),
        t_ms: until_ms - (count - n) * 14_400_000,
      }));
      const four_hours = { ok: true, value: { symbol: "BTC", interval: "4h", provider: "x", bars: past } } as const;
      const daily = { symbol: "BTC", interval: "1d", provider: "x", fetched_at_ms: 0, bars } as const;
      const none = { ok: false, error: new Error("none") } as const;
      const value = { ...four_hours.value, fetched_at_ms: 0 };
      const inputs = { symbol: "BTC", daily, four_hours: { ok: true, value } as const, funding: none, regime: null };
      return rewindAnalise(inputs)?.four_hours.ok;
    };
    expect([rewound(199), rewound(200)]).toEqual([false, true]);
  });

  test("fewer bars than an average takes are refused", () => {
    expect(() => computeSheet(walk(3, 199))).toThrow(RangeError);
  });
});
