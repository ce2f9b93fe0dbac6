import type { FetchContext } from "intel-node";
import {
  DAILY_INSTRUMENTS,
  type DailyInstrument,
  type DailyPoint,
  dailySeries,
  getObservedAt,
} from "intel-node/series/daily-series";

/** A history of another market as stored. */
export interface StoredInstrument {
  readonly instrument: DailyInstrument;
  readonly points: readonly DailyPoint[];
}

/** Other markets, in the order of the answer. */
export const MACRO = ["EURUSD", "USDJPY", "GBPUSD", "USDX", "GOLD", "WTI", "NATGAS", "UST10Y", "NIKKEI"];
/** Oil comes days late; what is older than this is no history of today. */
const AGE_MAX_MS = 12 * 86_400_000;

/** The stored history of an instrument, named as a source; null when there is none that is recent. */
export async function readMacro(context: FetchContext, id: string): Promise<StoredInstrument | null> {
  const instrument = DAILY_INSTRUMENTS.find((one) => one.id === id);
  const sample = instrument && (await dailySeries.newest(context, { of: id }));
  const last = sample?.value.at(-1);
  if (!instrument || !sample || !last) return null;
  if (context.now_ms - getObservedAt(instrument, last[0]) > AGE_MAX_MS) return null;
  const key = instrument.provider === "ecb" ? "/EXR/" : instrument.code;
  for (const source of sample.sources) {
    if (source.provider === instrument.provider && source.url.includes(key)) context.cite(source);
  }
  return { instrument, points: sample.value };
}
