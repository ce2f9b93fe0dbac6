import { Type } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import type { FetchContext, WritableHistory } from "../../../../catalog/context.ts";
import { renderTime } from "../../../../core/clock.ts";
import type { Perpetual } from "../../../../upstream/providers/hyperliquid/perpetuals.ts";
import { hyperliquid } from "../../../../upstream/providers/hyperliquid/provider.ts";

const SERIES = "crypto-market/open-interest-1h";
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS = 31;
const KEPT_MS = 40 * DAY_MS;

const Sample = TypeCompiler.Compile(
  Type.Object({
    provider: Type.Literal(hyperliquid.id),
    fetched_at_ms: Type.Integer(),
    coins: Type.Record(Type.String(), Type.Number({ exclusiveMinimum: 0 })),
  }),
);

/** Stores one sample per hour, in coins; a second one in the same hour replaces the first. */
export async function writeOpenInterest(
  history: WritableHistory,
  perpetuals: ReadonlyMap<string, Perpetual>,
  now_ms: number,
): Promise<void> {
  const at_ms = Math.floor(now_ms / HOUR_MS) * HOUR_MS;
  const coins = Object.fromEntries([...perpetuals].map(([symbol, one]) => [symbol, one.open_interest_coins]));
  await history.write(SERIES, [{ at_ms, value: { provider: hyperliquid.id, fetched_at_ms: now_ms, coins } }]);
  await history.prune(SERIES, at_ms - KEPT_MS);
}

export interface InterestHistory {
  /** By symbol: open interest in coins by the hour (ms) it was sampled in, oldest first. */
  readonly by_symbol: ReadonlyMap<string, ReadonlyMap<number, number>>;
  /** Time of the newest sample's call; null when there is none. */
  readonly fetched_at_ms: number | null;
}

/** The samples of the last 31 days. Empty when the configuration no longer allows the provider. */
export async function readOpenInterest(
  context: Pick<FetchContext, "history" | "now_ms" | "usable">,
): Promise<InterestHistory> {
  const by_symbol = new Map<string, Map<number, number>>();
  if (!context.usable(hyperliquid)) return { by_symbol, fetched_at_ms: null };
  let fetched_at_ms: number | null = null;
  const since_ms = context.now_ms - DAYS * DAY_MS;
  for (const { at_ms, value } of await context.history.read(SERIES, { since_ms, until_ms: context.now_ms })) {
    if (!Sample.Check(value)) continue;
    fetched_at_ms = value.fetched_at_ms;
    for (const [symbol, coins] of Object.entries(value.coins)) {
      const hours = by_symbol.get(symbol) ?? new Map<number, number>();
      hours.set(at_ms, coins);
      by_symbol.set(symbol, hours);
    }
  }
  return { by_symbol, fetched_at_ms };
}

/** A sample an hour off is not that of a day ago. */
const DAY_SLACK_MS = HOUR_MS;

/**
 * Change of the open interest over the 24 hours up to the sample of `at_ms`, a fraction. It is counted in coins, and
 * several are added up at the later day's prices on both days, so that a move of a price is no change. Null when one of
 * the two samples, or a coin in them, is missing.
 * @param held the coins with their open interest at `at_ms` in US dollars.
 */
export async function readInterestChange(
  { history }: Pick<FetchContext, "history">,
  held: readonly { readonly symbol: string; readonly open_interest_usd: number }[],
  at_ms: number,
): Promise<number | null> {
  const day_ago_ms = at_ms - DAY_MS;
  const [now] = await history.read(SERIES, { since_ms: at_ms, until_ms: at_ms });
  const [before] = (
    await history.read(SERIES, { since_ms: day_ago_ms - DAY_SLACK_MS, until_ms: day_ago_ms + DAY_SLACK_MS })
  ).toSorted((a, b) => Math.abs(a.at_ms - day_ago_ms) - Math.abs(b.at_ms - day_ago_ms));
  if (!Sample.Check(now?.value) || !Sample.Check(before?.value)) return null;
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
