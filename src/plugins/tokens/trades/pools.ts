import { isSolanaAddress, type JobContext, outcomeOf } from "intel-node";
import { NATIVE, USDC } from "intel-node/providers/dex-tokens";
import { type DexPair, fetchPairsWith } from "intel-node/providers/dexscreener/pairs";
import { fetchViews } from "intel-node/providers/evm-rpc/multicall";
import { DECIMALS_OF_TOKEN } from "intel-node/providers/evm-rpc/token-powers";
import { findIssuerToken, foldAddress } from "intel-node/providers/issuer-tokens";
import { fetchMintPowers } from "intel-node/providers/solana-rpc/token-mint";
import { cleanSymbol } from "../text/clean-text.ts";
import type { TradeChain } from "../whales/chains.ts";
import { ownsItsAccounts, SAMPLED_POOLS_MAX } from "../whales/solana-sample.ts";
import { type TradePoolRow, tradePools } from "./tables.ts";

/** Pools a chain at most; the list is part of every answer made of their swaps. */
const POOLS_MAX: Readonly<Record<TradeChain, number>> = { ethereum: 12, base: 12, solana: SAMPLED_POOLS_MAX };
const LIQUIDITY_MIN_USD = 50_000;
const CHOSEN_FOR_MS = 86_400_000;
const QUOTES: readonly string[] = ["USDC", "USDT", "DAI", "WETH", "SOL"];
const DECIMALS_MAX = 36;
const POOL = /^0x[0-9a-fA-F]{40}$/;

/** A pool of one token against a stablecoin or the wrapped coin; null for pairs of two issuers' tokens and the rest. */
function readPool(pair: DexPair, chain: TradeChain): Omit<TradePoolRow, "decimals" | "chosen_at_ms"> | null {
  const quote = findIssuerToken(chain, pair.quote.address);
  const isAddress = (text: string) => (chain === "solana" ? isSolanaAddress(text) : POOL.test(text));
  // A pool of Uniswap v4 has a number instead of an address: its swaps are logs of one contract for all.
  if (pair.chain !== chain || !isAddress(pair.pair_address) || !isAddress(pair.base.address)) return null;
  if (chain === "solana" && !ownsItsAccounts(pair)) return null;
  if (!quote || !QUOTES.includes(quote.symbol) || findIssuerToken(chain, pair.base.address)) return null;
  if ((pair.liquidity_usd ?? 0) < LIQUIDITY_MIN_USD) return null;
  const token = foldAddress(chain, pair.base.address);
  return {
    chain,
    pool: foldAddress(chain, pair.pair_address),
    token,
    symbol: cleanSymbol(pair.base.symbol),
    is_token_0: token < foldAddress(chain, quote.address),
    quote: quote.symbol,
    quote_decimals: quote.decimals,
    liquidity_usd: pair.liquidity_usd ?? 0,
    pool_created_at_ms: pair.created_at_ms,
  };
}

/** Decimals as the contracts say; NaN where one says nothing. @throws UpstreamError */
async function readContracts(context: JobContext, chain: "ethereum" | "base", tokens: readonly string[]) {
  const views = tokens.map((token) => ({ to: token, data: DECIMALS_OF_TOKEN }));
  const { results } = await fetchViews(context, { chain, views, ttl_ms: 5_000, age_max_ms: null });
  return tokens.map((_, index) => {
    const word = results[index]?.[0];
    return word === undefined ? Number.NaN : Number(BigInt(`0x${word}`));
  });
}

/** Decimals as the mints' accounts say, of either token program; NaN where one says nothing. */
const readMints = (context: JobContext, tokens: readonly string[]): Promise<readonly number[]> =>
  Promise.all(
    tokens.map(async (token) => {
      const read = await outcomeOf(fetchMintPowers(context, token));
      return read.ok && read.value.kind === "mint" ? read.value.powers.decimals : Number.NaN;
    }),
  );

/** @throws UpstreamError when the table of pools or the chain's nodes are silent. */
async function choosePools(context: JobContext, chain: TradeChain): Promise<readonly TradePoolRow[]> {
  const lists = await Promise.all(
    [USDC[chain], NATIVE[chain].address].map((token) => outcomeOf(fetchPairsWith(context, { chain, token }))),
  );
  const [failed] = lists.filter((one) => !one.ok);
  if (failed && !failed.ok && lists.every((one) => !one.ok)) throw failed.error;
  const found = lists.flatMap((one) => (one.ok ? one.value : [])).flatMap((pair) => readPool(pair, chain) ?? []);
  const deepest = [...new Map(found.map((one) => [one.pool, one])).values()]
    .sort((a, b) => b.liquidity_usd - a.liquidity_usd)
    .slice(0, POOLS_MAX[chain]);
  const tokens = deepest.map(({ token }) => token);
  const of_tokens = await (chain === "solana" ? readMints(context, tokens) : readContracts(context, chain, tokens));
  const rows = deepest.flatMap((pool, index) => {
    const decimals = of_tokens[index] ?? Number.NaN;
    return decimals >= 0 && decimals <= DECIMALS_MAX ? [{ ...pool, decimals, chosen_at_ms: context.now_ms }] : [];
  });
  if (rows.length > 0) await context.table(tradePools).put(rows);
  return rows;
}

/** The pools whose swaps are read: the deepest of a chain, chosen once a day. @throws UpstreamError */
export async function currentPools(context: JobContext, chain: TradeChain): Promise<readonly TradePoolRow[]> {
  const newest = await context.table(tradePools).first({ where: { chain }, order: ["-chosen_at_ms"] });
  if (newest && context.now_ms - newest.chosen_at_ms < CHOSEN_FOR_MS) {
    return context.table(tradePools).find({ where: { chain, chosen_at_ms: newest.chosen_at_ms } });
  }
  const chosen = await outcomeOf(choosePools(context, chain));
  if (chosen.ok) return chosen.value;
  // Yesterday's pools are still pools; their swaps are no less true.
  if (!newest) throw chosen.error;
  return context.table(tradePools).find({ where: { chain, chosen_at_ms: newest.chosen_at_ms } });
}
