import { describe, expect, test } from "bun:test";
import { ATR, EMA, RSI } from "technicalindicators";
import { series1, series2, type TestBar } from "../../../../test/helpers/test-series.ts";
import type { Bar } from "../../../upstream/providers/bars.ts";
import { computeAlpha, MODEL_HASH, MODEL_PARAMETERS, type SignalFactorName } from "./model.ts";

const toBars = (bars: readonly TestBar[]): Bar[] => bars.map((bar, t) => ({ t_ms: t * 14_400_000, ...bar }));
const S2 = toBars(series2());
const INPUTS = { bars: S2, funding_apr: 0.12, regime: 0.4 };
const getValue = (evaluation: ReturnType<typeof computeAlpha>, name: SignalFactorName): number =>
  evaluation.factors.find((one) => one.name === name)?.value ?? Number.NaN;

describe("alpha-v1", () => {
  test("gives the published figures for series S2", () => {
    const evaluation = computeAlpha(INPUTS);
    const published: Readonly<Record<SignalFactorName, number>> = {
      mom_7d: -0.132371,
      mom_30d: -0.022777,
      trend: 0.309143,
      range_pos: 0.555409,
      volume_confirm: 0,
      reversal: 0,
      funding_crowding: -0.24,
      regime: 0.4,
    };
    for (const { name, value } of evaluation.factors) expect(value).toBeCloseTo(published[name], 6);
    const sum = evaluation.factors.reduce((total, { value, weight }) => total + (value ?? 0) * weight, 0);
    expect(sum).toBeCloseTo(0.086883, 6);
    expect(evaluation).toMatchObject({ alpha: 54.3, side: null, confidence: 9 });
    expect(computeAlpha({ ...INPUTS, funding_apr: null }).alpha).toBe(56.2);
  });

  test("agrees with an independent computation by another library", () => {
    for (const bars of [S2, toBars(series1())]) {
      const closes = bars.map(({ close }) => close);
      const [high, low] = [bars.map((bar) => bar.high), bars.map((bar) => bar.low)];
      const ema = (period: number) => EMA.calculate({ period, values: closes }).at(-1) ?? Number.NaN;
      const atr = ATR.calculate({ period: 14, high, low, close: closes }).at(-1) ?? Number.NaN;
      const rsi = RSI.calculate({ period: 14, values: closes }).at(-1) ?? Number.NaN;
      const evaluation = computeAlpha({ bars, funding_apr: null, regime: null });
      const trend = Math.max(-1, Math.min(1, (ema(20) - ema(100)) / (3 * atr)));
      expect(getValue(evaluation, "trend")).toBeCloseTo(trend, 6);
      const reversal = rsi > 75 ? -(rsi - 75) / 25 : rsi < 25 ? (25 - rsi) / 25 : 0;
      // The library prints an RSI of two decimals.
      expect(Math.abs(getValue(evaluation, "reversal") - reversal)).toBeLessThan(0.0003);
      let [sum, squares] = [0, 0];
      const returns = Array.from({ length: 180 }, (_, n) =>
        Math.log((closes.at(-1 - n) ?? 0) / (closes.at(-2 - n) ?? 0)),
      );
      for (const one of returns) sum += one;
      for (const one of returns) squares += (one - sum / 180) ** 2;
      const sigma = Math.sqrt(squares / 179);
      for (const [name, n] of [
        ["mom_7d", 42],
        ["mom_30d", 180],
      ] as const) {
        const z = Math.log((closes.at(-1) ?? 0) / (closes.at(-1 - n) ?? 0)) / sigma / Math.sqrt(n) / 2;
        expect(getValue(evaluation, name)).toBeCloseTo(Math.max(-1, Math.min(1, z)), 9);
      }
    }
  });

  test("the contributions add up to alpha, with missing inputs too", () => {
    for (const inputs of [INPUTS, { ...INPUTS, regime: null }, { bars: S2, funding_apr: null, regime: null }]) {
      const { alpha, factors } = computeAlpha(inputs);
      const sum = factors.reduce((total, { contribution }) => total + (contribution ?? 0), 50);
      expect(Math.abs(sum - alpha)).toBeLessThanOrEqual(0.05 + 1e-9);
    }
  });

  test("does not depend on the unit of prices or volumes", () => {
    const scaled = S2.map((bar) => ({
      ...bar,
      open: bar.open * 1000,
      high: bar.high * 1000,
      low: bar.low * 1000,
      close: bar.close * 1000,
      volume: bar.volume * 7,
    }));
    const [a, b] = [computeAlpha(INPUTS), computeAlpha({ ...INPUTS, bars: scaled })];
    expect(b.alpha).toBe(a.alpha);
    for (const { name, value } of a.factors) expect(getValue(b, name)).toBeCloseTo(value ?? Number.NaN, 9);
  });

  test("a constant market gives 50 and no signal", () => {
    const flat = S2.map((bar) => ({ ...bar, open: 100, high: 100, low: 100, close: 100 }));
    const evaluation = computeAlpha({ bars: flat, funding_apr: 0, regime: 0 });
    expect(evaluation).toMatchObject({ alpha: 50, side: null, confidence: 0 });
  });

  test("unstated volume is a missing factor, not a zero", () => {
    const silent = S2.map((bar) => ({ ...bar, volume: 0 }));
    const factor = computeAlpha({ ...INPUTS, bars: silent }).factors.find(({ name }) => name === "volume_confirm");
    expect(factor).toMatchObject({ value: null, contribution: null });
  });

  test("rising volume confirms the direction of the price, at most fully", () => {
    const loud = S2.map((bar, t) => (t >= S2.length - 6 ? { ...bar, volume: bar.volume * 50 } : bar));
    const direction = Math.sign((S2.at(-1)?.close ?? 0) - (S2.at(-7)?.close ?? 0));
    expect(getValue(computeAlpha({ ...INPUTS, bars: loud }), "volume_confirm")).toBe(direction);
  });

  test("what comes later never changes what was said before", () => {
    for (const end of [400, 425, 459]) {
      const then = computeAlpha({ ...INPUTS, bars: S2.slice(0, end) });
      const wild = S2.map((bar, t) => (t >= end ? { ...bar, close: bar.close * 9, high: bar.high * 9 } : bar));
      expect(computeAlpha({ ...INPUTS, bars: wild.slice(0, end) })).toEqual(then);
    }
  });

  test("too few bars, or one that is not a number, give no evaluation", () => {
    expect(() => computeAlpha({ ...INPUTS, bars: S2.slice(-399) })).toThrow(RangeError);
    const broken = S2.map((bar, t) => (t === 440 ? { ...bar, close: Number.NaN } : bar));
    expect(() => computeAlpha({ ...INPUTS, bars: broken })).toThrow(RangeError);
  });

  test("its parameters are hashed: a change needs a new name", () => {
    expect(MODEL_PARAMETERS.model_id).toBe("alpha-v1");
    expect(MODEL_HASH).toBe("5909ef07e3be636fe3a29b71c79d3780845e582dd591ce15a619c7e007f79988");
  });
});
