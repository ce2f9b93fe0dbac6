import { type JobContext, messageOf, NodeError, type Outcome, outcomeOf, toNodeError } from "intel-node";
import { type CCTPFees, fetchCCTPFees } from "intel-node/providers/circle-cctp/fees";
import { circleCCTP } from "intel-node/providers/circle-cctp/provider";
import {
  DEX_ASSETS,
  DEX_CHAINS,
  DEX_TOKENS,
  type DexChain,
  type DexToken,
  USDC_DECIMALS,
} from "intel-node/providers/dex-tokens";
import { fetchTablePrice, LIVE_AGE_MAX_MS } from "./pool-tables.ts";
import type { Scan, ScanBuy, ScanMid, ScanSell } from "./stored-scan.ts";
import { fetchGasCost, type GasCost, getSwapCost, ONE_NATIVE, readNative } from "./swap-costs.ts";
import { type DexQuote, type DexSwap, type DexVenue, openVenue, rescale, toAmount, toUSDC, within } from "./venue.ts";

/** What every round trip starts with, USDC. */
const NOTIONAL_USD = 10_000;
/** Time limit of a chain for each of the two passes. */
const PASS_MS = 20_000;
/** Time limit of all tables of pools together, for one token. */
const TABLES_MS = 9_000;

interface Bought {
  readonly token: DexToken;
  readonly quote: DexQuote;
}

interface OpenChain {
  readonly venue: DexVenue;
  readonly at_ms: number;
  readonly cost: GasCost | null;
  readonly bought: readonly Bought[];
}

/** First pass: what 10,000 USDC buy of each token of the chain, and what gas costs there. */
async function openChain(context: JobContext, chain: DexChain): Promise<OpenChain> {
  const venue = await openVenue(context, chain, DEX_ASSETS);
  const buys = venue.tokens.map(
    ({ address }): DexSwap => ({ token: address, side: "buy", amount: toUSDC(NOTIONAL_USD) }),
  );
  const { at_ms, quotes } = await venue.quote([...buys, ONE_NATIVE(chain)]);
  const native = quotes.at(-1);
  const cost = await fetchGasCost(context, chain, native ? readNative(native.amount_out) : null);
  const bought = venue.tokens.flatMap((token, index) => {
    const quote = quotes[index];
    return quote ? [{ token, quote }] : [];
  });
  return { venue, at_ms, cost, bought };
}

interface SellPlan {
  readonly into: DexToken;
  readonly from: { readonly chain: DexChain; readonly token: DexToken };
  readonly amount: bigint;
}

/**
 * Which amounts are asked for on a chain: of every token what was bought there, and what the same money bought
 * elsewhere.
 * Solana's pools are asked a call for each amount, so there only the largest of the others is asked for.
 */
function planSells(chain: OpenChain, all: readonly OpenChain[]): readonly SellPlan[] {
  return chain.bought.flatMap(({ token: into }) => {
    const plans = all.flatMap(({ venue, bought }) =>
      bought
        .filter(({ token }) => token.asset === into.asset)
        // Within one chain a token is only sold for itself: that is its round trip.
        .filter(({ token }) => venue.chain !== chain.venue.chain || token.wrapper === into.wrapper)
        .map(({ token, quote }) => ({
          into,
          from: { chain: venue.chain, token },
          amount: rescale(quote.amount_out, token.decimals, into.decimals),
        })),
    );
    if (chain.venue.chain !== "solana") return plans;
    const own = plans.filter(({ from }) => from.chain === chain.venue.chain);
    const others = plans.filter(({ from }) => from.chain !== chain.venue.chain);
    const same = others.filter(({ from }) => from.token.wrapper === into.wrapper);
    const largest = (same.length > 0 ? same : others).sort((a, b) => (a.amount < b.amount ? 1 : -1));
    return [...own, ...largest.slice(0, 1)];
  });
}

/** Second pass: what those amounts sell for. */
async function sellOn(chain: OpenChain, all: readonly OpenChain[]): Promise<readonly ScanSell[]> {
  const plans = planSells(chain, all);
  const swaps = plans.map(({ into, amount }): DexSwap => ({ token: into.address, side: "sell", amount }));
  const { quotes } = await chain.venue.quote(swaps);
  return plans.flatMap(({ into, from }, index) => {
    const quote = quotes[index];
    if (!quote) return [];
    return [
      {
        chain: chain.venue.chain,
        asset: into.asset,
        wrapper: into.wrapper,
        from_chain: from.chain,
        from_wrapper: from.token.wrapper,
        usdc_out: toAmount(quote.amount_out, USDC_DECIMALS),
        fee_tier: quote.fee_tier,
        gas_usd: getSwapCost(chain.cost, quote.gas),
      },
    ];
  });
}

const describeBuys = ({ venue, cost, bought }: OpenChain): readonly ScanBuy[] =>
  bought.map(({ token, quote }) => ({
    chain: venue.chain,
    asset: token.asset,
    wrapper: token.wrapper,
    source: venue.source,
    amount: toAmount(quote.amount_out, token.decimals),
    fee_tier: quote.fee_tier,
    gas_usd: getSwapCost(cost, quote.gas),
  }));

/** Circle's fees between every two chains, those that can be read. */
async function fetchBridges(context: JobContext, chains: readonly DexChain[]): Promise<readonly CCTPFees[]> {
  if (!context.usable(circleCCTP)) return [];
  const pairs = chains.flatMap((from) => chains.filter((to) => to !== from).map((to) => ({ from, to })));
  const fees = await Promise.all(pairs.map((pair) => outcomeOf(fetchCCTPFees(context, pair))));
  return fees.flatMap((outcome) => (outcome.ok ? [outcome.value] : []));
}

/** Mids are shown without their age, so that they are of now. */
const fetchMid = (context: JobContext, { chain, token }: { readonly chain: DexChain; readonly token: DexToken }) =>
  fetchTablePrice(context, { chain, token: token.address, age_max_ms: LIVE_AGE_MAX_MS }, TABLES_MS);

/** Prices from a table of pools, for tokens without quotes: they can be shown, not traded on. */
async function fetchMids(context: JobContext, sold: readonly ScanSell[]): Promise<readonly ScanMid[]> {
  const missing = DEX_CHAINS.flatMap((chain) =>
    DEX_TOKENS[chain]
      .filter(({ wrapper }) => !sold.some((one) => one.from_chain === chain && one.from_wrapper === wrapper))
      .map((token) => ({ chain, token })),
  );
  const mids = await Promise.all(
    missing.map(async ({ chain, token }) => {
      const outcome = await outcomeOf(fetchMid(context, { chain, token }));
      if (!outcome.ok) return [];
      const { asset, wrapper } = token;
      const { price, source } = outcome.value;
      return [{ chain, asset, wrapper, mid_usd: price, source }];
    }),
  );
  return mids.flat();
}

const isOpen = <T>(outcome: Outcome<T>): outcome is { readonly ok: true; readonly value: T } => outcome.ok;

/**
 * Reads every chain's pools: what 10,000 USDC buy there, what the bought amounts sell for on every other chain, what
 * gas and USDC transfers cost. A chain that cannot be read is left out and named.
 * @throws NodeError when no asset can be traded on two chains.
 */
export async function runScan(context: JobContext): Promise<Scan> {
  const outcomes = await Promise.all(
    DEX_CHAINS.map((chain) => outcomeOf(within(PASS_MS, chain, openChain(context, chain)))),
  );
  const open = outcomes.filter(isOpen).map(({ value }) => value);
  const missing = DEX_CHAINS.flatMap((chain, index) => {
    const outcome = outcomes[index];
    return outcome?.ok === false ? [{ chain, reason: messageOf(outcome.error).slice(0, 200) }] : [];
  });
  const errors = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.error]));
  if (open.length === 0) throw toNodeError(errors, "the scan of exchange pools");
  const [sells, bridges] = await Promise.all([
    Promise.all(open.map((chain) => outcomeOf(within(PASS_MS, chain.venue.chain, sellOn(chain, open))))),
    fetchBridges(
      context,
      open.map(({ venue }) => venue.chain),
    ),
  ]);
  const sold = sells.flatMap((outcome) => (outcome.ok ? outcome.value : []));
  const scan: Scan = {
    // A node's clock may run ahead of ours.
    as_of_ms: Math.min(context.now_ms, Math.max(...open.map(({ at_ms }) => at_ms))),
    read_at_ms: context.now_ms,
    notional_usd: NOTIONAL_USD,
    buys: open.flatMap(describeBuys),
    sells: [...sold],
    mids: [...(await fetchMids(context, sold))],
    bridges: [...bridges],
    missing,
    sources: [...context.sources()].slice(0, SOURCES_MAX),
  };
  if (hasTwoChains(scan)) return scan;
  const message = "No asset can be traded on two chains right now. Nothing was charged.";
  throw new NodeError("upstream_unavailable", message, { retry_after_s: 60 });
}

const SOURCES_MAX = 100;

/** Whether some asset can be bought on one chain and sold on another. */
const hasTwoChains = ({ sells }: Pick<Scan, "sells">): boolean => sells.some((sell) => sell.chain !== sell.from_chain);
