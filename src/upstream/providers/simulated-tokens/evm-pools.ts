import type { SimulatedWorld } from "../../../catalog/simulator.ts";
import { sha256Hex } from "../../../core/hash.ts";
import { NATIVE, USDC } from "../dex-tokens.ts";
import { encodeAddress, encodeWord } from "../evm-rpc/multicall.ts";
import { describeEVMLaunch, type EVMLaunchChain, findSimulatedPool, type SimulatedPool } from "./evm-launches.ts";
import { poolAddressOf } from "./find-token.ts";
import { inventAddress } from "./zoo.ts";

/** PairCreated of Uniswap v2, and Initialize of v4. */
export const PAIR_CREATED = "0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9";
const INITIALIZE = "0xdd466e674ea557f56295e2d0218a125ea4b4f0f6f3307b95f85e6110838d6438";
const FACTORIES: Readonly<Record<EVMLaunchChain, { readonly v2: string; readonly v4: string }>> = {
  ethereum: {
    v2: "0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f",
    v4: "0x000000000004444c5dc75cb358380d2e3de08a90",
  },
  base: { v2: "0x8909dc15e40173ff4699343b6eb8132c65e18ec6", v4: "0x498581ff718922c3f8e6a244956af099b2652b2b" },
};

/** The two tokens of a pool, as its kind says. */
function getSides(world: SimulatedWorld, chain: EVMLaunchChain, { index, kind }: SimulatedPool): readonly string[] {
  const weth = NATIVE[chain].address;
  if (kind === "known") return [weth, USDC[chain]];
  if (kind === "unknown") return [1, 2].map((side) => inventAddress(chain, `nobody ${chain} ${index} ${side}`));
  const token = describeEVMLaunch(world, chain, kind === "second" ? index - 1 : index);
  return [token.address, weth];
}

function getLog(world: SimulatedWorld, chain: EVMLaunchChain, pool: SimulatedPool) {
  const { index, block, kind } = pool;
  const sides = getSides(world, chain, pool)
    .map((one) => one.toLowerCase())
    .sort();
  const topics = sides.map((side) => `0x${encodeAddress(side)}`);
  const hash = (of: string) => `0x${sha256Hex(of)}`;
  const is_v4 = index % 3 === 0;
  const id =
    kind === "launch"
      ? poolAddressOf(describeEVMLaunch(world, chain, index))
      : inventAddress(chain, `${kind} ${index}`);
  return {
    address: FACTORIES[chain][is_v4 ? "v4" : "v2"],
    topics: is_v4 ? [INITIALIZE, hash(`pool ${chain} ${index}`), ...topics] : [PAIR_CREATED, ...topics],
    data: is_v4
      ? `0x${[3_000n, 60n, 0n, 1n << 96n, 0n].map(encodeWord).join("")}`
      : `0x${encodeAddress(id)}${encodeWord(BigInt(index))}`,
    blockNumber: `0x${block.toString(16)}`,
    blockHash: hash(`block ${chain} ${block}`),
    transactionHash: hash(`create ${chain} ${index}`),
    logIndex: `0x${(index % 200).toString(16)}`,
    removed: false,
  };
}

/** What factories announced in a range of blocks. */
export const listSimulatedPools = (
  world: SimulatedWorld,
  chain: string,
  { factories, blocks }: { readonly factories: readonly string[]; readonly blocks: readonly number[] },
): readonly unknown[] =>
  blocks.flatMap((block) => {
    const pool = findSimulatedPool(chain, block);
    if (!pool) return [];
    const log = getLog(world, chain as EVMLaunchChain, pool);
    return factories.some((one) => one.toLowerCase() === log.address) ? [log] : [];
  });
