import { type FetchContext, outcomeOf, UpstreamError } from "intel-node";
import {
  DEX_TOKENS,
  type DexAsset,
  type DexChain,
  type DexToken,
  type EVMDexChain,
  USDC,
  USDC_DECIMALS,
} from "intel-node/providers/dex-tokens";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { fetchDecimals, fetchPoolQuotes } from "intel-node/providers/evm-rpc/uniswap-quoter";
import { jupiter } from "intel-node/providers/jupiter/provider";
import { fetchMetisQuote } from "intel-node/providers/jupiter/quote";
import { raydium } from "intel-node/providers/raydium/provider";
import { fetchRaydiumQuote } from "intel-node/providers/raydium/quote";
import { fetchMints } from "intel-node/providers/solana-rpc/mint";
import { solanaRpc } from "intel-node/providers/solana-rpc/provider";

export type DexContext = Pick<FetchContext, "get" | "now_ms" | "usable" | "signal" | "first">;

/** An exact amount of one side against USDC. */
export interface DexSwap {
  readonly token: string;
  /** Buying spends USDC, selling spends the token. */
  readonly side: "buy" | "sell";
  /** What is spent, in its smallest unit. */
  readonly amount: bigint;
}

export interface DexQuote {
  /** What is got, in its smallest unit, after pool fees and price impact. */
  readonly amount_out: bigint;
  /** Of the pool, hundredths of a basis point; null where a route may use several pools. */
  readonly fee_tier: number | null;
  /** Gas of the swap alone; null where the chain has no gas. */
  readonly gas: number | null;
}

export interface DexReading {
  /** Time of the block the quotes were made at; for Solana the time of the call, because its quotes state none. */
  readonly at_ms: number;
  /** In the order asked; null where no pool fills the swap. */
  readonly quotes: readonly (DexQuote | null)[];
}

/** Sources of swap quotes: Uniswap's pools, Raydium's, and with a licence those that Metis routes over. */
export const SWAP_SOURCES = ["uniswap_v3", "raydium", "metis"] as const;
export type SwapSource = (typeof SWAP_SOURCES)[number];

/** For a product's list of providers. */
export const SWAP_PROVIDERS = [evmRpc, solanaRpc, raydium, jupiter] as const;

/** Exchange pools of one chain. */
export interface DexVenue {
  readonly chain: DexChain;
  readonly source: SwapSource;
  /** Those whose decimals the chain confirmed. */
  readonly tokens: readonly DexToken[];
  /** @throws UpstreamError when nothing can be quoted at all. */
  readonly quote: (swaps: readonly DexSwap[]) => Promise<DexReading>;
}

const refuse = (provider: string, why: string) => new UpstreamError("upstream_bad_response", provider, why);
const refuseOff = (provider: string) => new UpstreamError("upstream_auth", provider, `${provider} is switched off`);

/** The tokens whose decimals are what the table says. Without USDC's own nothing can be valued. */
function keepConfirmed(
  tokens: readonly DexToken[],
  decimals: readonly (number | null)[],
  provider: string,
): readonly DexToken[] {
  const [usdc, ...others] = decimals;
  if (usdc !== USDC_DECIMALS) throw refuse(provider, "USDC has other decimals than listed");
  return tokens.filter((token, index) => others[index] === token.decimals);
}

async function openEVM(context: DexContext, chain: EVMDexChain, wanted: readonly DexToken[]): Promise<DexVenue> {
  if (!context.usable(evmRpc)) throw refuseOff(evmRpc.id);
  const decimals = await fetchDecimals(context, chain, [USDC[chain], ...wanted.map(({ address }) => address)]);
  return {
    chain,
    source: "uniswap_v3",
    tokens: keepConfirmed(wanted, decimals, evmRpc.id),
    async quote(swaps) {
      const pool_swaps = swaps.map(({ token, side, amount }) => ({
        token_in: side === "buy" ? USDC[chain] : token,
        token_out: side === "buy" ? token : USDC[chain],
        amount_in: amount,
      }));
      const { block_at_ms, quotes } = await fetchPoolQuotes(context, chain, pool_swaps);
      return { at_ms: block_at_ms, quotes };
    },
  };
}

/** Whether asking again at once makes no sense; an amount that has no route says nothing about the next one. */
const isDown = (error: unknown): boolean =>
  error instanceof UpstreamError && error.kind !== "upstream_bad_response" && error.kind !== "upstream_not_found";

/** The three sizes of one token side by side; the rate limit of either provider holds back what is more. */
const SOLANA_AT_ONCE = 3;

/** With a licence: it routes over the pools of every exchange, Raydium's among them. */
const METIS = { provider: jupiter, source: "metis", fetchQuote: fetchMetisQuote } as const;
const RAYDIUM = { provider: raydium, source: "raydium", fetchQuote: fetchRaydiumQuote } as const;

async function openSolana(context: DexContext, wanted: readonly DexToken[]): Promise<DexVenue> {
  if (!context.usable(solanaRpc)) throw refuseOff(solanaRpc.id);
  const quoter = [METIS, RAYDIUM].find(({ provider }) => context.usable(provider));
  if (!quoter) throw refuseOff(raydium.id);
  const { decimals } = await fetchMints(context, [USDC.solana, ...wanted.map(({ address }) => address)]);
  const quoteOne = async ({ token, side, amount }: DexSwap): Promise<DexQuote> => ({
    amount_out: await quoter.fetchQuote(context, {
      input_mint: side === "buy" ? USDC.solana : token,
      output_mint: side === "buy" ? token : USDC.solana,
      amount,
    }),
    fee_tier: null,
    gas: null,
  });
  return {
    chain: "solana",
    source: quoter.source,
    tokens: keepConfirmed(wanted, decimals, solanaRpc.id),
    async quote(swaps) {
      const quotes: (DexQuote | null)[] = [];
      let cause: unknown;
      // A few at once, then the next: one that is down is not asked for all the rest.
      for (let start = 0; start < swaps.length; start += SOLANA_AT_ONCE) {
        const some = swaps.slice(start, start + SOLANA_AT_ONCE);
        const outcomes = isDown(cause) ? [] : await Promise.all(some.map((swap) => outcomeOf(quoteOne(swap))));
        for (const outcome of outcomes) if (!outcome.ok && !isDown(cause)) cause = outcome.error;
        quotes.push(...some.map((_, index) => (outcomes[index]?.ok ? outcomes[index].value : null)));
      }
      if (cause !== undefined && quotes.every((one) => one === null)) throw cause;
      return { at_ms: context.now_ms, quotes };
    },
  };
}

/**
 * Makes ready to ask a chain's pools about assets: reads from the chain itself how many decimals its tokens have.
 * @throws UpstreamError when the chain cannot be read or its providers are switched off.
 */
export function openVenue(context: DexContext, chain: DexChain, assets: readonly DexAsset[]): Promise<DexVenue> {
  const wanted = DEX_TOKENS[chain].filter(({ asset }) => assets.includes(asset));
  return chain === "solana" ? openSolana(context, wanted) : openEVM(context, chain, wanted);
}

/** USDC as an integer of its smallest unit. */
export const toUSDC = (usdc: number): bigint => BigInt(Math.round(usdc * 10 ** USDC_DECIMALS));
/** An integer of the smallest unit as a number of tokens. */
export const toAmount = (atomic: bigint, decimals: number): number => Number(atomic) / 10 ** decimals;

/** The same number of tokens in another contract's smallest unit, cut off. */
export const rescale = (atomic: bigint, from_decimals: number, to_decimals: number): bigint =>
  (atomic * 10n ** BigInt(to_decimals)) / 10n ** BigInt(from_decimals);

/**
 * A call that is given up after a while, so that one chain that hangs does not hold up the others.
 * @throws UpstreamError when the time is over, else what the call throws.
 */
export async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new UpstreamError("upstream_timeout", what, `${what} took longer than ${ms} ms`));
  }, ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
    // The loser of the race must not surface as an unhandled rejection.
    work.catch(() => undefined);
  }
}
