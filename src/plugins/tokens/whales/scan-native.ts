import type { JobContext } from "intel-node";
import { NATIVE } from "intel-node/providers/dex-tokens";
import { fetchPoolPrice } from "intel-node/providers/dexscreener/pool-price";
import { fetchBlockHash } from "intel-node/providers/evm-rpc/block-hash";
import { type FullBlock, fetchFullBlocks, fetchSucceeded } from "intel-node/providers/evm-rpc/full-blocks";
import { fetchHead } from "intel-node/providers/evm-rpc/head";
import { readAgreedHash } from "./agreed-hash.ts";
import { Disagreement, note, type ScanBook, takeBack } from "./blocks.ts";
import { getStretch, type ScannedChain, STORED_MIN_USD } from "./chains.ts";
import { nativeScans, type TransferRow, transfers } from "./tables.ts";

/** Of how many blocks one is read: whole blocks are large. All of Ethereum's while somebody asks, else a sample. */
export const NATIVE_EVERY = {
  wanted: { ethereum: 1, base: 5 },
  idle: { ethereum: 5, base: 25 },
} as const satisfies Record<string, Readonly<Record<ScannedChain, number>>>;
const BLOCKS_AT_ONCE: Readonly<Record<ScannedChain, number>> = { ethereum: 2, base: 5 };
/** The token name of ether itself. */
export const NATIVE_TOKEN = "native";
/** A transaction moves its own value once: no log has this number. */
const NO_LOG = -1;

const createNativeBook = (context: JobContext, chain: ScannedChain): ScanBook => ({
  findLast: () => context.table(nativeScans).first({ where: { chain }, order: ["-to_block"] }),
  async forget({ from_block, to_block }) {
    const block = { from: from_block, to: to_block };
    await context.table(transfers).remove({ chain, token: NATIVE_TOKEN, block });
    await context.table(nativeScans).remove({ chain, to_block });
  },
  note: (what) => note(context, chain, `of ether: ${what}`),
});

/**
 * Ether that a transaction brings and that a Transfer of its wrapped form in the same one passes on is one movement: it
 * is shown as the transfer.
 */
export function dropWrapped(rows: readonly TransferRow[]): readonly TransferRow[] {
  const wrapped = new Set(rows.flatMap(({ asset, chain, tx }) => (asset === "WETH" ? [`${chain} ${tx}`] : [])));
  return rows.filter(({ token, chain, tx }) => token !== NATIVE_TOKEN || !wrapped.has(`${chain} ${tx}`));
}

/** @throws Disagreement when two blocks next to each other do not follow each other: the chain changed meanwhile. */
function assertChained(blocks: readonly FullBlock[], last: { readonly number: number; readonly hash: string }): void {
  for (const [index, block] of blocks.entries()) {
    const before = blocks[index - 1];
    if (before && before.number === block.number - 1 && before.hash !== block.parent_hash) {
      throw new Disagreement(`block ${block.number} does not follow the one before it`);
    }
    if (block.number === last.number && block.hash !== last.hash) {
      throw new Disagreement(`two answers name different blocks ${block.number}`);
    }
  }
}

/** Payments as rows; wrapping and unwrapping ether is not a movement between two parties. */
function toRows(
  chain: ScannedChain,
  { number: block, hash: block_hash, at_ms, payments }: FullBlock,
  price: number,
): readonly TransferRow[] {
  const wrapper = NATIVE[chain].address.toLowerCase();
  return payments.flatMap(({ tx, from, to, value }): readonly TransferRow[] => {
    if (to === wrapper || from === to) return [];
    const usd = (Number(value) / 1e18) * price;
    const what = { asset: "ETH", token: NATIVE_TOKEN, amount: String(value), usd, total_usd: null };
    return [{ ...what, chain, tx, log_index: NO_LOG, block, block_hash, from, to, at_ms }];
  });
}

/**
 * Reads what transactions moved of ether itself: every block of the stretch since the last scan, or an even sample of
 * them, whole. Payments by contracts inside of transactions are in no block and are not seen. A payment counts when
 * its transaction went through, in the very block that was read.
 * @throws UpstreamError or Disagreement; nothing is stored then.
 */
export async function scanNative(context: JobContext, chain: ScannedChain, every: number): Promise<void> {
  const head = await fetchHead(context, chain);
  const last = await takeBack(createNativeBook(context, chain), (block) => fetchBlockHash(context, { chain, block }));
  const stretch = getStretch(chain, head.block, last?.to_block);
  if (!stretch) return;
  const { from_block, to_block } = stretch;
  const numbers = Array.from({ length: to_block - from_block + 1 }, (_, index) => from_block + index).filter(
    (block) => block % every === 0,
  );
  const { price } = await fetchPoolPrice(context, { chain, token: NATIVE[chain].address });
  const least = BigInt(Math.floor((STORED_MIN_USD / price) * 1e9)) * 10n ** 9n;
  const to_hash = await readAgreedHash(context, chain, to_block);
  const batch_max = BLOCKS_AT_ONCE[chain];
  const blocks = await fetchFullBlocks(context, { chain, blocks: numbers, least, batch_max });
  assertChained(blocks, { number: to_block, hash: to_hash });
  const rows = blocks.flatMap((block) => toRows(chain, block, price));
  const went_through = await fetchSucceeded(context, { chain, hashes: rows.map(({ tx }) => tx) });
  const moved = rows.filter(({ tx, block_hash }) => went_through.get(tx) === block_hash);
  await context.table(transfers).put(moved);
  await context.table(nativeScans).insert([{ chain, ...stretch, to_hash, blocks: blocks.length, at_ms: head.at_ms }]);
}
