import { Type } from "@sinclair/typebox";
import { defineSeries, type FetchContext, type JobContext, renderTime } from "intel-node";
import type { Perpetual } from "intel-node/providers/hyperliquid/perpetuals";
import { hyperliquid } from "intel-node/providers/hyperliquid/provider";

const DAY_MS = 86_400_000;

const samples = defineSeries({
  name: "crypto-market/open-interest-1h",
  value: Type.Object({
    provider: Type.Literal(hyperliquid.id),
    fetched_at_ms: Type.Integer(),
    coins: Type.Record(Type.String(), Type.Number({ exclusiveMinimum: 0 })),
  }),
  every: "1h",
  keep: "40d",
  storage: "kept",
});

/** Stores one sample per hour, in coins; a second one in the same hour replaces the first. */
export function writeOpenInterest(context: JobContext, perpetuals: ReadonlyMap<string, Perpetual>): Promise<void> {
  const coins = Object.fromEntries([...perpetuals].map(([symbol, one]) => [symbol, one.open_interest_coins]));
  return samples.write(context, { provider: hyperliquid.id, fetched_at_ms: context.now_ms, coins });
}

export interface InterestHistory {
  /** By symbol: open interest in coins by the hour (ms) it was sampled in, oldest first. */
  readonly by_symbol: ReadonlyMap<string, ReadonlyMap<number, number>>;
  /** Time of the newest sample's call; null without a sample. */
  readonly fetched_at_ms: number | null;
}

/** The samples of the last 31 days. Empty when the configuration no longer allows the provider. */
export async function readOpenInterest(
  context: Pick<FetchContext, "history" | "now_ms" | "usable">,
): Promise<InterestHistory> {
  const by_symbol = new Map<string, Map<number, number>>();
  if (!context.usable(hyperliquid)) return { by_symbol, fetched_at_ms: null };
  let fetched_at_ms: number | null = null;
  for (const { at_ms, value } of await samples.read(context, { last: "31d" })) {
    fetched_at_ms = value.fetched_at_ms;
    for (const [symbol, coins] of Object.entries(value.coins)) {
      const hours = by_symbol.get(symbol) ?? new Map<number, number>();
      hours.set(at_ms, coins);
      by_symbol.set(symbol, hours);
    }
  }
  return { by_symbol, fetched_at_ms };
}

/**
 * Change of the open interest over the 24 hours up to the sample of `at_ms`, a fraction. It is counted in coins, and
 * several are added up at the later day's prices on both days, so that a move of a price does not count as a change.
 * Null when one of the two samples, or a coin in them, is missing.
 * @param held the coins with their open interest at `at_ms` in US dollars.
 */
export async function readInterestChange(
  context: Pick<FetchContext, "history" | "now_ms">,
  held: readonly { readonly symbol: string; readonly open_interest_usd: number }[],
  at_ms: number,
): Promise<number | null> {
  const now = await samples.nearest(context, { at_ms, within: "0ms" });
  // A sample an hour off is not that of a day ago.
  const before = await samples.nearest(context, { at_ms: at_ms - DAY_MS, within: "1h" });
  if (!now || !before) return null;
  let [sum_now, sum_before] = [0, 0];
  for (const { symbol, open_interest_usd } of held) {
    const [coins_now, coins_before] = [now.value.coins[symbol], before.value.coins[symbol]];
    if (coins_now === undefined || coins_before === undefined) return null;
    sum_now += open_interest_usd;
    sum_before += (open_interest_usd * coins_before) / coins_now;
  }
  return sum_before > 0 ? sum_now / sum_before - 1 : null;
}

/** Names the venue the samples came from. */
export function citeOpenInterest(context: Pick<FetchContext, "cite">, fetched_at_ms: number): void {
  const url = `${hyperliquid.base_urls[0]}/info`;
  context.cite({ provider: hyperliquid.id, url, fetched_at: renderTime(fetched_at_ms), ok: true });
}
