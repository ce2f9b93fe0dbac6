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
/** What this node's own readers say; a provider's own words are nobody's to repeat. */
const OWN_WORDS =
  /the newest block is (\d+ s old|older than 3 h)|the node is at block \d+, before \d+|take more than \d+ requests/;

/** Why a scan failed, in words that may stand in an answer. */
export function describeScanFault(error: unknown): string {
  if (error instanceof Disagreement) return error.message;
  if (!(error instanceof UpstreamError)) return "it broke off";
  return OWN_WORDS.exec(error.message)?.[0] ?? REASONS[error.kind] ?? "the answer was refused";
}

/** Keeps a sentence about a scan; answers made of that time say it. */
export async function note(context: JobContext, chain: WhaleChain, what: string): Promise<void> {
  await context.table(scanNotes).insert([{ chain, at_ms: context.now_ms, what }]);
}

/**
 * Forgets what was stored of blocks that are no longer in the chain, newest first, so that they are read again, and
 * notes it. Transfers go before the stretch that names them: whoever dies between the two finds the stretch again.
 * @param hashOf the hash of the block there now; null where nobody says, which refutes nothing.
 * @returns the last stretch that still holds.
 */
export async function takeBack(
  context: JobContext,
  chain: BlockChain,
  hashOf: (block: number) => Promise<string | null>,
) {
  const [stretches, rows] = [context.table(scans), context.table(transfers)];
  for (;;) {
    const last = await stretches.first({ where: { chain }, order: ["-to_block"] });
    if (!last) return null;
    const hash = await hashOf(last.to_block);
    if (hash === null || hash === last.to_hash) return last;
    await rows.remove({ chain, block: { from: last.from_block, to: last.to_block } });
    await stretches.remove({ chain, to_block: last.to_block });
    await note(context, chain, `blocks ${last.from_block} to ${last.to_block} left the chain and were read anew`);
  }
}
