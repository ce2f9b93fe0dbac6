import { Type } from "@sinclair/typebox";
import { toInstant } from "../../calendars/zone-time.ts";
import { defineSeries, type SeriesSample } from "../../catalog/series.ts";

/** Local time of the zone at which a day's value is observed. */
interface ObservedAt {
  readonly zone: string;
  readonly time: string;
}

/** A daily series of the world outside crypto. */
export interface DailyInstrument {
  readonly id: string;
  readonly title: string;
  readonly provider: "ecb" | "fred" | "kraken";
  /** The provider's name for it: a currency pair in ECB codes, a FRED series, a Kraken base. */
  readonly code: string;
  /** Measure of moves: log returns, or differences in basis points for yields in percent. */
  readonly move: "log" | "bp";
  readonly observed: ObservedAt;
  /** Whether it is a proxy for something else, such as a gold token for gold. */
  readonly is_proxy: boolean;
}

const FRANKFURT: ObservedAt = { zone: "Europe/Berlin", time: "14:15" };
const NEW_YORK_BONDS: ObservedAt = { zone: "America/New_York", time: "15:30" };
const NEW_YORK_OIL: ObservedAt = { zone: "America/New_York", time: "14:30" };

const fx = (id: string): DailyInstrument => ({
  id,
  title: `${id.slice(0, 3)}/${id.slice(3)}`,
  provider: "ecb",
  code: id,
  move: "log",
  observed: FRANKFURT,
  is_proxy: false,
});
const yieldOf = (id: string, code: string, title: string): DailyInstrument => ({
  id,
  title,
  provider: "fred",
  code,
  move: "bp",
  observed: NEW_YORK_BONDS,
  is_proxy: false,
});
const oil = (id: string, code: string, title: string): DailyInstrument => ({
  id,
  title,
  provider: "fred",
  code,
  move: "log",
  observed: NEW_YORK_OIL,
  is_proxy: false,
});

/** Observation times are part of the data, because they decide what is before and after an event. */
export const DAILY_INSTRUMENTS: readonly DailyInstrument[] = [
  ...["EURUSD", "GBPUSD", "USDJPY", "USDCHF", "AUDUSD", "USDCAD", "USDSEK", "USDCNY", "USDBRL", "USDMXN"].map(fx),
  { ...fx("USDX"), title: "US dollar index, computed from ECB rates, not the ICE index" },
  yieldOf("UST2Y", "DGS2", "US Treasury par yield, 2 years"),
  yieldOf("UST10Y", "DGS10", "US Treasury par yield, 10 years"),
  yieldOf("UST30Y", "DGS30", "US Treasury par yield, 30 years"),
  oil("WTI", "DCOILWTICO", "Crude oil WTI, spot"),
  oil("BRENT", "DCOILBRENTEU", "Crude oil Brent, spot"),
  oil("NATGAS", "DHHNGSP", "Natural gas Henry Hub, spot"),
  {
    id: "NIKKEI",
    title: "Nikkei 225",
    provider: "fred",
    code: "NIKKEI225",
    move: "log",
    is_proxy: false,
    observed: { zone: "Asia/Tokyo", time: "15:30" },
  },
  {
    id: "GOLD",
    title: "Gold, by the token PAXG",
    provider: "kraken",
    code: "PAXG",
    move: "log",
    is_proxy: true,
    observed: { zone: "UTC", time: "24:00" },
  },
];

/** A day and its value. */
export type DailyPoint = [date: string, value: number];

/** Each instrument's whole history as last read, replaced by every run of the job `daily-series`. */
export const dailySeries = defineSeries({
  name: "macro/daily",
  value: Type.Array(Type.Tuple([Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" }), Type.Number()]), { minItems: 1 }),
  keep: "newest",
  storage: "disposable",
  cited: true,
});

export type StoredDaily = SeriesSample<readonly DailyPoint[]>;

/** The time at which a day's value was observed, ms UTC. */
export function getObservedAt({ observed: { zone, time } }: Pick<DailyInstrument, "observed">, date: string): number {
  return time === "24:00" ? Date.parse(date) + 86_400_000 : toInstant(zone, date, time);
}
