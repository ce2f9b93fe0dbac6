import { type FetchContext, NodeError } from "intel-node";
import { citeBars, readBars } from "intel-node/series/bar-series";
import { DAILY_INSTRUMENTS, type DailyInstrument, dailySeries, getObservedAt } from "intel-node/series/daily-series";
import { readReleases } from "../releases/release-dates.ts";
import { type DatedEvent, type EventId, getEvent, listEvents } from "./events.ts";
import type { MarketMove, StudyObservation } from "./study.ts";

/** Instruments that are studied, in the order of the answer. */
const STUDIED = ["EURUSD", "USDJPY", "USDX", "UST2Y", "UST10Y", "WTI", "GOLD"];
const COINS = ["BTC", "ETH"] as const;
const DAY_MS = 86_400_000;
/** Oil comes days late; a history older than this is not current. */
const AGE_MAX_MS = 12 * DAY_MS;
const ASSETS_MIN = 2;
/** The greatest length of a coin's stored history, and the least that is usable. */
const BARS = { count: 3_600, count_min: 400 };

export interface StudiedSeries {
  readonly id: string;
  readonly title: string;
  readonly provider: string;
  readonly is_proxy: boolean;
  readonly move: MarketMove;
  readonly points: readonly StudyObservation[];
  readonly last_day: string;
}

export interface EventPlaybookInputs {
  /** Days of the event that are known, those to come too, oldest first. */
  readonly events: readonly DatedEvent[];
  readonly series: readonly StudiedSeries[];
  readonly warnings: readonly string[];
}

async function readInstrument(context: FetchContext, one: DailyInstrument): Promise<StudiedSeries | null> {
  const sample = await dailySeries.newest(context, { of: one.id });
  const last = sample?.value.at(-1);
  if (!sample || !last || context.now_ms - getObservedAt(one, last[0]) > AGE_MAX_MS) return null;
  for (const source of sample.sources)
    if (source.provider === one.provider && source.url.includes(keyOf(one))) context.cite(source);
  const points = sample.value.map(([date, value]) => ({ at_ms: getObservedAt(one, date), value }));
  const { id, title, provider, is_proxy, move } = one;
  return { id, title, provider, is_proxy, move, last_day: last[0], points };
}
/** Identifies the call of one instrument. */
const keyOf = ({ provider, code }: DailyInstrument): string => (provider === "ecb" ? "/EXR/" : code);

async function readCoin(context: FetchContext, symbol: string): Promise<StudiedSeries | null> {
  const series = await readBars(context, { symbol, interval: "1d", ...BARS, grace: true });
  const last = series?.bars.at(-1);
  if (!series || !last) return null;
  citeBars(context, [series]);
  return {
    id: symbol,
    title: `${symbol}, closes of 00:00 UTC`,
    provider: series.provider,
    is_proxy: false,
    move: "log",
    points: series.bars.map(({ t_ms, close }) => ({ at_ms: t_ms + DAY_MS, value: close })),
    last_day: new Date(last.t_ms).toISOString().slice(0, 10),
  };
}

/**
 * Stored histories; nobody is called.
 * @throws NodeError when fewer than two instruments have one.
 */
export async function fetchEventPlaybook(context: FetchContext, event: EventId): Promise<EventPlaybookInputs> {
  const instruments = STUDIED.flatMap((id) => DAILY_INSTRUMENTS.find((one) => one.id === id) ?? []);
  const [stored, daily, coins] = await Promise.all([
    readReleases(context, getEvent(event).kind),
    Promise.all(instruments.map(async (one) => ({ id: one.id, series: await readInstrument(context, one) }))),
    Promise.all(COINS.map(async (id) => ({ id, series: await readCoin(context, id) }))),
  ]);
  const all = [...daily, ...coins];
  const series = all.flatMap((one) => one.series ?? []);
  if (series.length < ASSETS_MIN) {
    const message = "The histories this study needs are not stored yet. Nothing was charged.";
    throw new NodeError("upstream_unavailable", message, { retry_after_s: 600 });
  }
  return {
    events: listEvents(event, stored, context.now_ms),
    series,
    warnings: all.flatMap((one) => (one.series ? [] : [`assets: ${one.id} is left out, its history is not at hand`])),
  };
}
