import { type FetchContext, type Outcome, outcomeOf, UpstreamError } from "intel-node";
import { type ChainlinkPrice, fetchChainlinkPrice } from "intel-node/providers/evm-rpc/chainlink-price";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { fetchKrakenQuote } from "intel-node/providers/kraken/depth";
import { kraken } from "intel-node/providers/kraken/provider";
import { getMid } from "intel-node/providers/quote";
import { solanaRpc } from "intel-node/providers/solana-rpc/provider";
import { PYTH_FEEDS } from "intel-node/providers/solana-rpc/pyth-feeds";
import { fetchSolanaPrices } from "../oracle/solana-prices.ts";
import { fetchVenues, VENUE_AGE_MAX_MS } from "../oracle/venues.ts";
import {
  CHAINLINK_AGE_MAX_MS,
  CHAINLINK_DEAD_AFTER_MS,
  KRAKEN_USDT_AGE_MAX_MS,
  PYTH_AGE_MAX_MS,
  REDSTONE_AGE_MAX_MS,
} from "./rules.ts";
import type { ConsensusSymbol } from "./schema.ts";

export interface RawPrice {
  /** In US dollars, or in USDT where the kind says so. */
  readonly price: number;
  /** Stated time, ms; null without one: the price is then as new as the call. */
  readonly at_ms: number | null;
}

export interface OracleReading {
  readonly source: string;
  readonly kind: "oracle" | "usd" | "usdt";
  readonly age_max_ms: number;
  readonly outcome: Outcome<RawPrice>;
}

export interface OracleConsensusInputs {
  readonly read_at_ms: number;
  readonly readings: readonly OracleReading[];
  /** US dollars per USDT; null without a fresh statement. */
  readonly usdt_usd: number | null;
}

const mapOutcome = <A, B>(outcome: Outcome<A>, map: (value: A) => B): Outcome<B> =>
  outcome.ok ? { ok: true, value: map(outcome.value) } : outcome;

const isFresh = (at_ms: number, age_max_ms: number, now_ms: number): boolean => now_ms - at_ms <= age_max_ms;

/** Pyth and RedStone for the symbol and Pyth's USDT/USD, in one call. */
async function readSolana(context: FetchContext, symbol: ConsensusSymbol) {
  if (!context.usable(solanaRpc)) return { readings: [], usdt: null };
  const { now_ms } = context;
  const read = await outcomeOf(
    fetchSolanaPrices(context, {
      feeds: [PYTH_FEEDS[symbol], PYTH_FEEDS.USDT],
      redstone: symbol,
      isUseful: ({ pyth: [price], redstone }) =>
        (price?.ok === true && isFresh(price.value.publish_time_ms, PYTH_AGE_MAX_MS, now_ms)) ||
        (redstone?.ok === true && isFresh(redstone.value.timestamp_ms, REDSTONE_AGE_MAX_MS, now_ms)),
    }),
  );
  const [pyth, usdt] = read.ok ? read.value.pyth : [read, read];
  const redstone = read.ok ? read.value.redstone : read;
  const readings: OracleReading[] = [];
  if (pyth) {
    const outcome = mapOutcome(pyth, ({ price, publish_time_ms }) => ({ price, at_ms: publish_time_ms }));
    readings.push({ source: "pyth", kind: "oracle", age_max_ms: PYTH_AGE_MAX_MS, outcome });
  }
  if (redstone) {
    const outcome = mapOutcome(redstone, ({ price, timestamp_ms }) => ({ price, at_ms: timestamp_ms }));
    readings.push({ source: "redstone", kind: "oracle", age_max_ms: REDSTONE_AGE_MAX_MS, outcome });
  }
  const is_usdt_fresh = usdt?.ok === true && isFresh(usdt.value.publish_time_ms, PYTH_AGE_MAX_MS, now_ms);
  return { readings, usdt: is_usdt_fresh ? usdt.value.price : null };
}

/** Base's answer, or the newer of Base's and Ethereum's when Base's is not usable. */
async function readChainlink(context: FetchContext, symbol: ConsensusSymbol): Promise<OracleReading[]> {
  if (!context.usable(evmRpc)) return [];
  const { now_ms } = context;
  const base = await outcomeOf(fetchChainlinkPrice(context, { chain: "base", symbol }));
  let best: Outcome<ChainlinkPrice> = base;
  if (!base.ok || !isFresh(base.value.updated_at_ms, CHAINLINK_AGE_MAX_MS, now_ms)) {
    const other = await outcomeOf(fetchChainlinkPrice(context, { chain: "ethereum", symbol }));
    if (other.ok && (!base.ok || other.value.updated_at_ms > base.value.updated_at_ms)) best = other;
  }
  if (best.ok && !isFresh(best.value.updated_at_ms, CHAINLINK_DEAD_AFTER_MS, now_ms)) {
    const message = "the feed missed its heartbeat";
    best = { ok: false, error: new UpstreamError("upstream_bad_response", evmRpc.id, message) };
  }
  const outcome = mapOutcome(best, ({ price, updated_at_ms }) => ({ price, at_ms: updated_at_ms }));
  return [{ source: "chainlink", kind: "oracle", age_max_ms: CHAINLINK_AGE_MAX_MS, outcome }];
}

async function readVenues(context: FetchContext, symbol: ConsensusSymbol): Promise<OracleReading[]> {
  const venues = await fetchVenues(context, symbol);
  return venues.map(({ venue, quote, outcome }) => ({
    source: venue,
    kind: quote === "USD" ? "usd" : "usdt",
    age_max_ms: VENUE_AGE_MAX_MS,
    outcome: mapOutcome(outcome, (value) => ({ price: getMid(value), at_ms: value.at_ms })),
  }));
}

/** Kraken's USDT/USD, for when the oracle has none; null when it is unavailable or stale as well. */
async function readKrakenUSDT(context: FetchContext): Promise<number | null> {
  if (!context.usable(kraken)) return null;
  const quote = await outcomeOf(fetchKrakenQuote(context, "USDT"));
  if (!quote.ok) return null;
  const { at_ms } = quote.value;
  return at_ms === null || isFresh(at_ms, KRAKEN_USDT_AGE_MAX_MS, context.now_ms) ? getMid(quote.value) : null;
}

/** Asks every source at once. A source that fails is handed over with its error. */
export async function fetchOracleConsensus(
  context: FetchContext,
  { symbol }: { readonly symbol: ConsensusSymbol },
): Promise<OracleConsensusInputs> {
  const [solana, chainlink, venues] = await Promise.all([
    readSolana(context, symbol),
    readChainlink(context, symbol),
    readVenues(context, symbol),
  ]);
  const is_usdt_needed = venues.some(({ kind, outcome }) => kind === "usdt" && outcome.ok);
  const usdt_usd = solana.usdt ?? (is_usdt_needed ? await readKrakenUSDT(context) : null);
  return { read_at_ms: context.now_ms, readings: [...solana.readings, ...chainlink, ...venues], usdt_usd };
}
