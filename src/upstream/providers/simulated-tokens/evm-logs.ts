import type { SimulatedWorld } from "../../../catalog/simulator.ts";
import { sha256Hex } from "../../../core/hash.ts";
import { encodeAddress, encodeWord } from "../evm-rpc/multicall.ts";
import { listSimulatedPools, PAIR_CREATED } from "./evm-pools.ts";
import { listSimulatedSwaps, SWAP_V2 } from "./evm-swaps.ts";
import { findTokenFacts } from "./find-token.ts";
import { inventAddress } from "./zoo.ts";

const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const BLOCKS_MAX = 2_000;
const ZERO = `0x${"0".repeat(40)}`;
/** Wallets everybody knows, so that some transfers are into and out of exchanges. */
const KNOWN = ["0x28c6c06298d514db089934071355e5743bf21d60", "0x71660c4005ba85c37ccec55d0c4493e66fe775d3", ZERO];

interface Filter {
  readonly address?: string | readonly string[];
  readonly topics?: readonly unknown[];
  readonly fromBlock?: string;
  readonly toBlock?: string;
}

/** One transfer of every token in every block; the amount is anything between 1,000 and 30 million US dollars. */
function getTransfer(world: SimulatedWorld, chain: string, at: { readonly token: string; readonly block: number }) {
  const token = findTokenFacts(world, chain, at.token);
  if (!token) return null;
  const draw = (what: string) => world.noise(`transfer ${chain} ${token.id} ${at.block} ${what}`);
  const wallet = (what: string) => {
    const known = KNOWN[Math.floor(draw(`known ${what}`) * 12)];
    return known ?? inventAddress(token.chain, `wallet ${Math.floor(draw(what) * 500)}`);
  };
  const usd = 10 ** (3 + 4.5 * draw("usd"));
  const amount = BigInt(Math.round((usd / token.price_usd) * 1e6)) * 10n ** BigInt(Math.max(token.decimals - 6, 0));
  const hash = (of: string) => `0x${sha256Hex(of)}`;
  return {
    address: token.address.toLowerCase(),
    topics: [TRANSFER, `0x${encodeAddress(wallet("from"))}`, `0x${encodeAddress(wallet("to"))}`],
    data: `0x${encodeWord(token.decimals < 6 ? amount / 10n ** BigInt(6 - token.decimals) : amount)}`,
    blockNumber: `0x${at.block.toString(16)}`,
    blockHash: hash(`block ${chain} ${at.block}`),
    transactionHash: hash(`tx ${chain} ${token.id} ${at.block}`),
    logIndex: `0x${(token.id.length % 90).toString(16)}`,
    removed: false,
  };
}

/** What eth_getLogs answers for transfers, swaps and new pools; a range that is too long is refused as nodes do. */
export function listSimulatedLogs(world: SimulatedWorld, chain: string, filter: Filter): readonly unknown[] | null {
  const [from, to] = [Number(filter.fromBlock), Number(filter.toBlock)];
  if (!(to >= from) || to - from > BLOCKS_MAX) return null;
  const addresses = typeof filter.address === "string" ? [filter.address] : (filter.address ?? []);
  const blocks = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const [topic] = filter.topics ?? [];
  if (Array.isArray(topic) && topic.includes(SWAP_V2))
    return listSimulatedSwaps(world, chain, { pools: addresses, blocks });
  if (Array.isArray(topic) && topic.includes(PAIR_CREATED)) {
    return listSimulatedPools(world, chain, { factories: addresses, blocks });
  }
  if (topic !== TRANSFER) return [];
  return blocks.flatMap((block) => addresses.flatMap((token) => getTransfer(world, chain, { token, block }) ?? []));
}
