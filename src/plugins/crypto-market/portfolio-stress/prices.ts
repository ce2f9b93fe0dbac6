import { type FetchContext, isNodeError, type Outcome, outcomeOf, toNodeError, UpstreamError } from "intel-node";
import { fetchHyperliquidMids, type Mid } from "intel-node/providers/hyperliquid/mids";
import { hyperliquid } from "intel-node/providers/hyperliquid/provider";
import { getMid } from "intel-node/providers/quote";
import { median } from "intel-node/quant/stats";
import { fetchVenues, getFreshQuotes } from "../oracle/venues.ts";
import { ConsensusSchema, SYMBOLS } from "../oracle-consensus/schema.ts";
import { isStablecoin } from "../portfolio/historical-scenarios.ts";
import { UNIVERSE_20 } from "../universe/universe.ts";

export interface AssetPrice {
  readonly price_usd: number;
  readonly source: string;
  /** Time of the price, ms. */
  readonly at_ms: number;
  /** False: the source states no time, `at_ms` is that of the call. */
  readonly is_dated?: false;
}

export interface Prices {
  readonly prices: ReadonlyMap<string, AssetPrice>;
  /** Traded in 24 hours, US dollars. */
  readonly volumes_usd: ReadonlyMap<string, number>;
  /** Of sources that failed; an asset that a source does not list is not a failure. */
  readonly errors: readonly unknown[];
  /** Assets without a price here that a failed source may have. */
  readonly unread: readonly string[];
}

/** Venues that list stablecoins against US dollars. */
const DOLLAR_VENUES = ["kraken", "bitstamp", "cryptocom", "coinbase"];

/** The price of /oracle-consensus. @throws NodeError */
async function readConsensus(context: FetchContext, symbol: (typeof SYMBOLS)[number]): Promise<AssetPrice> {
  const { data, as_of_ms } = await context.ask("/oracle-consensus", { symbol }, ConsensusSchema);
  if (data.consensus_usd !== null) {
    return { price_usd: data.consensus_usd, source: "oracle-consensus", at_ms: as_of_ms };
  }
  throw new UpstreamError("upstream_bad_response", "oracle-consensus", `no two sources agree on ${symbol}`);
}

/** The median of the dollar venues' fresh quotes. @throws UpstreamError */
async function readSpot(context: FetchContext, asset: string): Promise<AssetPrice> {
  const readings = await fetchVenues(
    context,
    asset,
    ({ provider, quote }) => quote === "USD" && DOLLAR_VENUES.includes(provider.id),
  );
  const quotes = getFreshQuotes(readings, context.now_ms);
  const price_usd = median(quotes.map(getMid));
  if (price_usd !== null) {
    const times = quotes.flatMap(({ at_ms }) => at_ms ?? []);
    return { price_usd, source: "spot-median", at_ms: Math.min(context.now_ms, Math.max(...times)) };
  }
  const failures = readings.flatMap(({ outcome }) => (outcome.ok || !isFailure(outcome.error) ? [] : [outcome.error]));
  if (failures.length > 0) throw toNodeError(failures, `A spot price of ${asset}`);
  throw new UpstreamError("upstream_not_found", "spot-median", `no venue has a fresh price of ${asset}`);
}

const isMajor = (asset: string): asset is (typeof SYMBOLS)[number] => SYMBOLS.some((symbol) => symbol === asset);
const isLarge = (asset: string): boolean => UNIVERSE_20.some((symbol) => symbol === asset);
const isFailure = (error: unknown): boolean =>
  isNodeError(error) || !(error instanceof UpstreamError && error.kind === "upstream_not_found");

async function readMids(context: FetchContext): Promise<Outcome<ReadonlyMap<string, Mid>>> {
  if (context.usable(hyperliquid)) return outcomeOf(fetchHyperliquidMids(context));
  return { ok: false, error: new UpstreamError("upstream_unavailable", hyperliquid.id, "switched off") };
}

/**
 * A price of each asset that has one: the oracle consensus of BTC, ETH and SOL, spot quotes of stablecoins, the middle
 * of Hyperliquid's book of the rest, and spot quotes of the larger coins when that cannot be read. Never throws.
 */
export async function readPrices(context: FetchContext, assets: readonly string[]): Promise<Prices> {
  const [mids, ...firsts] = await Promise.all([
    readMids(context),
    ...assets.map(async (asset) => {
      if (isMajor(asset)) return { asset, outcome: await outcomeOf(readConsensus(context, asset)) };
      return isStablecoin(asset) ? { asset, outcome: await outcomeOf(readSpot(context, asset)) } : null;
    }),
  ]);
  const prices = new Map<string, AssetPrice>();
  const errors: unknown[] = mids.ok ? [] : [mids.error];
  const failed = new Set<string>();
  const take = (asset: string, outcome: Outcome<AssetPrice>) => {
    if (outcome.ok) prices.set(asset, outcome.value);
    else if (isFailure(outcome.error)) {
      errors.push(outcome.error);
      failed.add(asset);
    }
  };
  for (const first of firsts) if (first) take(first.asset, first.outcome);
  const open = assets.filter((asset) => !prices.has(asset) && !isStablecoin(asset));
  if (mids.ok) {
    for (const asset of open) {
      const price_usd = mids.value.get(asset)?.price_usd;
      if (price_usd !== undefined)
        prices.set(asset, { price_usd, source: hyperliquid.id, at_ms: context.now_ms, is_dated: false });
    }
  } else {
    const spots = open.filter((asset) => isLarge(asset) && !isMajor(asset));
    const read = await Promise.all(spots.map((asset) => outcomeOf(readSpot(context, asset))));
    for (const [index, outcome] of read.entries()) take(spots[index] ?? "", outcome);
  }
  // Hyperliquid lists hundreds: while it is down, any of the others may be among them.
  const mayBeListed = (asset: string) => failed.has(asset) || (!mids.ok && !isStablecoin(asset));
  const unread = [...new Set(assets.filter((asset) => !prices.has(asset) && mayBeListed(asset)))];
  const volumes = assets.flatMap((asset) => {
    const mid = mids.ok ? mids.value.get(asset) : undefined;
    return mid ? [[asset, mid.volume_usd] as const] : [];
  });
  return { prices, volumes_usd: new Map(volumes), errors, unread };
}
