import type { JobContext } from "intel-node";
import { fetchBlockHash } from "intel-node/providers/evm-rpc/block-hash";
import { type BlockHead, fetchHead } from "intel-node/providers/evm-rpc/head";
import { type ScanBook, takeBack } from "./blocks.ts";
import { getStretchOf, PACE, type ScannedChain } from "./chains.ts";

/** The blocks a scan reads next. */
export interface NextBlocks {
  readonly head: BlockHead;
  readonly from_block: number;
  readonly to_block: number;
}

/**
 * Takes back the blocks that left the chain since the last run and returns the blocks to read next: those since the
 * last stretch that holds, as deep as the chain's confirmations, at most a span; reaching back to what was taken back.
 * Null before the first.
 * @throws UpstreamError
 */
export async function openNextBlocks(
  context: JobContext,
  chain: ScannedChain,
  book: ScanBook,
): Promise<NextBlocks | null> {
  const head = await fetchHead(context, chain);
  let lost_from: number | null = null;
  const watched: ScanBook = {
    ...book,
    async forget(stretch) {
      await book.forget(stretch);
      lost_from = stretch.from_block;
    },
  };
  const last = await takeBack(watched, (block) => fetchBlockHash(context, { chain, block }));
  const stretch = getStretchOf({ ...PACE[chain], lost_from }, head.block, last?.to_block);
  return stretch && { head, ...stretch };
}
