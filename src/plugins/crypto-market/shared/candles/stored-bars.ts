import { Type } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import type { FetchContext, History, WritableHistory } from "../../../../catalog/context.ts";
import { renderTime } from "../../../../core/clock.ts";
import { type Bar, DAY_MS, getLastClosedDay } from "../../../../upstream/providers/bars.ts";
import { CANDLE_VENUES } from "../../../../upstream/providers/candle-venues.ts";

/** Closed daily bars of one symbol, all of one provider and without a gap, oldest first. */
export interface StoredBars {
  readonly symbol: string;
  readonly provider: string;
  readonly fetched_at_ms: number;
  readonly bars: readonly Bar[];
}

/**
 * The job writes a window right after midnight; until then yesterday's is the newest there can be.
 */
const GRACE_MS = 3_600_000;
const KEPT_MS = 8 * DAY_MS;
const BARS_MAX = 2_000;

const Price = Type.Number({ exclusiveMinimum: 0 });
/** Opening time (ms), open, high, low, close, volume: arrays, because a window holds hundreds. */
const Row = Type.Tuple([Type.Integer(), Price, Price, Price, Price, Type.Number({ minimum: 0 })]);
const Window = TypeCompiler.Compile(
  Type.Object({
    provider: Type.String(),
    fetched_at_ms: Type.Integer(),
    bars: Type.Array(Row, { minItems: 1, maxItems: BARS_MAX }),
  }),
);

const seriesOf = (symbol: string): string => `crypto-market/candles-1d/${symbol}`;

/**
 * Stores a window as one observation at the close of its last bar. A window replaces the earlier ones as a whole, so
 * that bars of two providers never stand side by side.
 */
export function writeDailyBars(history: WritableHistory, { symbol, provider, fetched_at_ms, bars }: StoredBars): void {
  const last = bars.at(-1);
  if (!last) throw new RangeError(`no bars of ${symbol}`);
  const rows = bars.map((bar) => [bar.t_ms, bar.open, bar.high, bar.low, bar.close, bar.volume]);
  const at_ms = last.t_ms + DAY_MS;
  history.write(seriesOf(symbol), [{ at_ms, value: { provider, fetched_at_ms, bars: rows } }]);
  history.prune(seriesOf(symbol), at_ms - KEPT_MS);
}

/**
 * The newest stored window, or null when there is none, when it lacks the newest bar, or when the configuration no
 * longer allows its provider. With `grace`, the newest bar may be missing in the first hour of a day.
 */
export function readDailyBars(
  context: { readonly history: History } & Pick<FetchContext, "now_ms" | "usable">,
  symbol: string,
  { grace }: { grace: boolean },
): StoredBars | null {
  const [observation] = context.history.read(seriesOf(symbol), { until_ms: context.now_ms, limit: 1 });
  if (!observation || !Window.Check(observation.value)) return null;
  const { provider, fetched_at_ms, bars } = observation.value;
  const expected_ms = getLastClosedDay(context.now_ms - (grace ? GRACE_MS : 0));
  if ((bars.at(-1)?.[0] ?? 0) < expected_ms) return null;
  const venue = CANDLE_VENUES.find((one) => one.provider.id === provider);
  if (!venue || !context.usable(venue.provider)) return null;
  return {
    symbol,
    provider,
    fetched_at_ms,
    bars: bars.map(([t_ms, open, high, low, close, volume]) => ({ t_ms, open, high, low, close, volume })),
  };
}

/** Names the venues that stored windows came from, each once, with the time of its oldest window. */
export function citeDailyBars(context: Pick<FetchContext, "cite">, windows: readonly StoredBars[]): void {
  for (const { provider, path } of CANDLE_VENUES) {
    const times = windows.filter((one) => one.provider === provider.id).map((one) => one.fetched_at_ms);
    if (times.length === 0) continue;
    const url = `${provider.base_urls[0]}${path}`;
    context.cite({ provider: provider.id, url, fetched_at: renderTime(Math.min(...times)), ok: true });
  }
}
