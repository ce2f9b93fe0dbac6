import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { linearRegression, median, medianAbsoluteDeviation } from "simple-statistics";
import {
  calmReturns,
  makeBars,
  makeInputs,
  makeSeries,
  spreadReturns,
  UNTIL_MS,
  withBars,
} from "../../../../test/helpers/anomalias-inputs.ts";
import { fc } from "../../../../test/helpers/properties.ts";
import { asSold } from "../../../../test/helpers/settled.ts";
import { NodeError } from "../../../core/errors.ts";
import type { Bar } from "../../../upstream/providers/bars.ts";
import { computeAnomalias as draft } from "./compute.ts";
import type { AnomaliasInputs } from "./fetch.ts";
import { getSeverityOfZ, getZOfSeverity } from "./rules.ts";
import { AnomaliasSchema, type AnomalyType } from "./schema.ts";
import { vector } from "./vector.ts";

const computeAnomalias = asSold(AnomaliasSchema, draft);

const compute = (inputs: AnomaliasInputs, threshold = 0) => computeAnomalias(inputs, { threshold });
const linesOf = (inputs: AnomaliasInputs, type: AnomalyType, symbol: string) =>
  compute(inputs).data.anomalies.filter((line) => line.type === type && line.symbol === symbol);
const HOUR_MS = 3_600_000;
const withLast = (values: readonly number[], last: number) => [...values.slice(0, -1), last];

describe("severity", () => {
  test("of a robust z is the published curve, and its inverse", () => {
    expect([3, 5, 6, 10, -10, 2, 0].map((z) => Math.round(getSeverityOfZ(z) * 1000) / 1000)).toEqual([
      0, 0.487, 0.632, 0.903, 0.903, 0, 0,
    ]);
    fc.assert(
      fc.property(fc.double({ min: 0, max: 0.999, noNaN: true }), (severity) => {
        expect(getSeverityOfZ(getZOfSeverity(severity))).toBeCloseTo(severity, 9);
      }),
    );
  });
});

describe("anomalies of candles", () => {
  test("give the published vector and example", () => {
    const { data, as_of_ms } = compute(withBars("BTC", makeBars(withLast(calmReturns(), 0.03))), 0.5);
    expect(data).toEqual(vector.data);
    expect(as_of_ms).toBe(Date.parse(vector.as_of));
  });

  test("price moves agree with the same calculation by another package", () => {
    const returns = withLast(spreadReturns(7), -0.02);
    const days = returns.flatMap((_, end) =>
      end < 23 ? [] : [returns.slice(end - 23, end + 1).reduce((sum, one) => sum + one, 0)],
    );
    const zOf = (history: readonly number[], x: number) =>
      (x - median([...history])) / (1.4826 * medianAbsoluteDeviation([...history]));
    const [hour, day] = ["1h", "24h"].map((window) =>
      linesOf(withBars("ETH", makeBars(returns)), "price_move", "ETH").find(({ id }) => id.includes(`:${window}:`)),
    );
    expect(hour?.rz).toBeCloseTo(zOf(returns.slice(0, -1), -0.02), 3);
    expect(hour).toMatchObject({
      direction: "down",
      value: -2,
      started_at: new Date(UNTIL_MS - HOUR_MS).toISOString().replace(".000", ""),
    });
    const z = zOf(days.slice(0, -24), days.at(-1) ?? 0);
    if (Math.abs(z) > 3) expect(day?.rz).toBeCloseTo(z, 3);
    else expect(day).toBeUndefined();
  });

  test("decoupling is the residual after Bitcoin's share, by another package's regression", () => {
    const market = spreadReturns(1);
    const noise = spreadReturns(99);
    // It follows Bitcoin at twice the size and leaves it in the last five hours.
    const own = market.map((one, index) => 2 * one + 0.3 * (noise[index] ?? 0) + (index >= 714 ? 0.02 : 0));
    const [line] = linesOf(withBars("SOL", makeBars(own)), "decoupling", "SOL");
    const { m: beta } = linearRegression(market.map((one, index) => [one, own[index] ?? 0]));
    const residuals = own.map((one, index) => one - beta * (market[index] ?? 0));
    const sums = residuals.flatMap((_, end) =>
      end < 23 ? [] : [residuals.slice(end - 23, end + 1).reduce((sum, one) => sum + one, 0)],
    );
    const history = sums.slice(0, -24);
    const z = ((sums.at(-1) ?? 0) - median(history)) / (1.4826 * medianAbsoluteDeviation(history));
    expect(line?.rz).toBeCloseTo(z, 3);
    expect(line).toMatchObject({ direction: "up", window_h: 24, unit: "log_return_pct" });
    expect(linesOf(withBars("BTC", makeBars(own)), "decoupling", "BTC")).toEqual([]);
  });

  test("a volume is compared with the same hour's, and only more of it is odd", () => {
    const volumes = (factor: number) => (bar: Bar, left: number) => {
      // At 11 UTC there is always ten times as much.
      const hour = Math.floor(bar.t_ms / HOUR_MS) % 24;
      return { ...bar, volume: bar.volume * (hour === 11 ? 10 : 1) * (left === 0 ? factor : 1) };
    };
    const at = (factor: number) =>
      linesOf(withBars("XRP", makeBars(spreadReturns(5), volumes(factor))), "volume_spike", "XRP");
    expect(at(1)).toEqual([]);
    expect(at(0.01)).toEqual([]);
    const [line] = at(8);
    expect(line).toMatchObject({ direction: "up", unit: "multiple", window_h: 1, rarity: 0 });
    expect(line?.value).toBeGreaterThan(7);
    expect(line?.value).toBeLessThan(9);
  });

  test("a wide range is odd, a narrow one is not", () => {
    const wick = (factor: number) => (bar: Bar, left: number) =>
      left === 0 ? { ...bar, high: bar.high * (1 + factor), low: bar.low * (1 - factor) } : bar;
    const at = (factor: number) =>
      linesOf(withBars("ADA", makeBars(spreadReturns(5), wick(factor))), "range_expansion", "ADA");
    expect(at(0)).toEqual([]);
    expect(at(0.2)[0]).toMatchObject({ direction: "up", unit: "pct_of_price" });
    const flat = makeBars(spreadReturns(5), (bar, left) =>
      left === 0 ? { ...bar, high: bar.close, low: bar.close } : bar,
    );
    expect(linesOf(withBars("ADA", flat), "range_expansion", "ADA")).toEqual([]);
  });

  test("a coin with fewer values than 200 is skipped for that type and named", () => {
    const { data, warnings } = compute(withBars("LTC", makeBars(withLast(spreadReturns(3, 200), 0.5))));
    // 199 earlier returns: one too few.
    expect(data.anomalies.filter(({ symbol, type }) => symbol === "LTC" && type === "price_move")).toEqual([]);
    expect(warnings.some((text) => text.startsWith("anomalies.price_move: not looked at for LTC:"))).toBe(true);
    const enough = compute(withBars("LTC", makeBars(withLast(spreadReturns(3, 201), 0.5))));
    expect(enough.data.anomalies[0]).toMatchObject({ type: "price_move", symbol: "LTC", window_h: 1 });
  });

  test("a coin that never moves is skipped, and nothing is not a number", () => {
    const still = makeBars(
      Array.from({ length: 719 }, () => 0),
      (bar) => ({
        ...bar,
        open: 1,
        high: 1,
        low: 1,
        close: 1,
        volume: 0,
      }),
    );
    const { data, warnings } = compute(withBars("OP", still));
    expect(data.anomalies.filter(({ symbol }) => symbol === "OP")).toEqual([]);
    for (const type of ["price_move", "volume_spike", "range_expansion", "decoupling"]) {
      expect(warnings.some((text) => text.startsWith(`anomalies.${type}: not looked at for OP`))).toBe(true);
    }
    expect(Value.Check(AnomaliasSchema, data)).toBe(true);
  });

  test("one bar that is not a number silences only its coin, and is named", () => {
    const broken = makeBars(spreadReturns(19), (bar, left) =>
      left === 300 ? { ...bar, high: Number.NaN, low: Number.NaN, close: Number.NaN } : bar,
    );
    const { data, warnings } = compute(withBars("APT", broken));
    const others = compute(makeInputs()).data.anomalies.filter(({ symbol }) => symbol !== "APT");
    expect(data.anomalies.filter(({ symbol }) => symbol !== "APT")).toEqual(others);
    for (const type of ["price_move", "decoupling"]) {
      expect(warnings.some((text) => text.startsWith(`anomalies.${type}: not looked at for APT`))).toBe(true);
    }
    expect(Value.Check(AnomaliasSchema, data)).toBe(true);
    expect(JSON.stringify(data)).not.toContain('null,"unit');
  });

  test("an hour of Bitcoin's that a coin does not have yet changes nothing of what is said of the coin", () => {
    const bars = makeBars(spreadReturns(23));
    const last = bars.at(-1);
    if (!last) throw new Error("no bars");
    const later = { ...last, t_ms: UNTIL_MS, high: last.close * 2, close: last.close * 2, volume: 1e6 };
    const ofOthers = (bitcoin: readonly Bar[]) =>
      compute(withBars("BTC", bitcoin)).data.anomalies.filter(({ symbol }) => symbol !== "BTC");
    expect(ofOthers([...bars, later])).toEqual(ofOthers(bars));
    expect(ofOthers(bars).some(({ type }) => type === "decoupling")).toBe(true);
  });

  test("another price unit and another volume unit change nothing", () => {
    const returns = withLast(spreadReturns(13), 0.03);
    const scaled = makeBars(returns, (bar) => ({
      ...bar,
      open: bar.open * 1024,
      high: bar.high * 1024,
      low: bar.low * 1024,
      close: bar.close * 1024,
      volume: bar.volume / 64,
    }));
    expect(compute(withBars("UNI", scaled)).data).toEqual(compute(withBars("UNI", makeBars(returns))).data);
  });

  test("the order of the coins changes nothing", () => {
    const inputs = withBars("ARB", makeBars(withLast(spreadReturns(17), 0.05)));
    expect(compute({ ...inputs, series: inputs.series.toReversed() }).data).toEqual(compute(inputs).data);
  });
});

describe("a scan", () => {
  test("of twenty calm coins finds nothing at the default threshold, and that is an answer", () => {
    const { data } = compute(makeInputs(), 0.5);
    expect(data.anomalies).toEqual([]);
    expect(data.scanned).toEqual({ symbols: 20, tests: 99, z_tests: 99, threshold: 0.5 });
    expect(Value.Check(AnomaliasSchema, data)).toBe(true);
  });

  test("lists the most severe first, down to the threshold and never without severity", () => {
    const inputs = withBars("BTC", makeBars(withLast(calmReturns(), 0.03)));
    const severities = (threshold: number) => compute(inputs, threshold).data.anomalies.map((line) => line.severity);
    expect(severities(0.5)).toEqual([0.713, 0.6666]);
    expect(severities(0.7)).toEqual([0.713]);
    expect(severities(1)).toEqual([]);
    expect(severities(0).every((severity) => severity > 0)).toBe(true);
    expect(severities(0)).toEqual(severities(0).toSorted((a, b) => b - a));
  });

  test("expects the false alarms of the normal distribution at the threshold asked for", () => {
    const expectedAt = (threshold: number) => compute(makeInputs(), threshold).data.false_alarm_note.expected_per_scan;
    // 59 two-sided and 40 one-sided tests: 158 sides, each 1.8927e-7 beyond 3 + 3 ln 2, 0.0013499 beyond 3.
    expect(expectedAt(0.5) / (158 * 1.8927e-7)).toBeCloseTo(1, 2);
    expect(expectedAt(0) / (158 * 0.0013499)).toBeCloseTo(1, 2);
    expect(expectedAt(1)).toBe(0);
  });

  test("takes twelve coins with candles; fewer are refused uncharged", () => {
    const { series } = makeInputs();
    const failed = { ok: false, error: new Error("x") } as const;
    const keep = (count: number) => makeInputs({ series: series.map((one, index) => (index < count ? one : failed)) });
    expect(compute(keep(12)).data.scanned.symbols).toBe(12);
    expect(compute(keep(12)).warnings).toContain(
      "scanned.symbols: hourly candles of BCH, SUI, NEAR, UNI, AAVE, ARB, OP, APT could not be read",
    );
    expect(() => compute(keep(11))).toThrow(NodeError);
  });

  test("without Bitcoin's candles nothing can decouple, and that is said", () => {
    const { series } = makeInputs();
    const { data, warnings } = compute(makeInputs({ series: series.slice(1) }));
    expect(data.scanned.tests).toBe(76);
    expect(warnings).toContain("anomalies.decoupling: not looked at, it needs candles of BTC");
  });

  test("a gap between two coins' hours does not pair different hours", () => {
    const shifted = makeBars(spreadReturns(1)).map((bar) => ({ ...bar, t_ms: bar.t_ms - HOUR_MS }));
    const one = compute({
      ...makeInputs(),
      series: [...makeInputs().series.slice(0, 19), { ok: true, value: makeSeries("APT", shifted) }],
    });
    // The same returns an hour late are not a copy of Bitcoin's.
    expect(one.data.scanned.symbols).toBe(20);
    expect(one.data.anomalies.filter(({ severity }) => !Number.isFinite(severity))).toEqual([]);
  });
});
