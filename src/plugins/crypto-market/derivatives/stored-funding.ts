import { Type } from "@sinclair/typebox";
import { defineSeries, type FetchContext, type JobContext, outcomeOf, renderTime } from "intel-node";
import type { FundingReading } from "intel-node/providers/funding-reading";
import { fetchListedFunding } from "intel-node/providers/hyperliquid/funding";
import { hyperliquid } from "intel-node/providers/hyperliquid/provider";
import { readInterestChange } from "./stored-interest.ts";

/** The coins whose funding represents the market's. */
export const MARKET_COINS: readonly string[] = ["BTC", "ETH", "SOL"];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A day counts when at least half of its hours were sampled. */
const SAMPLES_PER_DAY_MIN = 12;
const HOURS_PER_YEAR = 24 * 365;

const SampleSchema = Type.Object({
  provider: Type.Literal(hyperliquid.id),
  fetched_at_ms: Type.Integer(),
  coins: Type.Array(
    Type.Object({
      symbol: Type.String(),
      rate_1h_frac: Type.Number(),
      open_interest_usd: Type.Number({ exclusiveMinimum: 0 }),
    }),
    { minItems: 1, maxItems: 100 },
  ),
});

const samples = defineSeries({
  name: "crypto-market/funding-1h",
  value: SampleSchema,
  every: "1h",
  keep: "400d",
  storage: "kept",
});

/** Funding of several coins, weighted by open interest, percent per year (365 days). */
export function getWeightedAprPct(coins: readonly FundingReading[]): number {
  const total = coins.reduce((sum, coin) => sum + coin.open_interest_usd, 0);
  const weighted = coins.reduce((sum, coin) => sum + coin.open_interest_usd * coin.rate_1h_frac, 0);
  return (weighted / total) * HOURS_PER_YEAR * 100;
}

/** Stores one sample per hour; a second one in the same hour replaces the first. */
export const writeFunding = (context: JobContext, coins: readonly FundingReading[]): Promise<void> =>
  samples.write(context, { provider: hyperliquid.id, fetched_at_ms: context.now_ms, coins: [...coins] });

export interface FundingHistory {
  /** Mean weighted funding of each 24 hours, percent per year, newest first; thinly sampled ones are left out. */
  readonly days: readonly number[];
  /** Whether `days` starts with the 24 hours that end now. */
  readonly current: boolean;
  /** Time of the newest sample's call; null without a sample. */
  readonly fetched_at_ms: number | null;
}

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

/** The last 365 periods of 24 hours that end now. Empty when the configuration no longer allows the provider. */
export async function readFundingHistory(
  context: Pick<FetchContext, "history" | "now_ms" | "usable">,
): Promise<FundingHistory> {
  if (!context.usable(hyperliquid)) return { days: [], current: false, fetched_at_ms: null };
  const samples_by_age = new Map<number, number[]>();
  let fetched_at_ms: number | null = null;
  for (const { at_ms, value } of await samples.read(context, { last: "365d" })) {
    const age_days = Math.floor((context.now_ms - at_ms) / DAY_MS);
    const samples = samples_by_age.get(age_days) ?? [];
    const market = value.coins.filter(({ symbol }) => MARKET_COINS.includes(symbol));
    if (market.length === 0) continue;
    samples.push(getWeightedAprPct(market));
    samples_by_age.set(age_days, samples);
    fetched_at_ms = value.fetched_at_ms;
  }
  const days = [...samples_by_age]
    .filter(([, samples]) => samples.length >= SAMPLES_PER_DAY_MIN)
    .sort(([a], [b]) => a - b)
    .map(([age_days, samples]) => ({ age_days, mean: mean(samples) }));
  return { days: days.map((day) => day.mean), current: days[0]?.age_days === 0, fetched_at_ms };
}

/** Names the venue the samples came from. */
export function citeFunding(context: Pick<FetchContext, "cite">, fetched_at_ms: number): void {
  const url = `${hyperliquid.base_urls[0]}/info`;
  context.cite({ provider: hyperliquid.id, url, fetched_at: renderTime(fetched_at_ms), ok: true });
}

/** How a coin's perpetual future was held, now and a day before. */
export interface Positioning {
  /** Percent per year. */
  readonly funding_apr_pct: number;
  readonly open_interest_usd: number;
  /**
   * A fraction, counted in coins, so that a move of the price does not count. Null without a sample of a day before.
   */
  readonly interest_change_24h_frac: number | null;
  /** Time of the call: now, or that of the newest sample. */
  readonly fetched_at_ms: number;
}

/** A call takes some seconds at most; what is older was read by a job. */
const TOLD_NOW_MS = 60_000;

/** Why there is no reading at all. */
export const NO_FUNDING = "no funding is told now, and none of the last 2 h is stored";

/** Why the figures are not of now; null when they are. */
export const describeSample = ({ fetched_at_ms }: Positioning, now_ms: number): string | null =>
  now_ms - fetched_at_ms <= TOLD_NOW_MS
    ? null
    : `Hyperliquid could not be asked now; funding and open interest are of ${renderTime(fetched_at_ms)}`;

type SampleReads = Pick<FetchContext, "history" | "now_ms" | "usable">;

/** The named coins in what was read, in their order; null when it lacks one of them. */
function pickCoins(read: readonly FundingReading[], symbols: readonly string[]): readonly FundingReading[] | null {
  const coins = symbols.flatMap((symbol) => read.find((coin) => coin.symbol === symbol) ?? []);
  return coins.length < symbols.length || coins.length === 0 ? null : coins;
}

const addUp = (coins: readonly FundingReading[]): Pick<Positioning, "funding_apr_pct" | "open_interest_usd"> => ({
  funding_apr_pct: getWeightedAprPct(coins),
  open_interest_usd: coins.reduce((sum, coin) => sum + coin.open_interest_usd, 0),
});

/**
 * Stored positioning of one coin, or of several taken together; null without a sample of the last two hours.
 * @param before_ms how long before now, for a look back.
 */
export async function readStoredPositioning(
  context: SampleReads,
  symbols: readonly string[],
  before_ms = 0,
): Promise<Positioning | null> {
  if (!context.usable(hyperliquid)) return null;
  // Samples are hourly: one more than two hours old is not the present.
  const then = { history: context.history, now_ms: context.now_ms - before_ms };
  const newest = await samples.newest(then, { max_age: "2h" });
  const coins = newest ? pickCoins(newest.value.coins, symbols) : null;
  if (!newest || !coins) return null;
  return {
    ...addUp(coins),
    interest_change_24h_frac: await readInterestChange(context, coins, newest.at_ms),
    fetched_at_ms: newest.value.fetched_at_ms,
  };
}

/**
 * Positioning now: funding and open interest as the venue states them at this moment, so that every product states the
 * same, and the newest stored sample where it cannot be asked. The change is that of the stored samples. Null when
 * there is neither.
 */
export async function fetchPositioning(
  context: SampleReads & Pick<FetchContext, "get" | "cite">,
  symbols: readonly string[],
): Promise<Positioning | null> {
  if (!context.usable(hyperliquid)) return null;
  const [told, stored] = await Promise.all([
    outcomeOf(fetchListedFunding(context, symbols)),
    readStoredPositioning(context, symbols),
  ]);
  const coins = told.ok ? pickCoins(told.value, symbols) : null;
  if (coins) {
    const interest_change_24h_frac = stored?.interest_change_24h_frac ?? null;
    return { ...addUp(coins), interest_change_24h_frac, fetched_at_ms: context.now_ms };
  }
  if (stored) citeFunding(context, stored.fetched_at_ms);
  return stored;
}
