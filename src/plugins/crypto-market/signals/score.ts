import { type JobContext, logOutcomes, outcomeOf, type RecordValue, renderTime } from "intel-node";
import { type Bar, getLastClosedBar, HOUR_MS } from "intel-node/providers/bars";
import { CANDLE_VENUES } from "intel-node/providers/candle-venues";
import { readBars } from "intel-node/series/bar-series";
import type { Side } from "./model.ts";
import {
  readSignal,
  renderDecimal,
  renderPrice,
  type ScoredOutcomeData,
  SIGNALS,
  type SignalRecordData,
  type StoredSignal,
} from "./signal-records.ts";

/** Whose hourly opens decide, in this order; one outcome never takes prices of two of them. */
const PRICE_SOURCES = ["hyperliquid", "bitstamp", "kraken"];
/** Without prices for this long after the exit, a signal is never scored. */
const UNSCORABLE_AFTER_MS = 72 * HOUR_MS;
/** A node that was cut off from every source waits longer: the prices may arrive once it is back. */
const UNREACHED_AFTER_MS = 168 * HOUR_MS;
const OPEN_MAX = 1_000;
const BPS = 10_000;

export interface TradeSpan {
  /** Opening times of the entry and exit bars, ms. */
  readonly entry_ms: number;
  readonly exit_ms: number;
}

/** Entry is the first hourly bar that starts strictly after the signal was written; exit `horizon_h` hours later. */
export function getSpan({ emitted_at, horizon_h }: Pick<SignalRecordData, "emitted_at" | "horizon_h">): TradeSpan {
  const entry_ms = (Math.floor(Date.parse(emitted_at) / HOUR_MS) + 1) * HOUR_MS;
  return { entry_ms, exit_ms: entry_ms + horizon_h * HOUR_MS };
}

export interface SignalResult {
  /** Basis points before costs, one decimal. */
  readonly gross_bps: string;
  readonly net_bps: string;
  readonly hit: boolean;
}

export interface ResultInputs {
  readonly side: Side;
  readonly entry_price: string;
  readonly exit_price: string;
  readonly cost_bps: string;
}

/** side x (exit / entry - 1) x 10,000, rounded; the cost is taken off what is shown. */
export function getResult({ side, entry_price, exit_price, cost_bps }: ResultInputs): SignalResult {
  const sign = side === "long" ? 1 : -1;
  const gross_bps = renderDecimal(sign * (Number(exit_price) / Number(entry_price) - 1) * BPS, 1);
  const net_bps = renderDecimal(Number(gross_bps) - Number(cost_bps), 1);
  return { gross_bps, net_bps, hit: Number(net_bps) > 0 };
}

/** One venue's hourly bars of one coin. */
export interface PriceSeries {
  readonly provider: string;
  readonly bars: readonly Bar[];
}

const findBar = ({ bars }: PriceSeries, t_ms: number): Bar | undefined => bars.find((bar) => bar.t_ms === t_ms);
const toRow = ({ t_ms, open, high, low, close, volume }: Bar): RecordValue =>
  [renderTime(t_ms), ...[open, high, low, close, volume].map(renderPrice)] as const;

export interface ScoredSignal {
  readonly outcome: ScoredOutcomeData;
  /** Both bars, raw: opening time, open, high, low, close, volume. */
  readonly beside: RecordValue;
}

/** What became of a signal by these prices; null when they do not hold both its bars. */
export function scoreSignal({ record, record_hash }: StoredSignal, prices: PriceSeries): ScoredSignal | null {
  const { entry_ms, exit_ms } = getSpan(record);
  const [entry, exit] = [findBar(prices, entry_ms), findBar(prices, exit_ms)];
  if (!entry || !exit) return null;
  const [entry_price, exit_price] = [renderPrice(entry.open), renderPrice(exit.open)];
  const { side, symbol, cost_bps } = record;
  return {
    beside: { entry_bar: toRow(entry), exit_bar: toRow(exit) },
    outcome: {
      v: 1,
      seq: record.seq,
      record_hash,
      status: "scored",
      entry_at: renderTime(entry_ms),
      entry_price,
      exit_at: renderTime(exit_ms),
      exit_price,
      price_source: `${prices.provider}:${symbol}:1h`,
      ...getResult({ side, entry_price, exit_price, cost_bps }),
    },
  };
}

/** Closed hourly bars of one coin since a time, of one venue: the stored ones when they are of that venue. */
async function fetchPrices(
  context: JobContext,
  { symbol, since_ms, provider }: { readonly symbol: string; readonly since_ms: number; readonly provider: string },
): Promise<PriceSeries | null> {
  const venue = CANDLE_VENUES.find((one) => one.provider.id === provider);
  if (!venue || !context.usable(venue.provider)) return null;
  const count = Math.min(venue.bars_max, (getLastClosedBar(context.now_ms, "1h") - since_ms) / HOUR_MS + 1);
  const stored = await readBars(context, { symbol, interval: "1h", count });
  if (stored?.provider === provider) return { provider, bars: stored.bars };
  const fetched = await outcomeOf(venue.fetchBars(context, { base: symbol, interval: "1h", count }));
  return fetched.ok ? { provider, bars: fetched.value } : null;
}

/** The first source that has both bars of a signal. Series are fetched once per coin and source. */
function createScorer(context: JobContext, due: readonly StoredSignal[]) {
  const kept = new Map<string, Promise<PriceSeries | null>>();
  return async (signal: StoredSignal): Promise<{ scored: ScoredSignal | null; reached: boolean }> => {
    let reached = false;
    const { symbol } = signal.record;
    const entries = due.flatMap(({ record }) => (record.symbol === symbol ? [getSpan(record).entry_ms] : []));
    for (const provider of PRICE_SOURCES) {
      const key = `${provider} ${symbol}`;
      const prices = kept.get(key) ?? fetchPrices(context, { symbol, since_ms: Math.min(...entries), provider });
      kept.set(key, prices);
      const series = await prices;
      reached ||= series !== null;
      const scored = series && scoreSignal(signal, series);
      if (scored) return { scored, reached };
    }
    return { scored: null, reached };
  };
}

/**
 * States the outcome of every signal whose exit bar has closed. One that no source has prices for is stated as such.
 */
export async function scoreSignals(context: JobContext): Promise<void> {
  const { records, now_ms } = context;
  const newest_closed_ms = getLastClosedBar(now_ms, "1h");
  const due = (await records.read(SIGNALS, { open: true, limit: OPEN_MAX }))
    .map(readSignal)
    .filter(({ record }) => getSpan(record).exit_ms <= newest_closed_ms);
  const score = createScorer(context, due);
  for (const signal of due) {
    const { seq } = signal.record;
    const { scored, reached } = await score(signal);
    const waited_ms = now_ms - getSpan(signal.record).exit_ms;
    if (scored) {
      await records.settle({ chain: SIGNALS, seq, ...scored });
    } else if (waited_ms >= (reached ? UNSCORABLE_AFTER_MS : UNREACHED_AFTER_MS)) {
      const reason = `no hourly prices of ${PRICE_SOURCES.join(", ")} within 72 h of the exit`;
      const { record_hash } = signal;
      await records.settle({ chain: SIGNALS, seq, outcome: { v: 1, seq, record_hash, status: "unscorable", reason } });
    }
  }
  await logOutcomes(records, SIGNALS);
}
