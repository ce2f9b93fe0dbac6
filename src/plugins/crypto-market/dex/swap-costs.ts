import { outcomeOf } from "intel-node";
import { type DexChain, NATIVE, USDC_DECIMALS } from "intel-node/providers/dex-tokens";
import { fetchFeeHistory } from "intel-node/providers/evm-rpc/fee-history";
import { fetchPrioritizationFees } from "intel-node/providers/solana-rpc/prioritization-fees";
import { median } from "simple-statistics";
import { type DexContext, toAmount } from "./venue.ts";

/** What a router adds to a pool's own gas, gas. */
const OVERHEAD_GAS = 30_000;
const WEI_PER_NATIVE = 1e18;
const TIP_PERCENTILES = [25, 50, 75] as const;
const MIDDLE = 1;

const SIGNATURE_LAMPORTS = 5_000;
const SWAP_COMPUTE_UNITS = 200_000;
const MICROLAMPORTS_PER_LAMPORT = 1e6;
const LAMPORTS_PER_SOL = 1e9;

/** The fee of a transaction that uses this much gas, US dollars. Chains without gas have one fee for any swap. */
export type GasCost = (gas: number) => number;

/** One token of what gas is paid in, to ask the pools for its price. */
export const ONE_NATIVE = (chain: DexChain) =>
  ({ token: NATIVE[chain].address, side: "sell", amount: 10n ** BigInt(NATIVE[chain].decimals) }) as const;

/** USDC for one token of what gas is paid in, from what the pools pay for it. */
export const readNative = (amount_out: bigint): number => toAmount(amount_out, USDC_DECIMALS);

/**
 * Fee on Ethereum and its kind: (base fee of the next block + median tip of 20 blocks) x gas. The fee that rollups take
 * for their data on Ethereum is not in it.
 */
async function fetchEVMCost(context: DexContext, chain: DexChain, native_usd: number): Promise<GasCost> {
  const { next_base_fee_wei, tips_wei } = await fetchFeeHistory(context, { chain, percentiles: TIP_PERCENTILES });
  const tip_wei = median(tips_wei.map((tips) => tips[MIDDLE] ?? Number.NaN));
  const usd_per_gas = ((next_base_fee_wei + tip_wei) / WEI_PER_NATIVE) * native_usd;
  return (gas) => gas * usd_per_gas;
}

/** One signature and the median priority fee of 200,000 compute units. */
async function fetchSolanaCost(context: DexContext, native_usd: number): Promise<GasCost> {
  const fees = await fetchPrioritizationFees(context);
  const lamports = SIGNATURE_LAMPORTS + (median([...fees]) * SWAP_COMPUTE_UNITS) / MICROLAMPORTS_PER_LAMPORT;
  return () => (lamports / LAMPORTS_PER_SOL) * native_usd;
}

/** What transactions cost on a chain; null when that cannot be read, or without the price of what gas is paid in. */
export async function fetchGasCost(
  context: DexContext,
  chain: DexChain,
  native_usd: number | null,
): Promise<GasCost | null> {
  if (native_usd === null) return null;
  const cost = chain === "solana" ? fetchSolanaCost(context, native_usd) : fetchEVMCost(context, chain, native_usd);
  const outcome = await outcomeOf(cost);
  return outcome.ok ? outcome.value : null;
}

/** The fee of one swap, US dollars; null when unknown. */
export const getSwapCost = (cost: GasCost | null, gas: number | null): number | null =>
  cost === null ? null : cost((gas ?? 0) + OVERHEAD_GAS);
