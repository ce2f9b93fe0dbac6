import { UpstreamError } from "../../src/core/errors.ts";
import type { AnomaliasInputs } from "../../src/plugins/crypto-market/anomalias/fetch.ts";
import { UNIVERSE_20 } from "../../src/plugins/crypto-market/universe/universe.ts";
import type { Bar } from "../../src/upstream/providers/bars.ts";
import type { BarSeries } from "../../src/upstream/series/bar-series.ts";
import { parkMiller } from "./test-series.ts";

/** A whole hour. */
export const UNTIL_MS = Date.UTC(2026, 9, 1, 12);
const HOUR_MS = 3_600_000;

/** Bars whose closes have these returns, a narrow and steady range and a steady volume. */
export function makeBars(returns: readonly number[], change: (bar: Bar, left: number) => Bar = (bar) => bar): Bar[] {
  const closes = [100];
  for (const one of returns) closes.push((closes.at(-1) ?? 0) * Math.exp(one));
  return closes.map((close, index) => {
    const open = closes[index - 1] ?? close;
    const left = closes.length - 1 - index;
    const wick = 1 + 0.001 * (1 + ((5 * index) % 7));
    return change(
      {
        t_ms: UNTIL_MS - (left + 1) * HOUR_MS,
        open,
        high: Math.max(open, close) * wick,
        low: Math.min(open, close) / wick,
        close,
        volume: 1_000 + 10 * ((3 * index) % 13),
      },
      left,
    );
  });
}

/** The returns of the published vector, again and again: median 0, median absolute deviation 0.003. */
export const calmReturns = (count = 719): number[] =>
  Array.from({ length: count }, (_, k) => 0.001 * (((7 * k) % 11) - 5));

/** Evenly spread returns, no two coins alike. */
export function spreadReturns(seed: number, count = 719): number[] {
  const next = parkMiller(seed);
  return Array.from({ length: count }, () => 0.01 * (next() - 0.5));
}

export const makeSeries = (symbol: string, bars: readonly Bar[]): BarSeries => ({
  symbol,
  interval: "1h",
  provider: "hyperliquid",
  fetched_at_ms: UNTIL_MS,
  bars,
});

const FAILED = { ok: false, error: new UpstreamError("upstream_timeout", "x", "secret words") } as const;

/** Twenty calm coins and nothing else to look at. */
export function makeInputs(change: Partial<AnomaliasInputs> = {}): AnomaliasInputs {
  return {
    read_at_ms: UNTIL_MS + 60_000,
    series: UNIVERSE_20.map((symbol, shift) => ({
      ok: true,
      value: makeSeries(symbol, makeBars(spreadReturns(shift + 1))),
    })),
    funding: FAILED,
    predicted: FAILED,
    interest: { by_symbol: new Map(), fetched_at_ms: null },
    stables: { USDC: FAILED, USDT: FAILED },
    consensus: [],
    fees: FAILED,
    ...change,
  };
}

/** The same with one coin's bars replaced. */
export const withBars = (symbol: string, bars: readonly Bar[], inputs = makeInputs()): AnomaliasInputs => ({
  ...inputs,
  series: inputs.series.map((one) =>
    one.ok && one.value.symbol === symbol ? { ok: true, value: makeSeries(symbol, bars) } : one,
  ),
});
