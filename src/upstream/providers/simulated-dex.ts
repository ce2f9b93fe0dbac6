import type { SimulatedWorld } from "../../catalog/simulator.ts";
import { DEX_CHAINS, DEX_TOKENS, type DexChain, NATIVE, USDC, USDC_DECIMALS } from "./dex-tokens.ts";

/** Rough depth of the pools of each chain, US dollars, so that larger amounts get visibly worse prices. */
const DEPTH_USD: Readonly<Record<DexChain, number>> = {
  ethereum: 60_000_000,
  base: 30_000_000,
  arbitrum: 20_000_000,
  optimism: 8_000_000,
  polygon: 5_000_000,
  solana: 15_000_000,
};
const NATIVE_SYMBOLS: Readonly<Record<DexChain, string>> = {
  ethereum: "ETH",
  base: "ETH",
  arbitrum: "ETH",
  optimism: "ETH",
  polygon: "POL",
  solana: "SOL",
};
/** How far a chain's price is off the world's: enough that some round trips gain before costs. */
const OFFSET_RATIO_MAX = 0.001;
const STEP_MS = 10_000;

export const isDexChain = (name: string): name is DexChain => DEX_CHAINS.some((chain) => chain === name);

export interface SimulatedToken {
  readonly address: string;
  /** Symbol in the world's market. */
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
}

const fold = (chain: DexChain, address: string): string => (chain === "solana" ? address : address.toLowerCase());

/** The token at an address, whether an asset, USDC or what gas is paid in. */
export function findSimulatedToken(chain: DexChain, address: string): SimulatedToken | undefined {
  const tokens: readonly SimulatedToken[] = [
    { address: USDC[chain], symbol: "USDC", name: "USDC", decimals: USDC_DECIMALS },
    ...DEX_TOKENS[chain].map((token) => ({ ...token, symbol: token.asset, name: token.wrapper })),
    { ...NATIVE[chain], symbol: NATIVE_SYMBOLS[chain], name: NATIVE_SYMBOLS[chain] },
  ];
  return tokens.find((token) => fold(chain, token.address) === fold(chain, address));
}

/** US dollars for one token on a chain. */
export function getSimulatedPoolPrice(world: SimulatedWorld, chain: DexChain, token: SimulatedToken): number {
  if (token.symbol === "USDC") return world.price("USDC");
  const step = Math.floor(world.now() / STEP_MS);
  const offset = (world.noise(`dex ${chain} ${token.name} ${step}`) * 2 - 1) * OFFSET_RATIO_MAX;
  return world.price(token.symbol) * (1 + offset);
}

export const getSimulatedLiquidity = (world: SimulatedWorld, chain: DexChain, token: SimulatedToken): number =>
  Math.round((DEPTH_USD[chain] / 10) * (1 + world.noise(`liquidity ${chain} ${token.name}`)));

export interface SimulatedSwap {
  readonly chain: DexChain;
  readonly from: string;
  readonly to: string;
  /** In the smallest unit. */
  readonly amount: bigint;
  /** Share the pool keeps. */
  readonly fee_ratio: number;
  /** How much worse than the chain's best pool this one is. */
  readonly thinness: number;
}

/** What a pool pays, in the smallest unit; undefined for unknown tokens. */
export function getSimulatedSwap(world: SimulatedWorld, swap: SimulatedSwap): bigint | undefined {
  const { chain, amount, fee_ratio, thinness } = swap;
  const [from, to] = [findSimulatedToken(chain, swap.from), findSimulatedToken(chain, swap.to)];
  if (!from || !to || amount <= 0n) return undefined;
  const value_usd = (Number(amount) / 10 ** from.decimals) * getSimulatedPoolPrice(world, chain, from);
  const impact = Math.min(0.9, (value_usd / DEPTH_USD[chain]) * thinness);
  const out = (value_usd / getSimulatedPoolPrice(world, chain, to)) * (1 - fee_ratio) * (1 - impact);
  return BigInt(Math.floor(out * 10 ** to.decimals));
}
