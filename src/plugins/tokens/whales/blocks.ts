import { type JobContext, UpstreamError, type UpstreamErrorKind } from "intel-node";
import type { BlockChain, WhaleChain } from "./chains.ts";
import { scanNotes, scans, transfers } from "./tables.ts";

/** Two sources of one chain contradict each other: nothing of it is stored. */
export class Disagreement extends Error {}

const REASONS: Readonly<Partial<Record<UpstreamErrorKind, string>>> = {
  upstream_timeout: "no answer in time",
  upstream_rate_limited: "the quota or the rate limit was spent",
  upstream_unavailable: "out of reach",
};
/** Words of this node's own readers; a provider's words are not repeated. */
const OWN_WORDS =
  /the newest block is (\d+ s old|older than 3 h)|the node is at block \d+, before \d+|take more than \d+ requests/;

/** Why a scan failed, in words fit for an answer. */
export function describeScanFault(error: unknown): string {
  if (error instanceof Disagreement) return error.message;
  if (!(error instanceof UpstreamError)) return "it broke off";
  return OWN_WORDS.exec(error.message)?.[0] ?? REASONS[error.kind] ?? "the answer was refused";
}

/** Keeps a sentence about a scan; answers about that time show it. */
export async function note(context: JobContext, chain: WhaleChain, what: string): Promise<void> {
  await context.table(scanNotes).insert([{ chain, at_ms: context.now_ms, what }]);
}

/** Blocks that were read whole, and the hash of the last of them. */
export interface BlockStretch {
  readonly from_block: number;
  readonly to_block: number;
  readonly to_hash: string;
}

/** What one kind of scan keeps of a chain. */
export interface ScanBook {
  /** The stretch with the highest blocks. */
  readonly findLast: () => Promise<BlockStretch | null>;
  /** Forgets the rows of those blocks first, then the stretch itself: after a crash in between it is found again. */
  readonly forget: (stretch: BlockStretch) => Promise<void>;
  readonly note: (what: string) => Promise<void>;
}

/** The data that whale scans keep of a chain read block by block. */
export const createTransferBook = (context: JobContext, chain: BlockChain): ScanBook => ({
  findLast: () => context.table(scans).first({ where: { chain }, order: ["-to_block"] }),
  async forget({ from_block, to_block }) {
    // What transactions move of ether itself is another scan's.
    const of_tokens = { chain, block: { from: from_block, to: to_block }, log_index: { from: 0 } };
    await context.table(transfers).remove(of_tokens);
    await context.table(scans).remove({ chain, to_block });
  },
  note: (what) => note(context, chain, what),
});

/**
 * Forgets rows of blocks that are no longer in the chain, newest first, so that they are read again, and
 * notes it.
 * @param hashOf the hash of the block there now; null when no endpoint states it, which refutes nothing.
 * @returns the last stretch that still holds.
 */
export async function takeBack(book: ScanBook, hashOf: (block: number) => Promise<string | null>) {
  for (;;) {
    const last = await book.findLast();
    if (!last) return null;
    const hash = await hashOf(last.to_block);
    if (hash === null || hash === last.to_hash) return last;
    await book.forget(last);
    await book.note(`blocks ${last.from_block} to ${last.to_block} left the chain and were read anew`);
  }
}
