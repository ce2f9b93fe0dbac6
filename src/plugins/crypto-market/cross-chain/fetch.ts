import { type FetchContext, NodeError, type Outcome, outcomeOf, toNodeError } from "intel-node";
import { type CCTPFees, fetchCCTPFees } from "intel-node/providers/circle-cctp/fees";
import { circleCCTP } from "intel-node/providers/circle-cctp/provider";
import { DEFILLAMA_AGE_MAX_MS } from "intel-node/providers/defillama/token-price";
import {
  DEX_CHAINS,
  DEX_TOKENS,
  type DexAsset,
  type DexChain,
  type DexToken,
  USDC_DECIMALS,
} from "intel-node/providers/dex-tokens";
import { fetchTablePrice, type PoolTableId } from "../dex/pool-tables.ts";
import { type DexSwap, openVenue, type SwapSource, toAmount, toUSDC, within } from "../dex/venue.ts";
import { fetchRoute, type RouteReading } from "./route.ts";
import type { CrossChainBase } from "./schema.ts";
import { findSpread, listLive } from "./spread.ts";

/** Sizes at which a buying price is asked for, USDC. The first is the reference. */
const SIZES_USDC = [1_000, 10_000, 100_000] as const;

/** One token on one chain. */
export interface TokenReading {
  readonly chain: DexChain;
  readonly wrapper: string;
  readonly source: SwapSource | PoolTableId;
  /** Middle at 1,000 USDC, or a pool table's price. */
  readonly price_usd: number;
  /** Buying price at each size, USDC per token; null where it cannot be filled. */
  readonly asks: readonly (number | null)[];
  /** Selling price of what the second size buys, USDC per token; null where it cannot be filled. */
  readonly bid_10k: number | null;
  readonly liquidity_usd: number | null;
  /** Time of the datum; null where the source states none. */
  readonly at_ms: number | null;
}

export interface CrossChainInputs {
  readonly read_at_ms: number;
  readonly tokens: readonly TokenReading[];
  /** Chains without a quote of the asset now. */
  readonly missing: readonly DexChain[];
  readonly route: Outcome<RouteReading> | null;
  readonly fees: readonly CCTPFees[];
}

const CHAIN_MS = 7_000;
/** For all tables of pools together. */
const POOL_TABLES_MS = 3_000;
/** The transfer that is compared when no price says which chains: the busiest one. */
const BRIDGE_LEG = { from: "ethereum", to: "base" } as const;

/** Prices of a chain's tokens at every size. @throws UpstreamError when the chain cannot be quoted. */
async function readChain(context: FetchContext, chain: DexChain, asset: DexAsset): Promise<readonly TokenReading[]> {
  const { tokens, source, quote } = await openVenue(context, chain, [asset]);
  const buys = tokens.flatMap(({ address }) =>
    SIZES_USDC.map((usdc): DexSwap => ({ token: address, side: "buy", amount: toUSDC(usdc) })),
  );
  const bought = await quote(buys);
  const firsts = tokens.flatMap((token, index) => {
    const asks = SIZES_USDC.map((usdc, size) => {
      const one = bought.quotes[index * SIZES_USDC.length + size];
      return one ? usdc / toAmount(one.amount_out, token.decimals) : null;
    });
    const [first, second] = bought.quotes.slice(index * SIZES_USDC.length);
    return first ? [{ token, asks, amounts: [first.amount_out, second?.amount_out ?? null] as const }] : [];
  });
  const sells = firsts.flatMap(({ token, amounts }) =>
    amounts.flatMap((amount): DexSwap[] => (amount === null ? [] : [{ token: token.address, side: "sell", amount }])),
  );
  const sold = await quote(sells);
  return firsts.flatMap(({ token, asks, amounts }): readonly TokenReading[] => {
    const [bid, bid_10k] = amounts.map((amount) => {
      const index = sells.findIndex((sell) => sell.token === token.address && sell.amount === amount);
      const back = sold.quotes[index];
      if (!back || amount === null) return null;
      return toAmount(back.amount_out, USDC_DECIMALS) / toAmount(amount, token.decimals);
    });
    const ask = asks[0];
    if (!bid || !ask) return [];
    const price_usd = Math.sqrt(ask * bid);
    const said = { chain, wrapper: token.wrapper, source, price_usd, asks, at_ms: sold.at_ms };
    return [{ ...said, bid_10k: bid_10k ?? null, liquidity_usd: null }];
  });
}

async function readPoolTable(context: FetchContext, chain: DexChain, token: DexToken): Promise<TokenReading> {
  const { price, ...said } = await fetchTablePrice(
    context,
    { chain, token: token.address, age_max_ms: DEFILLAMA_AGE_MAX_MS },
    POOL_TABLES_MS,
  );
  return { ...said, chain, wrapper: token.wrapper, price_usd: price, asks: [], bid_10k: null };
}

/** A chain's quotes; for tokens without quotes, prices of a pool table. */
async function readTokens(context: FetchContext, chain: DexChain, asset: DexAsset) {
  const quoted = await outcomeOf(within(CHAIN_MS, chain, readChain(context, chain, asset)));
  const readings = quoted.ok ? quoted.value : [];
  const lacking = DEX_TOKENS[chain].filter(
    (token) => token.asset === asset && !readings.some(({ wrapper }) => wrapper === token.wrapper),
  );
  const tables = await Promise.all(lacking.map((token) => outcomeOf(readPoolTable(context, chain, token))));
  return {
    readings: [...readings, ...tables.flatMap((outcome) => (outcome.ok ? [outcome.value] : []))],
    error: quoted.ok ? undefined : quoted.error,
    is_missing: lacking.length > 0,
  };
}

async function fetchFees(context: FetchContext, chains: readonly DexChain[]): Promise<readonly CCTPFees[]> {
  if (!context.usable(circleCCTP)) return [];
  const pairs = chains.flatMap((from) => chains.filter((to) => to !== from).map((to) => ({ from, to })));
  const fees = await Promise.all(pairs.map((pair) => outcomeOf(fetchCCTPFees(context, pair))));
  return fees.flatMap((outcome) => (outcome.ok ? [outcome.value] : []));
}

/** Bridges alone: one route and Circle's fees between all chains. @throws NodeError when there is neither. */
async function fetchBridges(context: FetchContext): Promise<CrossChainInputs> {
  const [route, fees] = await Promise.all([
    outcomeOf(fetchRoute(context, BRIDGE_LEG.from, BRIDGE_LEG.to)),
    fetchFees(context, DEX_CHAINS),
  ]);
  if (!route.ok && fees.length === 0) throw toNodeError([route.error], "a comparison of bridges");
  return { read_at_ms: context.now_ms, tokens: [], missing: [], route, fees };
}

/**
 * Prices of the asset on every chain at once, then a route between the two that are furthest apart.
 * @throws NodeError when fewer than two chains have a price.
 */
export async function fetchCrossChain(context: FetchContext, base: CrossChainBase): Promise<CrossChainInputs> {
  if (base === "USDC") return fetchBridges(context);
  const chains = DEX_CHAINS.filter((chain) => DEX_TOKENS[chain].some(({ asset }) => asset === base));
  const read = await Promise.all(chains.map((chain) => readTokens(context, chain, base)));
  const tokens = read.flatMap(({ readings }) => readings);
  if (new Set(tokens.map(({ chain }) => chain)).size < 2) {
    const cause = read.flatMap(({ error }) => error ?? []);
    if (cause.length > 0) throw toNodeError(cause, `prices of ${base} on two chains`);
    throw new NodeError("upstream_unavailable", `${base} has a price on fewer than two chains. Nothing was charged.`);
  }
  const missing = chains.filter((_, index) => read[index]?.is_missing);
  const spread = findSpread(listLive(tokens, context.now_ms));
  if (!spread) return { read_at_ms: context.now_ms, tokens, missing, route: null, fees: [] };
  const [route, fees] = await Promise.all([
    outcomeOf(fetchRoute(context, spread.dearest, spread.cheapest)),
    fetchFees(context, [spread.dearest, spread.cheapest]),
  ]);
  return { read_at_ms: context.now_ms, tokens, missing, route, fees };
}
