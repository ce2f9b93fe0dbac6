import { describe, expect, test } from "bun:test";
import { ADX } from "technicalindicators";
import { fc } from "../../../../test/helpers/properties.ts";
import { parkMiller, series1 } from "../../../../test/helpers/test-series.ts";
import { type Bar, DAY_MS } from "../../../upstream/providers/bars.ts";
import { computeRegime, REPLAYED_DAYS } from "./compute.ts";
import { computeBreadth, computeFactors, type FactorValues, getScore, weighFactors } from "./factors.ts";
import { getConfidence, isGated, replayRegimes } from "./replay.ts";

const LAST_MS = Date.UTC(2026, 8, 30);

const toBars = (closes: readonly number[], last_ms = LAST_MS): Bar[] =>
  closes.map((close, index) => {
    const open = closes[index - 1] ?? close;
    return {
      t_ms: last_ms - (closes.length - 1 - index) * DAY_MS,
      open,
      high: 1.01 * Math.max(open, close),
      low: 0.99 * Math.min(open, close),
      close,
      volume: 1,
    };
  });
/** A random walk with a drift per day. */
function walk(seed: number, count: number, drift = 0): number[] {
  const next = parkMiller(seed);
  const closes = [100];
  while (closes.length < count) closes.push((closes.at(-1) ?? 0) * Math.exp(drift + 0.06 * (next() - 0.5)));
  return closes;
}
const coins = (count: number, days = 400, drift = 0): Bar[][] =>
  Array.from({ length: count }, (_, index) => toBars(walk(100 + index, days, drift)));
const read = (inputs: Parameters<typeof computeRegime>[0]) => {
  const reading = computeRegime(inputs);
  if (!reading) throw new Error("no reading");
  return reading;
};
const values = (change: Partial<FactorValues> = {}): FactorValues => ({
  trend_200: 0.5,
  cross_50_200: -0.2,
  mom_90: 0.8,
  breadth_50: 0.3,
  drawdown_365: 0.6,
  ...change,
});
const day = (score: number, change: { er30?: number; adx14?: number; t_ms?: number } = {}) => ({
  t_ms: 0,
  values: { trend_200: score, cross_50_200: score, mom_90: score, breadth_50: score, drawdown_365: score },
  er30: 0.5,
  adx14: 30,
  ...change,
});
const statesOf = (scores: readonly number[]) => replayRegimes(scores.map((score) => day(score))).map((d) => d.regime);

describe("the factors", () => {
  test("the published factors give the published score", () => {
    expect(getScore(values())).toBeCloseTo(0.42, 12);
    expect(weighFactors(values()).map(({ contribution }) => Number(contribution.toFixed(6)))).toEqual([
      0.125, -0.03, 0.16, 0.075, 0.09,
    ]);
  });

  test("series 1 reads as published at its last bar", () => {
    const bars = series1().map((bar, index) => ({ ...bar, t_ms: index * DAY_MS }));
    const last = computeFactors(bars, []).at(-1);
    expect(last?.values.trend_200?.toFixed(6)).toBe("0.004970");
    expect(last?.values.cross_50_200?.toFixed(6)).toBe("0.789956");
    expect(last?.adx14.toFixed(6)).toBe("79.625649");
    expect(last?.er30.toFixed(6)).toBe("0.951001");
  });

  test("a second computation by loops over windows agrees at every close", () => {
    const closes = walk(7, 620);
    const bars = toBars(closes);
    const universe = coins(15);
    const days = computeFactors(bars, computeBreadth(universe, REPLAYED_DAYS)).slice(-REPLAYED_DAYS);
    const reference = ADX.calculate({
      high: bars.map(({ high }) => high),
      low: bars.map(({ low }) => low),
      close: closes,
      period: 14,
    });
    const mean = (some: readonly number[]) => some.reduce((sum, one) => sum + one, 0) / some.length;
    const limit = (value: number) => Math.min(1, Math.max(-1, value));
    for (const [index, one] of days.entries()) {
      const end = closes.length - REPLAYED_DAYS + index + 1;
      const until = closes.slice(0, end);
      const close = until.at(-1) ?? 0;
      const [sma50, sma200] = [mean(until.slice(-50)), mean(until.slice(-200))];
      expect(one.values.trend_200).toBeCloseTo(limit((close / sma200 - 1) / 0.15), 9);
      expect(one.values.cross_50_200).toBeCloseTo(limit((sma50 / sma200 - 1) / 0.1), 9);
      const window = until.slice(-91);
      const returns = window.slice(1).map((value, at) => Math.log(value / (window[at] ?? 0)));
      const sigma = Math.sqrt(returns.reduce((sum, r) => sum + (r - mean(returns)) ** 2, 0) / 89);
      const strength = Math.log(close / (window[0] ?? 0)) / (sigma * Math.sqrt(90)) / 1.5;
      expect(one.values.mom_90).toBeCloseTo(limit(strength), 9);
      expect(one.values.drawdown_365).toBeCloseTo(limit(1 + (close / Math.max(...until.slice(-365)) - 1) / 0.2), 9);
      const above = universe.filter((coin) => {
        const coin_until = coin.slice(0, coin.length - REPLAYED_DAYS + index + 1).map((bar) => bar.close);
        return (coin_until.at(-1) ?? 0) > mean(coin_until.slice(-50));
      });
      expect(one.values.breadth_50).toBeCloseTo((2 * above.length) / 15 - 1, 9);
      const adx = reference[reference.length - REPLAYED_DAYS + index]?.adx ?? Number.NaN;
      expect(one.adx14).toBeCloseTo(adx, 6);
    }
  });

  test("the highest close counts for 365 days, its own included, and not one more", () => {
    const PEAK = 30;
    const bars = toBars(Array.from({ length: 420 }, (_, index) => (index === PEAK ? 110 : 100 + 0.01 * (index % 2))));
    const drawdowns = new Map(computeFactors(bars, []).map((one) => [one.t_ms, one.values.drawdown_365]));
    const at = (index: number) => drawdowns.get(bars[index]?.t_ms ?? Number.NaN);
    expect(at(PEAK + 364)).toBeCloseTo(1 + (100 / 110 - 1) / 0.2, 12);
    expect(at(PEAK + 365)).toBe(1);
  });

  test("without breadth the other weights are scaled to 1", () => {
    const weighed = weighFactors(values({ breadth_50: null }));
    expect(weighed.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 12);
    expect(weighed.find(({ name }) => name === "breadth_50")).toMatchObject({ weight: 0, value: null });
    expect(getScore(values({ breadth_50: null }))).toBeCloseTo((0.42 - 0.075) / 0.75, 12);
  });

  test("fewer than 12 coins give no breadth", () => {
    expect(read({ bitcoin: toBars(walk(7, 620)), universe: coins(11) }).factors[3]).toMatchObject({ value: null });
    expect(read({ bitcoin: toBars(walk(7, 620)), universe: coins(12) }).factors[3]?.value).not.toBeNull();
  });

  test("coins that are younger than an average do not count for it", () => {
    const [breadth] = computeBreadth([...coins(12), ...coins(3, 60), ...coins(2, 49)], 1);
    expect(breadth).toMatchObject({ of_50: 15, of_200: 12 });
  });

  test("a constant market is a chop without direction", () => {
    const flat = toBars(Array.from({ length: 620 }, () => 50));
    const reading = read({ bitcoin: flat, universe: Array.from({ length: 12 }, () => flat.slice(-400)) });
    expect(reading.factors.map(({ value }) => value)).toEqual([0, 0, 0, -1, 1]);
    expect(reading).toMatchObject({ regime: "chop", chop_gate: true, er30: 0, adx14: 0 });
  });
});

describe("the states", () => {
  test("bull starts at 0.35 and ends below 0.20; bear is its mirror", () => {
    const rest = [0, 0, 0, 0];
    expect(statesOf([...rest, 0.35, 0.2, 0.2, 0.2, 0.2, 0.19]).slice(4)).toEqual([
      ...["bull", "bull", "bull", "bull", "bull", "chop"],
    ] as ReturnType<typeof statesOf>);
    expect(statesOf([...rest, 0.34])).not.toContain("bull");
    fc.assert(
      fc.property(fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { maxLength: 60 }), (scores) => {
        const mirror = { bull: "bear", bear: "bull", chop: "chop" } as const;
        expect(statesOf(scores.map((score) => -score))).toEqual(statesOf(scores).map((state) => mirror[state]));
      }),
    );
  });

  test("the published score makes a bull of a chop", () => {
    expect(statesOf([0, 0, 0, 0, 0.42]).at(-1)).toBe("bull");
  });

  test("from bull straight to bear takes -0.35", () => {
    const bull = [0, 0, 0, 0, 0.5, 0.5, 0.5, 0.5];
    expect(statesOf([...bull, -0.35]).at(-1)).toBe("bear");
    expect(statesOf([...bull, -0.34]).at(-1)).toBe("chop");
  });

  test("a state holds at least four closes", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 100 }), (scores) => {
        const states = statesOf(scores);
        const changes = states.flatMap((state, index) => (index > 0 && state !== states[index - 1] ? [index] : []));
        for (const [index, change] of changes.entries()) {
          expect(change - (changes[index - 1] ?? 0)).toBeGreaterThanOrEqual(4);
        }
      }),
    );
  });

  test("a market that goes nowhere is chop unless the score is strong", () => {
    expect(isGated({ er30: 0.14, adx14: 19 }, 0.59)).toBe(true);
    expect(isGated({ er30: 0.15, adx14: 19 }, 0.59)).toBe(false);
    expect(isGated({ er30: 0.14, adx14: 20 }, 0.59)).toBe(false);
    expect(isGated({ er30: 0.14, adx14: 19 }, -0.6)).toBe(false);
    const gated = [0, 0, 0, 0, 0.5].map((score) => day(score, { er30: 0.1, adx14: 10 }));
    expect(replayRegimes(gated).at(-1)).toMatchObject({ regime: "chop", chop_gate: true });
  });

  test("confidence grows with the score, and in chop with its absence", () => {
    expect(getConfidence("bull", 0.42)).toBeCloseTo(0.6, 12);
    expect(getConfidence("bear", -0.9)).toBe(1);
    expect(getConfidence("chop", 0)).toBe(1);
    expect(getConfidence("chop", -0.4)).toBe(0);
  });

  test("the reading says since when, and what was before", () => {
    const rising = walk(3, 620).map((close, index) => close * Math.exp(0.004 * Math.max(0, index - 500)));
    const reading = read({ bitcoin: toBars(rising), universe: coins(14, 400, 0.004) });
    expect(reading.regime).toBe("bull");
    expect(reading.since_ms).toBe(LAST_MS - (reading.days_in_regime - 1) * DAY_MS);
    expect(reading.previous?.ended_ms).toBe(reading.since_ms - DAY_MS);
  });

  test("a state older than the replay has no state before it", () => {
    const falling = walk(5, 620, -0.01);
    const reading = read({ bitcoin: toBars(falling), universe: coins(14, 400, -0.01) });
    expect(reading.regime).toBe("bear");
    const flat = toBars(Array.from({ length: 620 }, () => 50));
    expect(read({ bitcoin: flat, universe: [] })).toMatchObject({ previous: null, days_in_regime: REPLAYED_DAYS });
  });
});

describe("laws", () => {
  const closes = walk(11, 700);
  const universe = coins(14);

  test("the reading is that of the newest close, with its factors, filters and breadth", () => {
    const reading = read({ bitcoin: toBars(closes), universe });
    const breadth = computeBreadth(universe, REPLAYED_DAYS);
    const today = computeFactors(toBars(closes).slice(-620), breadth).at(-1);
    if (!today) throw new Error("no factors");
    expect(reading.factors).toEqual(weighFactors(today.values));
    expect([reading.er30, reading.adx14, reading.bar_ms]).toEqual([today.er30, today.adx14, LAST_MS]);
    expect(reading.breadth).toEqual(breadth.at(-1) as typeof reading.breadth);
  });

  test("fewer than 620 bars give nothing, and more change nothing", () => {
    const bars = toBars(closes);
    expect(computeRegime({ bitcoin: bars.slice(-619), universe })).toBeNull();
    expect(computeRegime({ bitcoin: bars, universe })).toEqual(computeRegime({ bitcoin: bars.slice(-620), universe }));
  });

  test("the unit of the prices changes nothing", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 1_000, noNaN: true }), (unit) => {
        const [one, other] = [
          read({ bitcoin: toBars(closes), universe }),
          read({ bitcoin: toBars(closes.map((close) => close * unit)), universe }),
        ];
        expect(other.score).toBeCloseTo(one.score, 9);
        expect(other.regime).toBe(one.regime);
      }),
      { numRuns: 20 },
    );
  });

  test("the order of the coins changes nothing", () => {
    const bitcoin = toBars(closes);
    expect(computeRegime({ bitcoin, universe: [...universe].reverse() })).toEqual(
      computeRegime({ bitcoin, universe }) ?? null,
    );
  });

  test("what comes later never changes an earlier close's factors", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), (cut) => {
        const all = toBars(closes);
        const whole = computeFactors(all, computeBreadth(universe, REPLAYED_DAYS));
        const past = computeFactors(
          all.slice(0, -cut),
          computeBreadth(
            universe.map((bars) => bars.slice(0, -cut)),
            REPLAYED_DAYS - cut,
          ),
        );
        expect(past).toEqual(whole.slice(0, -cut));
        expect(replayRegimes(past)).toEqual(replayRegimes(whole).slice(0, -cut));
      }),
      { numRuns: 10 },
    );
  });
});
