import type { FetchContext } from "intel-node";
import { DAILY_INSTRUMENTS, dailySeries, getObservedAt } from "intel-node/series/daily-series";
import { isShare, readShare } from "./share-series.ts";
import type { StoredMarket } from "./stored-market.ts";

/** Other markets, in the order of the answer. */
export const MACRO = ["EURUSD", "USDJPY", "GBPUSD", "USDX", "GOLD", "WTI", "NATGAS", "UST10Y", "NIKKEI"];
/** Oil comes days late; a history older than this is not current. */
const AGE_MAX_MS = 12 * 86_400_000;

const isRecent = (context: FetchContext, { instrument, points }: StoredMarket): boolean => {
  const last = points.at(-1);
  return last !== undefined && context.now_ms - getObservedAt(instrument, last[0]) <= AGE_MAX_MS;
};

/** A daily instrument, whose own calls are named as sources. */
async function readInstrument(context: FetchContext, id: string): Promise<StoredMarket | null> {
  const instrument = DAILY_INSTRUMENTS.find((one) => one.id === id);
  const sample = instrument && (await dailySeries.newest(context, { of: id }));
  if (!instrument || !sample || !isRecent(context, { instrument, points: sample.value })) return null;
  const key = instrument.provider === "ecb" ? "/EXR/" : instrument.code;
  for (const source of sample.sources) {
    if (source.provider === instrument.provider && source.url.includes(key)) context.cite(source);
  }
  return { instrument, points: sample.value };
}

/**
 * The stored history of a market, named as a source; null without a recent one.
 * @throws NodeError subject_not_found for a share this node keeps no closes of.
 */
export async function readMacro(context: FetchContext, id: string): Promise<StoredMarket | null> {
  if (!isShare(id)) return readInstrument(context, id);
  const share = await readShare(context, id);
  return share && isRecent(context, share) ? share : null;
}
