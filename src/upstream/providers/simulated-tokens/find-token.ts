import type { SimulatedWorld } from "../../../catalog/simulator.ts";
import { foldAddress } from "../issuer-tokens.ts";
import { findEVMLaunch } from "./evm-launches.ts";
import { findSimulatedLaunch } from "./launches.ts";
import type { SimulatedTokenFacts } from "./types.ts";
import { inventAddress, ZOO } from "./zoo.ts";

const BY_ADDRESS = new Map(ZOO.map((token) => [`${token.chain} ${foldAddress(token.chain, token.address)}`, token]));

/** What is known of a token: of the zoo, or launched within the last day. */
export function findTokenFacts(world: SimulatedWorld, chain: string, address: string): SimulatedTokenFacts | undefined {
  const known = BY_ADDRESS.get(`${chain} ${foldAddress(chain, address)}`);
  if (known) return known;
  return chain === "solana" ? findSimulatedLaunch(world, address)?.token : findEVMLaunch(world, chain, address);
}

export const poolAddressOf = ({ chain, id }: SimulatedTokenFacts): string => inventAddress(chain, `pool of ${id}`);
export const creatorOf = ({ chain, id, creator }: SimulatedTokenFacts): string =>
  creator ?? inventAddress(chain, `creator of ${id}`);
export const ownerOf = ({ chain, id }: SimulatedTokenFacts): string => inventAddress(chain, `owner of ${id}`);
export const holderOf = ({ chain, id }: SimulatedTokenFacts, rank: number): string =>
  inventAddress(chain, `holder ${rank} of ${id}`);
/** Percent of supply in the pool; the rest of the pool is dollars. */
export const poolPctOf = ({ liquidity_usd, price_usd, supply }: SimulatedTokenFacts): number =>
  Math.min(60, (liquidity_usd / 2 / price_usd / supply) * 100);
