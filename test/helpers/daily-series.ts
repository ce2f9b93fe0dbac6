import type { BarSeries } from "../../src/upstream/series/bar-series.ts";
import type { TestBar } from "./test-series.ts";

const DAY_MS = 86_400_000;

/** A test series as stored daily bars whose last one opened at `last_ms`, prices times `scale`. */
export function toDailySeries(
  symbol: string,
  bars: readonly TestBar[],
  { last_ms, scale = 1 }: { readonly last_ms: number; readonly scale?: number },
): BarSeries {
  return {
    symbol,
    interval: "1d",
    provider: "hyperliquid",
    fetched_at_ms: last_ms + DAY_MS,
    bars: bars.map(({ open, high, low, close, volume }, index) => ({
      t_ms: last_ms - (bars.length - 1 - index) * DAY_MS,
      open: open * scale,
      high: high * scale,
      low: low * scale,
      close: close * scale,
      volume,
    })),
  };
}
