import { Type } from "@sinclair/typebox";
import { addDays, citeSample, type FetchContext, NodeError, outcomeOf } from "intel-node";
import {
  DAILY_INSTRUMENTS,
  type DailyPoint,
  dailySeries,
  getObservedAt,
  type StoredDaily,
} from "intel-node/series/daily-series";
import type { EventCounts } from "../providers/gdelt-events/event-file.ts";
import { advisoryLevels, advisoryPages, eventSlots, geoScores, newestEvents } from "../theatres/geo-series.ts";

export interface DatedCounts {
  readonly at_ms: number;
  readonly counts: EventCounts;
}
export interface DatedLevels {
  readonly date: string;
  readonly levels: Readonly<Record<string, number>>;
}
export interface MarketSeries {
  readonly id: string;
  readonly points: readonly { readonly at_ms: number; readonly value: number }[];
}
export interface GeoInputs {
  readonly slots: readonly DatedCounts[];
  readonly newest: DatedCounts;
  /** One a day, oldest first. */
  readonly advisories: readonly DatedLevels[];
  readonly advisories_at_ms: number | null;
  readonly pages: Readonly<Record<string, string>>;
  readonly markets: readonly MarketSeries[];
  /** This node's scores at the ends of days, oldest first. */
  readonly scores: readonly { readonly at_ms: number; readonly score: number }[];
  readonly headlines: readonly { readonly title: string; readonly url: string }[];
  readonly read_at_ms: number;
  readonly warnings: readonly string[];
}

/** Instruments of the market component, and one more of the backward look. */
const MARKETS = ["GOLD", "BRENT", "USDJPY", "USDCHF"] as const;
const MARKET_AGE_DAYS_MAX = 12;
const HOUR_MS = 3_600_000;
/** A silent press does not mean calm. */
const NEWEST_AGE_MAX_MS = 6 * HOUR_MS;
const Headlines = Type.Object({ items: Type.Array(Type.Object({ title: Type.String(), url: Type.String() })) });

async function readMarket(context: FetchContext, id: string): Promise<MarketSeries | null> {
  const one = DAILY_INSTRUMENTS.find((instrument) => instrument.id === id);
  const sample: StoredDaily | null = one ? await dailySeries.newest(context, { of: id }) : null;
  const last: DailyPoint | undefined = sample?.value.at(-1);
  const oldest = addDays(new Date(context.now_ms).toISOString().slice(0, 10), -MARKET_AGE_DAYS_MAX);
  if (!one || !sample || !last || last[0] < oldest) return null;
  // A run reads many series: the calls that name this one are its sources.
  const key = one.provider === "ecb" ? "/EXR/" : one.code;
  for (const source of sample.sources) if (source.url.includes(key)) context.cite(source);
  return { id, points: sample.value.map(([date, value]) => ({ at_ms: getObservedAt(one, date), value })) };
}

/**
 * Stored counts, levels, prices and scores; of others only /ai-news is asked, for headlines.
 * @throws NodeError when the newest file is older than 6 hours.
 */
export async function fetchGeoAlpha(context: FetchContext): Promise<GeoInputs> {
  const newest = await newestEvents.newest(context);
  if (!newest || context.now_ms - newest.at_ms > NEWEST_AGE_MAX_MS) {
    const message = "The newest event file is older than 6 hours, or there is none yet. Nothing was charged.";
    throw new NodeError("upstream_unavailable", message, { retry_after_s: 900 });
  }
  const [slots, advisories, pages, markets, scores, news] = await Promise.all([
    eventSlots.read(context, { last: "63d" }),
    advisoryLevels.read(context, { last: "400d" }),
    advisoryPages.newest(context),
    Promise.all(MARKETS.map((id) => readMarket(context, id))),
    geoScores.read(context, { last: "4000d" }),
    outcomeOf(context.ask("/ai-news", { topic: "geo", limit: 25 }, Headlines)),
  ]);
  citeSample(context, newest);
  const levels = advisories.at(-1);
  if (levels) citeSample(context, levels);
  return {
    slots: slots.map(({ at_ms, value }) => ({ at_ms, counts: value })),
    newest: { at_ms: newest.at_ms, counts: newest.value },
    advisories: advisories.map(({ at_ms, value }) => ({
      date: new Date(at_ms).toISOString().slice(0, 10),
      levels: value,
    })),
    advisories_at_ms: levels?.at_ms ?? null,
    pages: pages?.value ?? {},
    markets: markets.flatMap((market) => market ?? []),
    scores: scores.map(({ at_ms, value }) => ({ at_ms, score: value })),
    headlines: news.ok ? news.value.data.items : [],
    read_at_ms: context.now_ms,
    warnings: news.ok ? [] : ["regions: without headlines, the news could not be read"],
  };
}
