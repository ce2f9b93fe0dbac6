import type { SimulatedWorld } from "../../../catalog/simulator.ts";
import { createLaunchIndex } from "./launch-index.ts";
import type { SimulatedTokenFacts } from "./types.ts";
import { HONEST, inventAddress } from "./zoo.ts";

/** Block heights count from here, so that they look like heights. */
export const GENESIS_MS = 1_600_000_000_000;
/** Chains on which tokens are launched: a factory makes a pool every so many blocks, which is every two minutes. */
const EVM_LAUNCHES = {
  ethereum: { block_ms: 12_000, every: 10 },
  base: { block_ms: 2_000, every: 60 },
} as const;
export type EVMLaunchChain = keyof typeof EVM_LAUNCHES;
const DAY_POOLS = 720;
/** Of twelve pools one is of two known tokens, one is an older token's second, one of two that nobody knows. */
const CYCLE = 12;
const SPECIAL: Readonly<Record<number, "known" | "second" | "unknown">> = { 0: "known", 5: "second", 8: "unknown" };

export interface SimulatedPool {
  readonly index: number;
  readonly block: number;
  readonly kind: "launch" | "known" | "second" | "unknown";
}

const isLaunchChain = (chain: string): chain is EVMLaunchChain => Object.hasOwn(EVM_LAUNCHES, chain);

/** The pool that was made in a block; null where none was. */
export function findSimulatedPool(chain: string, block: number): SimulatedPool | null {
  if (!isLaunchChain(chain) || block % EVM_LAUNCHES[chain].every !== 0) return null;
  const index = block / EVM_LAUNCHES[chain].every;
  return { index, block, kind: SPECIAL[index % CYCLE] ?? "launch" };
}

const addressOf = (chain: EVMLaunchChain, index: number): string => inventAddress(chain, `launch ${chain} ${index}`);
const finders = {
  ethereum: createLaunchIndex((index) => addressOf("ethereum", index).toLowerCase(), DAY_POOLS),
  base: createLaunchIndex((index) => addressOf("base", index).toLowerCase(), DAY_POOLS),
};

/** The token a pool launched. */
export function describeEVMLaunch(world: SimulatedWorld, chain: EVMLaunchChain, index: number): SimulatedTokenFacts {
  const { block_ms, every } = EVM_LAUNCHES[chain];
  const draw = (what: string) => world.noise(`launch ${chain} ${index} ${what}`);
  const appetite = draw("appetite") ** 2;
  const liquidity_usd = 500 + 120_000 * appetite;
  const is_clean = appetite > 0.25 && draw("clean") > 0.4;
  const buys_h1 = Math.round(5 + 300 * appetite);
  return {
    ...HONEST,
    id: `launch-${chain}-${index}`,
    chain,
    address: addressOf(chain, index),
    truth: is_clean ? "caution" : "trap",
    name: `Simulated ${chain} coin ${index % 10_000}`,
    symbol: `E${index % 10_000}`,
    decimals: 18,
    price_usd: 0.0001 + 0.001 * draw("price"),
    age_min: (world.now() - GENESIS_MS - index * every * block_ms) / 60_000,
    liquidity_usd,
    lp_locked_pct: is_clean ? 100 : 0,
    buys_h1,
    volume_h1_usd: liquidity_usd * (0.1 + appetite),
    volume_h24_usd: liquidity_usd * (0.2 + appetite),
    sells_h1: Math.round(buys_h1 * (is_clean ? 0.6 : 0.2)),
    holders: HONEST.holders.map((pct) => pct * (is_clean ? 1 : 1 + 3 * draw("crowd"))),
    holder_count: Math.round(10 + 400 * appetite),
    owner: is_clean ? "renounced" : "active",
    open_source: is_clean || draw("source") > 0.5,
    verified: false,
    has_link: draw("link") > 0.5,
    ...(draw("honeypot") > 0.8 && !is_clean ? { sells: "reverts" as const } : {}),
  };
}

/** The launch of an address of the last day. */
export function findEVMLaunch(world: SimulatedWorld, chain: string, address: string): SimulatedTokenFacts | undefined {
  if (!isLaunchChain(chain)) return undefined;
  const { block_ms, every } = EVM_LAUNCHES[chain];
  const newest = Math.floor((world.now() - GENESIS_MS) / (block_ms * every));
  const index = finders[chain](address.toLowerCase(), newest);
  // Pools of other kinds launch nothing.
  return index === null || SPECIAL[index % CYCLE] ? undefined : describeEVMLaunch(world, chain, index);
}
