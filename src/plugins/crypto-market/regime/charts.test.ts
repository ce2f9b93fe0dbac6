import { describe, expect, test } from "bun:test";
import { parkMiller } from "../../../../test/helpers/test-series.ts";
import { parseCharts, type TimeChart } from "../../../catalog/chart.ts";
import { type Bar, DAY_MS } from "../../../upstream/providers/bars.ts";
import { computeRegime } from "../regimes/compute.ts";
import { drawRegime } from "./charts.ts";

const LAST_MS = Date.UTC(2026, 8, 30);
const walk = (seed: number, count: number): Bar[] => {
  const next = parkMiller(seed);
  let close = 50_000;
  return Array.from({ length: count }, (_, index) => {
    const open = close;
    // Long swings, so that states change.
    close *= Math.exp(0.02 * Math.sin(index / 25) + 0.03 * (next() - 0.5));
    const t_ms = LAST_MS - (count - 1 - index) * DAY_MS;
    return { t_ms, open, high: 1.01 * Math.max(open, close), low: 0.99 * Math.min(open, close), close, volume: 1 };
  });
};
const market = {
  provider: "venue-a",
  bitcoin: walk(1, 700),
  universe: Array.from({ length: 14 }, (_, index) => walk(10 + index, 420)),
};
const draw = (inputs: Parameters<typeof drawRegime>[0]): TimeChart => {
  const [chart] = parseCharts(drawRegime(inputs));
  if (chart?.kind !== "time") throw new Error("no chart over time");
  return chart;
};

describe("the chart of the regime", () => {
  const chart = draw(market);
  const reading = computeRegime(market);
  const bands = chart.bands ?? [];

  test("shows the closes the state was computed from, and whose they are", () => {
    const [line] = chart.lines;
    expect(line?.points).toHaveLength(200);
    expect(line?.points.at(-1)?.[0]).toBe(LAST_MS);
    expect(line?.points.at(-1)?.[1]).toBeCloseTo(market.bitcoin.at(-1)?.close ?? 0, 0);
    expect(chart.about).toContain("venue-a");
  });

  test("covers every day with the state the product says, and changes where it does", () => {
    expect(bands.length).toBeGreaterThan(2);
    for (const [index, band] of bands.slice(1).entries()) {
      expect(band.from_ms).toBe(bands[index]?.to_ms ?? 0);
      expect(band.name).not.toBe(bands[index]?.name ?? "");
    }
    for (const { t_ms, regime } of reading?.days ?? []) {
      expect(bands.find(({ from_ms, to_ms }) => from_ms <= t_ms && t_ms < to_ms)?.name).toBe(regime);
    }
    expect(bands.at(-1)?.name).toBe(reading?.regime ?? "");
    expect(bands.at(-1)?.from_ms).toBe((reading?.since_ms ?? 0) - DAY_MS / 2);
  });

  test("of yesterday has nothing of today", () => {
    const cut = (bars: readonly Bar[]) => bars.slice(0, -1);
    const before = draw({ ...market, bitcoin: cut(market.bitcoin), universe: market.universe.map(cut) });
    expect(before.lines[0]?.points.at(-1)?.[0]).toBe(LAST_MS - DAY_MS);
    expect(before.bands?.at(-1)?.to_ms).toBe(LAST_MS - DAY_MS / 2);
  });

  test("is absent with too few bars", () => {
    expect(drawRegime({ ...market, bitcoin: market.bitcoin.slice(-600) })).toEqual([]);
  });
});
