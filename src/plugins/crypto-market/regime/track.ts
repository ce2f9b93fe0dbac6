import { median } from "intel-node/quant/stats";
import type { BarSeries } from "intel-node/series/bar-series";
import { computeFactors } from "../regimes/factors.ts";
import { REGIMES, replayRegimes } from "../regimes/replay.ts";
import type { RegimeData } from "./schema.ts";

type Track = Pick<RegimeData, "track" | "track_basis">;

/** Days over which the return after a state is measured. */
const FORWARD_DAYS = 30;
/** A shorter past says little about three states. */
export const TRACK_BARS_MIN = 2_000;
export const TRACK_BARS_MAX = 3_600;

/** What the method gave on Binance's daily closes of 2018-09 to 2026-07, for nodes without years of bars stored. */
const MEASURED: Track = {
  track: [
    { regime: "bull", days: 1_105, fwd30_mean_pct: 6.8, fwd30_median_pct: 1.5, up_share_frac: 0.53 },
    { regime: "bear", days: 909, fwd30_mean_pct: 1.9, fwd30_median_pct: 1.5, up_share_frac: 0.55 },
    { regime: "chop", days: 852, fwd30_mean_pct: 3.5, fwd30_median_pct: 2.6, up_share_frac: 0.56 },
  ],
  track_basis: {
    source: "Binance BTC/USDT, measured once",
    from: "2018-09-01",
    to: "2026-07-31",
    breadth: "the 3 to 11 larger coins that traded at the time",
  },
};

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/**
 * How Bitcoin did in the 30 days after each day of each state, over all the years the node has stored; the state of a
 * day is known at its close, and the return runs from that close. The replay runs through from the first day that has
 * all factors. Years of bars of all coins do not exist, so breadth has no weight in it. Falls back to what was
 * measured once when there are fewer than 2,000 bars.
 */
export function computeTrack(series: BarSeries | null): Track {
  if (!series || series.bars.length < TRACK_BARS_MIN) return MEASURED;
  const { bars, provider } = series;
  const days = replayRegimes(computeFactors(bars, []));
  const skipped = bars.length - days.length;
  const known = days.slice(0, -FORWARD_DAYS).map(({ regime }, index) => {
    const [close, later] = [bars[skipped + index]?.close, bars[skipped + index + FORWARD_DAYS]?.close];
    return { regime, forward_pct: close && later ? (later / close - 1) * 100 : Number.NaN };
  });
  const [first, last] = [days[0], days[known.length - 1]];
  if (!first || !last) return MEASURED;
  return {
    track: REGIMES.map((regime) => {
      const forward = known.filter((day) => day.regime === regime).map(({ forward_pct }) => forward_pct);
      if (forward.length === 0) {
        return { regime, days: 0, fwd30_mean_pct: null, fwd30_median_pct: null, up_share_frac: null };
      }
      return {
        regime,
        days: forward.length,
        fwd30_mean_pct: meanOf(forward),
        fwd30_median_pct: median(forward) ?? Number.NaN,
        up_share_frac: forward.filter((value) => value > 0).length / forward.length,
      };
    }),
    track_basis: {
      source: `${provider} BTC/USD, stored by this node`,
      from: dateOf(first.t_ms),
      to: dateOf(last.t_ms),
      breadth: "left out, the other weights scaled to 1",
    },
  };
}
