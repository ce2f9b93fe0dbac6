import type { SimulatedWorld } from "../../catalog/simulator.ts";

/** A bar at the world's own prices, before a venue's offset. */
export interface OwnBar {
  readonly open: number;
  /** Highest and lowest of the prices that were looked at. */
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** How far the wicks stand out of them, as factors. */
  readonly above: number;
  readonly below: number;
  /** In the base asset; always above 0. */
  readonly volume: number;
}

const SAMPLES = 8;
const WICK_RATIO_MAX = 0.001;

/** Reads a bar off the world's price curve. `end_ms`: now, for a bar that is still open. */
export function readOwnBar(
  world: SimulatedWorld,
  {
    symbol,
    step_ms,
    t_ms,
    end_ms,
  }: { readonly symbol: string; readonly step_ms: number; readonly t_ms: number; readonly end_ms: number },
): OwnBar {
  const open = world.price(symbol, t_ms);
  let [high, low, close] = [open, open, open];
  for (let sample = 1; sample <= SAMPLES; sample += 1) {
    close = world.price(symbol, t_ms + ((end_ms - t_ms) * sample) / SAMPLES);
    high = Math.max(high, close);
    low = Math.min(low, close);
  }
  const key = `${symbol} ${step_ms} ${t_ms}`;
  return {
    open,
    high,
    low,
    close,
    above: 1 + WICK_RATIO_MAX * world.noise(`high ${key}`),
    below: 1 - WICK_RATIO_MAX * world.noise(`low ${key}`),
    volume: (100 + 900 * world.noise(`bar ${key}`)) * (step_ms / 3_600_000),
  };
}

/** Closed bars of one symbol and length. */
export interface SimulatedBarSeries {
  /** The bar that opened then; it is read if it is not kept. */
  get(t_ms: number, read: () => OwnBar): OwnBar;
}

/** Of one market, some 3 MB; the series that was asked for longest ago goes first. */
const BARS_KEPT_MAX = 25_000;

interface KeptBars {
  readonly series: Map<string, Map<number, OwnBar>>;
  size: number;
}
const markets = new WeakMap<object, KeptBars>();

/** Bars that have closed stay as they are, and the same ones are asked for over and over: they are kept. */
export function openBarSeries(market: object, name: string): SimulatedBarSeries {
  const kept = markets.get(market) ?? { series: new Map(), size: 0 };
  markets.set(market, kept);
  const bars = kept.series.get(name) ?? new Map<number, OwnBar>();
  kept.series.delete(name);
  kept.series.set(name, bars);
  return {
    get(t_ms, read) {
      const known = bars.get(t_ms);
      if (known) return known;
      if (kept.size >= BARS_KEPT_MAX) dropOldest(kept);
      const bar = read();
      bars.set(t_ms, bar);
      kept.size += 1;
      return bar;
    },
  };
}

/** One whole series goes; one that is larger than all room begins anew. */
function dropOldest(kept: KeptBars): void {
  for (const bars of kept.series.values()) {
    if (bars.size === 0) continue;
    kept.size -= bars.size;
    bars.clear();
    return;
  }
}
