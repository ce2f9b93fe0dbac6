import type { JobContext } from "intel-node";
import { fetchReferenceRates, type ReferenceRate } from "intel-node/providers/ecb/reference-rates";
import { type FredId, fetchFredSeries } from "intel-node/providers/fred/series";
import { fetchKrakenBars, KRAKEN_BARS_MAX } from "intel-node/providers/kraken/candles";
import type { DailyInstrument, DailyPoint } from "intel-node/series/daily-series";
import { computeUSDX } from "./usdx.ts";

/** The first year of the event studies. */
const SINCE = "2013-01-01";

type Rates = ReadonlyMap<string, number>;
const toMap = (rates: readonly ReferenceRate[] = []): Rates => new Map(rates.map(({ date, rate }) => [date, rate]));

/** Units of `to` for one `from`, on every day both were fixed against the euro. */
function cross(from: Rates | null, to: Rates | null): DailyPoint[] {
  const days = from ?? to ?? new Map<string, number>();
  return [...days.keys()].flatMap((date): DailyPoint[] => {
    const [a, b] = [from ? from.get(date) : 1, to ? to.get(date) : 1];
    return a === undefined || b === undefined ? [] : [[date, b / a]];
  });
}

/** Every currency once, in one call: crosses of the same fix are of the same minute. */
async function fetchCrosses(context: JobContext, ids: readonly string[]): Promise<ReadonlyMap<string, DailyPoint[]>> {
  const currencies = [...new Set(ids.flatMap((id) => [id.slice(0, 3), id.slice(3)]))].filter((code) => code !== "EUR");
  const rates = await fetchReferenceRates(context, { currencies, since: SINCE, ttl_ms: 0 });
  const find = (code: string): Rates | null => (code === "EUR" ? null : toMap(rates.get(code)));
  const crosses = new Map(ids.map((id) => [id, cross(find(id.slice(0, 3)), find(id.slice(3)))]));
  const by_date = new Map([...crosses].map(([id, points]) => [id, new Map(points)]));
  const on = (id: string, date: string): number => by_date.get(id)?.get(date) ?? Number.NaN;
  const index = (crosses.get("EURUSD") ?? []).flatMap(([date, EURUSD]): DailyPoint[] => {
    const value = computeUSDX({
      EURUSD,
      USDJPY: on("USDJPY", date),
      GBPUSD: on("GBPUSD", date),
      USDCAD: on("USDCAD", date),
      USDSEK: on("USDSEK", date),
      USDCHF: on("USDCHF", date),
    });
    return Number.isFinite(value) ? [[date, value]] : [];
  });
  return new Map([...crosses, ["USDX", index]]);
}

/** Histories by instrument; unavailable ones are missing. */
export async function fetchDailyHistories(
  context: JobContext,
  instruments: readonly DailyInstrument[],
  keep: (id: string, points: readonly DailyPoint[]) => Promise<void>,
): Promise<readonly unknown[]> {
  const failures: unknown[] = [];
  const attempt = async (run: () => Promise<void>): Promise<void> => {
    await run().catch((error: unknown) => failures.push(error));
  };
  const pairs = instruments.filter(({ provider, id }) => provider === "ecb" && id !== "USDX").map(({ id }) => id);
  await attempt(async () => {
    for (const [id, points] of await fetchCrosses(context, pairs)) await keep(id, points);
  });
  for (const { id, provider, code } of instruments) {
    if (provider === "fred") {
      await attempt(async () => {
        const rows = await fetchFredSeries(context, { id: code as FredId, since: SINCE, ttl_ms: 0 });
        await keep(
          id,
          rows.map(({ date, value }): DailyPoint => [date, value]),
        );
      });
    }
    if (provider === "kraken") {
      await attempt(async () => {
        const bars = await fetchKrakenBars(context, { base: code, interval: "1d", count: KRAKEN_BARS_MAX });
        const dateOf = (t_ms: number): string => new Date(t_ms).toISOString().slice(0, 10);
        await keep(
          id,
          bars.map(({ t_ms, close }): DailyPoint => [dateOf(t_ms), close]),
        );
      });
    }
  }
  return failures;
}
