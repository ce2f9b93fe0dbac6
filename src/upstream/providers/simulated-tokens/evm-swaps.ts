import type { SimulatedWorld } from "../../../catalog/simulator.ts";
import { sha256Hex } from "../../../core/hash.ts";
import { USDC } from "../dex-tokens.ts";
import { encodeAddress, encodeWord } from "../evm-rpc/multicall.ts";
import { poolAddressOf } from "./find-token.ts";
import type { SimulatedTokenFacts } from "./types.ts";
import { inventAddress, ZOO } from "./zoo.ts";

/** Swap(address,uint256,uint256,uint256,uint256,address) of Uniswap v2. */
export const SWAP_V2 = "0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822";
const TRADERS = 12;
/** Of the traders, those who buy when the price is low. */
const SKILLED = 5;
const BLOCKS: Readonly<Record<string, { readonly per_cycle: number; readonly share: number }>> = {
  ethereum: { per_cycle: 12, share: 0.7 },
  base: { per_cycle: 70, share: 0.36 },
};

const BY_POOL = new Map(
  ZOO.filter(({ chain, truth }) => chain !== "solana" && truth !== "blue_chip").map((token) => [
    `${token.chain} ${poolAddressOf(token).toLowerCase()}`,
    token,
  ]),
);

/** Which log of its block a pool's swap is: no two are the same one. */
const LOG_INDEX = new Map([...BY_POOL.values()].map(({ chain, id }, index) => [`${chain} ${id}`, index + 1]));

const toUnits = (amount: number, decimals: number): bigint =>
  BigInt(Math.round(amount * 1e6)) * 10n ** BigInt(Math.max(decimals - 6, 0));

/** At most one swap of a pool in a block: its price goes up and down, and some traders know when. */
function getSwap(world: SimulatedWorld, token: SimulatedTokenFacts, block: number) {
  const { chain, id, decimals } = token;
  const { per_cycle, share } = BLOCKS[chain] ?? { per_cycle: 1, share: 0 };
  const draw = (what: string): number => world.noise(`swap ${chain} ${id} ${block} ${what}`);
  if (draw("any") >= share) return null;
  const wave = Math.sin((2 * Math.PI * block) / per_cycle);
  const trader = Math.floor(draw("trader") * TRADERS);
  const is_buy = trader < SKILLED ? wave < 0 : draw("side") < 0.5;
  const usd = 1_000 + 9_000 * draw("usd");
  const qty = usd / (token.price_usd * (1 + 0.1 * wave));
  const signer = inventAddress(chain, `trader ${trader}`).toLowerCase();
  const [paid, got] = [toUnits(usd, 6), toUnits(qty, decimals)];
  const is_token_0 = token.address.toLowerCase() < USDC[chain].toLowerCase();
  const sides = is_buy
    ? { in_token: 0n, in_usd: paid, out_token: got, out_usd: 0n }
    : { in_token: got, in_usd: 0n, out_token: 0n, out_usd: paid };
  const { in_token, in_usd, out_token, out_usd } = sides;
  const words = is_token_0 ? [in_token, in_usd, out_token, out_usd] : [in_usd, in_token, out_usd, out_token];
  const pool = poolAddressOf(token).toLowerCase();
  return {
    address: pool,
    topics: [SWAP_V2, `0x${encodeAddress(pool)}`, `0x${encodeAddress(signer)}`],
    data: `0x${words.map(encodeWord).join("")}`,
    blockNumber: `0x${block.toString(16)}`,
    blockHash: `0x${sha256Hex(`block ${chain} ${block}`)}`,
    // The hash contains the signer, so that it is enough to find the transaction.
    transactionHash: `0x${sha256Hex(`swap ${chain} ${id} ${block}`).slice(0, 24)}${signer.slice(2)}`,
    logIndex: `0x${(LOG_INDEX.get(`${chain} ${id}`) ?? 0).toString(16)}`,
    removed: false,
  };
}

/** Swaps of simulated pools in a range of blocks. */
export const listSimulatedSwaps = (
  world: SimulatedWorld,
  chain: string,
  { pools, blocks }: { readonly pools: readonly string[]; readonly blocks: readonly number[] },
): readonly unknown[] => {
  const tokens = pools.flatMap((pool) => BY_POOL.get(`${chain} ${pool.toLowerCase()}`) ?? []);
  return blocks.flatMap((block) => tokens.flatMap((token) => getSwap(world, token, block) ?? []));
};

/** The transaction of a simulated swap; null for an invalid hash. */
export const getSimulatedTransaction = (hash: unknown) =>
  typeof hash === "string" && /^0x[0-9a-f]{64}$/.test(hash)
    ? { hash, from: `0x${hash.slice(26)}`, to: null, value: "0x0", input: "0x" }
    : null;
