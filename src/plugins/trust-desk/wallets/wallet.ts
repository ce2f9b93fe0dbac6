import { type FetchContext, NodeError, outcomeOf } from "intel-node";
import {
  type AddressTransaction,
  fetchAddressTransactions,
  HISTORY_CHAINS,
} from "intel-node/providers/blockscout/address-history";
import { blockscout } from "intel-node/providers/blockscout/provider";
import {
  DEX_TOKENS,
  EVM_DEX_CHAINS,
  type EVMDexChain,
  NATIVE,
  USDC,
  USDC_DECIMALS,
} from "intel-node/providers/dex-tokens";
import { fetchPoolPrice } from "intel-node/providers/dexscreener/pool-price";
import { dexscreener } from "intel-node/providers/dexscreener/provider";
import { type EvmAccount, fetchEvmAccount } from "intel-node/providers/evm-rpc/account";
import { fetchChainlinkPrice } from "intel-node/providers/evm-rpc/chainlink-price";
import { encodeAddress, fetchViews } from "intel-node/providers/evm-rpc/multicall";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { GET_OWNERS, GET_THRESHOLD, type Multisig, readMultisig } from "intel-node/providers/evm-rpc/safe-views";
import { BALANCE_OF } from "intel-node/providers/evm-rpc/wallet-views";
import { solanaRpc } from "intel-node/providers/solana-rpc/provider";
import { fetchSolanaWallet } from "intel-node/providers/solana-rpc/wallet";
import type { WalletAddress } from "../addresses/address.ts";

export const WALLET_PROVIDERS = [evmRpc, solanaRpc, blockscout, dexscreener];

/** What a wallet holds of one asset. */
export interface WalletHolding {
  readonly chain: string;
  /** Null for the chain's own coin. */
  readonly token: string | null;
  /** Null where the token is not one of those this node knows. */
  readonly symbol: string | null;
  readonly amount: bigint;
  readonly decimals: number;
  /** US dollars for one; null without a price. */
  readonly price_usd: number | null;
  /** An unknown token without a price, or with a holding that the deepest pool could not pay. */
  readonly is_spam: boolean;
}

export interface WalletProfile {
  readonly address: string;
  readonly kind: WalletAddress["kind"];
  readonly read_at_ms: number;
  /** Chains that could be read. */
  readonly chains: readonly string[];
  readonly missing: readonly string[];
  readonly account_type: "eoa" | "contract" | "eip7702" | "wallet";
  readonly delegate: string | null;
  /** A contract that answers as a Safe does; null for all others. */
  readonly multisig: Multisig | null;
  readonly holdings: readonly WalletHolding[];
  /** Transactions it sent (EVM), or took part in (Solana); null when not known. */
  readonly tx_count: number | null;
  readonly first_seen_ms: number | null;
  readonly is_first_lower_bound: boolean;
  readonly last_active_ms: number | null;
  /** The newest ones on the chains with an explorer; null when no explorer answered. */
  readonly transactions: readonly AddressTransaction[] | null;
  /** Months of the last twelve in which it was active; null when not known. */
  readonly active_months: number | null;
}

const AGE_MAX_MS = 600_000;
const TTL_MS = 15_000;
const COINS: Readonly<Record<EVMDexChain, string>> = {
  ethereum: "ETH",
  base: "ETH",
  arbitrum: "ETH",
  optimism: "ETH",
  polygon: "POL",
};

/** Tokens whose balance is asked for: the chain's USDC and the assets this node knows there. */
const tokensOf = (chain: EVMDexChain) => [
  { address: USDC[chain], symbol: "USDC", decimals: USDC_DECIMALS },
  ...DEX_TOKENS[chain].map(({ address, wrapper, decimals }) => ({ address, symbol: wrapper, decimals })),
];

type Unpriced = Omit<WalletHolding, "price_usd" | "is_spam">;
/** The value of an asset, and how much of it the market could pay for. */
type Priced = { readonly price: number; readonly liquidity_usd: number };

/** Its holdings of the known tokens, and whether it is a multisig: one call. */
async function fetchTokens(context: FetchContext, chain: EVMDexChain, address: string) {
  const tokens = tokensOf(chain);
  const balances = tokens.map((token) => ({ to: token.address, data: BALANCE_OF + encodeAddress(address) }));
  const views = [...balances, { to: address, data: GET_THRESHOLD }, { to: address, data: GET_OWNERS }];
  const { results } = await fetchViews(context, { chain, views, ttl_ms: TTL_MS, age_max_ms: AGE_MAX_MS });
  const held = tokens.flatMap((token, index): readonly Unpriced[] => {
    const [word] = results[index] ?? [];
    const amount = word === undefined ? 0n : BigInt(`0x${word}`);
    return amount === 0n
      ? []
      : [{ chain, token: token.address, symbol: token.symbol, amount, decimals: token.decimals }];
  });
  return { held, multisig: readMultisig(results[tokens.length], results[tokens.length + 1]) };
}

/** US dollars for one; null where no source has a price. Ether by Chainlink first, all else by its deepest pool. */
async function fetchPrice(context: FetchContext, { chain, token, symbol }: Unpriced): Promise<Priced | null> {
  if (token === null && symbol === "ETH" && context.usable(evmRpc)) {
    const read = await outcomeOf(fetchChainlinkPrice(context, { chain: "ethereum", symbol: "ETH" }));
    if (read.ok && context.now_ms - read.value.updated_at_ms < 7_200_000) {
      return { price: read.value.price, liquidity_usd: Number.POSITIVE_INFINITY };
    }
  }
  const known = chain === "solana" ? "solana" : EVM_DEX_CHAINS.find((one) => one === chain);
  if (known === undefined || !context.usable(dexscreener)) return null;
  const read = await outcomeOf(fetchPoolPrice(context, { chain: known, token: token ?? NATIVE[known].address }));
  return read.ok ? read.value : null;
}

/** Each asset's price is asked for once; the largest amounts of unknown tokens first, 30 at most. */
async function priceAll(context: FetchContext, holdings: readonly Unpriced[]): Promise<readonly WalletHolding[]> {
  const keyOf = ({ chain, token, symbol }: Unpriced) => (token === null ? `coin ${symbol}` : `${chain} ${token}`);
  const wanted = new Map(holdings.map((one) => [keyOf(one), one]));
  const asked = [...wanted].slice(0, 30);
  const prices = new Map(
    await Promise.all(asked.map(async ([key, one]) => [key, await fetchPrice(context, one)] as const)),
  );
  return holdings.map((one) => priceHolding(one, prices.get(keyOf(one)) ?? null));
}

/**
 * Unsolicited tokens must not make a wallet rich: a token this node does not know is worth nothing that
 * its deepest pool could not pay.
 */
export function priceHolding(one: Unpriced, priced: Priced | null): WalletHolding {
  const worth = priced === null ? 0 : amountOf(one) * priced.price;
  const is_known = one.token === null || one.symbol !== null;
  if (is_known) return { ...one, price_usd: priced?.price ?? null, is_spam: false };
  const is_spam = priced === null || worth > priced.liquidity_usd;
  return { ...one, price_usd: is_spam ? null : priced.price, is_spam };
}

const MONTH_MS = 30.4375 * 86_400_000;
/** Of the last twelve months, those with one of these times. */
const countMonths = (times_ms: readonly number[], now_ms: number): number =>
  new Set(times_ms.map((at_ms) => Math.floor((now_ms - at_ms) / MONTH_MS)).filter((month) => month >= 0 && month < 12))
    .size;

async function fetchHistory(context: FetchContext, address: string) {
  if (!context.usable(blockscout)) return null;
  const pages = await Promise.all(
    HISTORY_CHAINS.flatMap((chain) =>
      (["asc", "desc"] as const).map(async (order) => ({
        order,
        page: await outcomeOf(fetchAddressTransactions(context, { chain, address, order })),
      })),
    ),
  );
  const oldest = pages.filter(({ order }) => order === "asc");
  const newest = pages.filter(({ order }) => order === "desc");
  if (!newest.some(({ page }) => page.ok)) return null;
  const listOf = (some: typeof pages): AddressTransaction[] => some.flatMap(({ page }) => (page.ok ? page.value : []));
  const transactions = listOf(newest).sort((a, b) => b.at_ms - a.at_ms);
  const firsts = listOf(oldest).map(({ at_ms }) => at_ms);
  return {
    transactions,
    first_seen_ms: firsts.length > 0 ? Math.min(...firsts) : null,
    // An explorer that was silent may know an older one.
    is_first_lower_bound: oldest.some(({ page }) => !page.ok),
  };
}

async function readEvm(context: FetchContext, address: string): Promise<WalletProfile> {
  const [chains, history] = await Promise.all([
    Promise.all(
      EVM_DEX_CHAINS.map(async (chain) => {
        const [account, tokens] = await Promise.all([
          outcomeOf(fetchEvmAccount(context, { chain, address })),
          outcomeOf(fetchTokens(context, chain, address)),
        ]);
        return { chain, account: account.ok ? account.value : null, tokens: tokens.ok ? tokens.value : null };
      }),
    ),
    fetchHistory(context, address),
  ]);
  const read = chains.flatMap(({ account }) => account ?? []);
  if (read.length === 0) throw new NodeError("upstream_unavailable", "No chain's nodes could be read.");
  const coins = read.map(({ chain, balance_wei }): Unpriced => {
    const known = EVM_DEX_CHAINS.find((one) => one === chain) ?? "ethereum";
    return { chain, token: null, symbol: COINS[known], amount: balance_wei, decimals: 18 };
  });
  const held = [...coins.filter(({ amount }) => amount > 0n), ...chains.flatMap(({ tokens }) => tokens?.held ?? [])];
  const typed = read.find(({ type }) => type !== "eoa");
  const times = history?.transactions.map(({ at_ms }) => at_ms) ?? [];
  return {
    address,
    kind: "evm",
    read_at_ms: oldestBlock(read),
    holdings: await priceAll(context, held),
    chains: read.map(({ chain }) => chain),
    missing: chains.filter(({ account, tokens }) => !account || !tokens).map(({ chain }) => chain),
    account_type: typed?.type ?? "eoa",
    delegate: typed?.delegate ?? null,
    multisig: chains.flatMap(({ tokens }) => tokens?.multisig ?? [])[0] ?? null,
    tx_count: read.length === EVM_DEX_CHAINS.length ? read.reduce((sum, { nonce }) => sum + nonce, 0) : null,
    first_seen_ms: history?.first_seen_ms ?? null,
    is_first_lower_bound: history?.is_first_lower_bound ?? false,
    last_active_ms: times[0] ?? null,
    transactions: history?.transactions ?? null,
    active_months: history ? countMonths(times, context.now_ms) : null,
  };
}

const oldestBlock = (accounts: readonly EvmAccount[]): number =>
  Math.min(...accounts.map(({ block_at_ms }) => block_at_ms));

async function readSolana(context: FetchContext, address: string): Promise<WalletProfile> {
  const wallet = await fetchSolanaWallet(context, { address });
  const known = [
    { address: USDC.solana, symbol: "USDC" },
    ...DEX_TOKENS.solana.map((one) => ({ ...one, symbol: one.wrapper })),
  ];
  const held: Unpriced[] = [
    { chain: "solana", token: null, symbol: "SOL", amount: wallet.lamports, decimals: 9 },
    ...wallet.tokens.map(({ mint, amount, decimals }) => ({
      chain: "solana",
      token: mint,
      amount,
      decimals,
      symbol: known.find((one) => one.address === mint)?.symbol ?? null,
    })),
  ];
  const times = wallet.signature_times_ms;
  return {
    address,
    kind: "solana",
    read_at_ms: context.now_ms,
    chains: ["solana"],
    missing: [],
    account_type: "wallet",
    delegate: null,
    multisig: null,
    transactions: null,
    holdings: await priceAll(
      context,
      held.filter(({ amount }) => amount > 0n),
    ),
    tx_count: wallet.has_more ? null : times.length,
    first_seen_ms: times.at(-1) ?? null,
    is_first_lower_bound: wallet.has_more,
    last_active_ms: times[0] ?? null,
    active_months:
      wallet.has_more && countMonths(times, context.now_ms) < 12 ? null : countMonths(times, context.now_ms),
  };
}

/**
 * A wallet as the chains' own nodes show it, with its past where an explorer has it.
 * @throws NodeError upstream_unavailable when no node could be read.
 */
export const readWallet = (context: FetchContext, { kind, address }: WalletAddress): Promise<WalletProfile> =>
  kind === "evm" ? readEvm(context, address) : readSolana(context, address);

const amountOf = ({ amount, decimals }: Pick<WalletHolding, "amount" | "decimals">): number =>
  Number(amount) / 10 ** decimals;

/** US dollars; null without a price. */
export const getValue = (one: WalletHolding): number | null =>
  one.price_usd === null ? null : amountOf(one) * one.price_usd;

/** Whom a wallet dealt with, the most frequent first. */
export function countCounterparties({ address, transactions }: WalletProfile) {
  const counts = new Map<string, number>();
  for (const { from, to } of transactions ?? []) {
    const other = from === address ? to : from;
    if (other !== null && other !== address) counts.set(other, (counts.get(other) ?? 0) + 1);
  }
  return [...counts].map(([other, count]) => ({ address: other, count })).sort((a, b) => b.count - a.count);
}

/** Part of the coin it moved (both ways) that moved with some of its counterparties; null where none moved. */
export function getMovedShare({ address, transactions }: WalletProfile, others: ReadonlySet<string>): number | null {
  let [all, with_them] = [0n, 0n];
  for (const { from, to, value_wei } of transactions ?? []) {
    const other = from === address ? to : from;
    if (other === null || other === address) continue;
    all += value_wei;
    if (others.has(other)) with_them += value_wei;
  }
  return all === 0n ? null : Number((with_them * 1_000_000n) / all) / 1_000_000;
}
