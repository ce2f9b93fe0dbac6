import type { JobContext } from "../../../catalog/context.ts";
import { firstAvailable } from "../../../catalog/failover.ts";
import { defineJob } from "../../../catalog/plugin.ts";
import { CANDLE_VENUES } from "../../../upstream/providers/candle-venues.ts";
import { readDailyBars, type StoredBars, writeDailyBars } from "../shared/candles/stored-bars.ts";
import { UNIVERSE_20 } from "../shared/universe.ts";

/**
 * Windows to try, longest first. A year of ranks of a one-year maximum takes 729 bars; a year of ranks of a 90-day mean
 * takes 454.
 */
const BITCOIN_BARS = [740, 460];
const OTHER_BARS = [400, 100];

/**
 * One window of a symbol from the first venue that has all of it.
 * @throws NodeError when no venue has even the shortest window.
 */
function fetchWindow(context: JobContext, symbol: string): Promise<StoredBars> {
  const attempts = (symbol === "BTC" ? BITCOIN_BARS : OTHER_BARS).flatMap((count) =>
    CANDLE_VENUES.filter((venue) => venue.bars_max >= count).map(({ provider, fetchDailyBars }) => ({
      provider,
      run: async () => ({
        symbol,
        provider: provider.id,
        fetched_at_ms: context.now_ms,
        bars: await fetchDailyBars(context, symbol, count),
      }),
    })),
  );
  return firstAvailable(context, `daily bars of ${symbol}`, attempts);
}

/**
 * Stores the daily bars of the universe right after midnight. It runs every hour because what failed then is tried
 * again: symbols whose window is complete are not asked for twice.
 */
export const job = defineJob({
  id: "candles-1d",
  schedule: "3 * * * *",
  providers: CANDLE_VENUES.map(({ provider }) => provider),
  at_start: true,
  deadline_ms: 300_000,
  async run(context) {
    const failed: string[] = [];
    let cause: unknown;
    for (const symbol of UNIVERSE_20) {
      if (readDailyBars(context, symbol, { grace: false })) continue;
      try {
        writeDailyBars(context.history, await fetchWindow(context, symbol));
      } catch (error) {
        failed.push(symbol);
        cause = error;
      }
    }
    if (failed.length > 0) throw new Error(`no daily bars of ${failed.join(", ")}`, { cause });
  },
});
