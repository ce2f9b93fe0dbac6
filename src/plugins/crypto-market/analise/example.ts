import type { AnaliseData } from "./schema.ts";

/** Made of a published test series, scaled to Bitcoin's level. */
const data: AnaliseData = {
  symbol: "BTC",
  price: 65769.344,
  bar_date: "2026-09-29",
  returns_pct: {
    d1: 0.2,
    d7: 0.75,
    d30: 8.36,
    d90: 31.12,
    d365: 0.01,
  },
  trend: {
    sma20: 63282.371,
    sma50: 64456.072,
    sma200: 59133.388,
    ema12: 63842.676,
    ema26: 63597.656,
    adx14: 15.78,
    plus_di: 16.93,
    minus_di: 18.7,
  },
  momentum: {
    rsi14: 54.94,
    macd: 245.01995,
    macd_signal: 21.396379,
    macd_hist: 223.62357,
  },
  volatility: {
    atr14: 2971.8295,
    atr_pct: 4.52,
    rv30_pct: 58.57,
    rv_percentile: 90,
    bb_lower: 58688.559,
    bb_mid: 63282.371,
    bb_upper: 67876.183,
    bb_width_pct: 14.52,
  },
  levels: {
    supports: [],
    resistances: [],
    pivot: 65725.867,
    r1: 66470.485,
    s1: 65024.725,
  },
  bias: {
    label: "bullish",
    score: 0.875,
    max_points: 8,
    trend_doubled: false,
    points: [
      {
        rule: "close_above_sma200",
        value: 6635.9565,
        points: 2,
      },
      {
        rule: "sma50_above_sma200",
        value: 5322.6842,
        points: 2,
      },
      {
        rule: "ema12_above_ema26",
        value: 245.01995,
        points: 1,
      },
      {
        rule: "macd_histogram",
        value: 223.62357,
        points: 1,
      },
      {
        rule: "rsi14",
        value: 54.941547,
        points: 0,
      },
      {
        rule: "donchian20_mid",
        value: 2764.992,
        points: 1,
      },
    ],
  },
  flags: [],
  range: {
    high_365: 75704.512,
    low_365: 42038.464,
    from_high_pct: -13.12,
  },
  derivatives: {
    funding_apr_pct: 10.95,
    open_interest_usd: 3165000000,
  },
  timeframe_4h: {
    rsi14: 54.94,
    ema20: 63669.622,
    ema100: 60918.433,
    alpha: 54.5,
  },
};

export const example = { params: { symbol: "BTC" }, as_of: "2026-09-30T00:00:00Z", data };
