import { describe, expect, test } from "bun:test";
import { asSold } from "../../../../test/helpers/settled.ts";
import { parkMiller } from "../../../../test/helpers/test-series.ts";
import { NodeError } from "../../../core/errors.ts";
import { type Bar, DAY_MS } from "../../../upstream/providers/bars.ts";
import type { BarSeries } from "../../../upstream/series/bar-series.ts";
import { computeFactors } from "../regimes/factors.ts";
import { replayRegimes } from "../regimes/replay.ts";
import { computeRegimeProduct as draft, rewindRegime } from "./compute.ts";
import type { RegimeProductInputs } from "./fetch.ts";
import { RegimeSchema } from "./schema.ts";
import { computeTrack } from "./track.ts";

const computeRegimeProduct = asSold(RegimeSchema, draft);

const LAST_MS = Date.UTC(2026, 8, 30);

function walk(seed: number, count: number, sigma = 0.06): Bar[] {
  const next = parkMiller(seed);
  let close = 100;
  return Array.from({ length: count }, (_, index) => {
    const open = close;
    close *= Math.exp(sigma * (next() - 0.5));
    const t_ms = LAST_MS - (count - 1 - index) * DAY_MS;
    return { t_ms, open, high: 1.01 * Math.max(open, close), low: 0.99 * Math.min(open, close), close, volume: 1 };
  });
}
const seriesOf = (bars: readonly Bar[]): BarSeries => ({
  symbol: "BTC",
  interval: "1d",
  provider: "bitstamp",
  fetched_at_ms: LAST_MS,
  bars,
});
const inputs = (change: Partial<RegimeProductInputs["market"]> = {}): RegimeProductInputs => ({
  market: {
    provider: "hyperliquid",
    bitcoin: walk(7, 1_001),
    universe: Array.from({ length: 20 }, (_, index) => walk(100 + index, 400)),
    missing: [],
    late: [],
    ...change,
  },
  years: null,
  implied: null,
});

describe("the answer", () => {
  test("too few bars of Bitcoin are an uncharged failure, not a shorter window", () => {
    const compute = () => computeRegimeProduct(inputs({ bitcoin: walk(7, 619) }));
    expect(compute).toThrow(NodeError);
  });

  test("the state, its day and what it is made of agree with each other", () => {
    const { data, as_of_ms } = computeRegimeProduct(inputs());
    expect(as_of_ms).toBe(LAST_MS + DAY_MS);
    expect(data.bar_date).toBe("2026-09-30");
    const since_ms = Date.parse(data.since);
    expect(since_ms).toBe(LAST_MS - (data.days_in_regime - 1) * DAY_MS);
    expect(data.previous?.ended ?? data.since).toBe(
      data.previous ? new Date(since_ms - DAY_MS).toISOString().slice(0, 10) : data.since,
    );
    const decimals = data.factors.map(({ value }) => String(value).split(".")[1]?.length ?? 0);
    expect(Math.max(...decimals)).toBe(4);
    expect(data.factors.reduce((sum, { weight }) => sum + (weight ?? 0), 0)).toBeCloseTo(1, 9);
  });

  test("volatility ranks within the last 365 readings, and its state follows the rank", () => {
    const calm = [
      ...walk(3, 960),
      ...walk(4, 60, 0.002).map((bar, index) => ({ ...bar, t_ms: LAST_MS - (59 - index) * DAY_MS })),
    ];
    const scaled = calm.map((bar, index) => (index < 960 ? bar : rescale(bar, (calm[959]?.close ?? 1) / 100)));
    const bars = scaled.map((bar, index) => ({ ...bar, t_ms: LAST_MS - (scaled.length - 1 - index) * DAY_MS }));
    const { data } = computeRegimeProduct(inputs({ bitcoin: bars }));
    expect(data.volatility.state).toBe("calm");
    expect(data.volatility.percentile).toBeLessThan(25);
  });

  test("implied volatility is that of the day of the bar, never of a later one", () => {
    const days = [-3, -2, -1, 0, 1].map((day) => ({ t_ms: LAST_MS + day * DAY_MS, close: 50 + day + 0.123 }));
    const dvolOf = (list: typeof days, market = inputs().market) => {
      const { data, warnings } = computeRegimeProduct({ market, years: null, implied: { ok: true, value: list } });
      return { dvol: data.volatility.dvol, warned: warnings.some((text) => text.startsWith("volatility.dvol:")) };
    };
    expect(dvolOf(days)).toEqual({ dvol: 50.12, warned: false });
    expect(dvolOf(days.slice(0, 4))).toEqual({ dvol: 50.12, warned: false });
    expect(dvolOf(days.slice(0, 3))).toEqual({ dvol: null, warned: true });
    // Days that end at another hour: the last one that had ended when the bar closed.
    const shifted = days.map(({ t_ms, close }) => ({ t_ms: t_ms + 8 * 3_600_000, close }));
    expect(dvolOf(shifted)).toEqual({ dvol: 49.12, warned: false });
    const earlier = rewindRegime({ ...inputs(), implied: { ok: true, value: days } });
    if (!earlier) throw new Error("no earlier view");
    expect(computeRegimeProduct(earlier).data.volatility.dvol).toBe(49.12);
  });

  test("a model fitted to fewer than 1,000 returns says to how many", () => {
    const warnedOf = (bars: number) =>
      computeRegimeProduct(inputs({ bitcoin: walk(7, bars) })).warnings.filter((text) =>
        text.startsWith("p_turbulent"),
      );
    expect(warnedOf(1_001)).toEqual([]);
    expect(warnedOf(1_000)).toEqual(["p_turbulent: fitted to 999 returns instead of 1,000"]);
    expect(warnedOf(719)).toEqual(["p_turbulent: fitted to 718 returns instead of 1,000"]);
  });

  test("equal returns have no model of two states: null with a warning", () => {
    const flat = walk(7, 1_001, 0);
    const { data, warnings } = computeRegimeProduct(inputs({ bitcoin: flat }));
    expect(data.p_turbulent).toBeNull();
    expect(warnings.join()).toContain("p_turbulent");
  });

  test("the view of a day earlier is what that day's bars give", () => {
    const whole = inputs();
    const earlier = rewindRegime(whole);
    if (!earlier) throw new Error("no earlier view");
    const past = computeRegimeProduct(earlier);
    expect(past.data.bar_date).toBe("2026-09-29");
    const alone = computeRegimeProduct(
      inputs({
        bitcoin: whole.market.bitcoin.slice(0, -1),
        universe: whole.market.universe.map((bars) => bars.slice(0, -1)),
      }),
    );
    expect(past.data).toEqual(alone.data);
    expect(rewindRegime(inputs({ bitcoin: walk(7, 620) }))).toBeNull();
  });
});

const rescale = (bar: Bar, unit: number): Bar => ({
  ...bar,
  open: bar.open * unit,
  high: bar.high * unit,
  low: bar.low * unit,
  close: bar.close * unit,
});

describe("the track", () => {
  test("fewer than 2,000 bars give what was measured once", () => {
    const { track, track_basis } = computeTrack(seriesOf(walk(7, 1_999)));
    expect(track_basis.source).toContain("measured once");
    expect(track.map(({ days }) => days)).toEqual([1_105, 909, 852]);
  });

  test("a second count by lists per state agrees", () => {
    const bars = walk(21, 2_200);
    const states = replayRegimes(computeFactors(bars, []));
    const returns: Record<string, number[]> = { bull: [], bear: [], chop: [] };
    for (const { t_ms, regime } of states) {
      const at = bars.findIndex((bar) => bar.t_ms === t_ms);
      const [now, later] = [bars[at], bars[at + 30]];
      if (now && later) returns[regime]?.push((100 * (later.close - now.close)) / now.close);
    }
    for (const row of computeTrack(seriesOf(bars)).track) {
      const list = (returns[row.regime] ?? []).sort((a, b) => a - b);
      expect(row.days).toBe(list.length);
      expect(row.fwd30_mean_pct).toBeCloseTo(list.reduce((sum, one) => sum + one, 0) / list.length, 2);
      expect(row.up_share_frac).toBeCloseTo(list.filter((one) => one > 0).length / list.length, 4);
      const middle = list.length / 2;
      const median = Number.isInteger(middle)
        ? ((list[middle - 1] ?? 0) + (list[middle] ?? 0)) / 2
        : (list[Math.floor(middle)] ?? 0);
      expect(row.fwd30_median_pct).toBeCloseTo(median, 2);
    }
  });

  test("a state that never was has no figures", () => {
    const flat = computeTrack(seriesOf(walk(7, 2_000, 0)));
    expect(flat.track.find(({ regime }) => regime === "bear")).toMatchObject({ days: 0, fwd30_mean_pct: null });
  });
});
