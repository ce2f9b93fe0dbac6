import { getOwn, type JobContext } from "intel-node";
import type { DexPair } from "intel-node/providers/dexscreener/pairs";
import { fetchPoolChanges, fetchSignatures, type PoolChange } from "intel-node/providers/solana-rpc/pool-trades";

/** Public nodes take 40 calls of one method in ten seconds: all transactions of a run stay below that. */
export const SAMPLED_POOLS_MAX = 3;
const READ_PER_POOL = 12;
/** A node lists no more signatures at once. */
const LISTED_MAX = 1_000;

/** Pools of these kinds own their token accounts themselves, so a transaction shows what it did to them. */
const OWNERS: Readonly<Record<string, string | null>> = { orca: null, raydium: "CLMM", meteora: "DLMM" };

/** Whether a transaction's balances show what it did to the pool. */
export function ownsItsAccounts({ dex, labels }: Pick<DexPair, "dex" | "labels">): boolean {
  const label = getOwn(OWNERS, dex);
  return label !== undefined && (label === null || labels.includes(label));
}

/** So many of a list, evenly spread, so that no moment is preferred. */
export const spread = <T>(list: readonly T[], most: number): readonly T[] =>
  list.length <= most
    ? list
    : Array.from({ length: most }, (_, index) => list[Math.floor((index * list.length) / most)] as T);

/** Where the last run of a pool ended. */
export interface SampleEnd {
  readonly signature: string;
  readonly slot: number;
}

/** Transactions of a pool since the last run, and what those that were read did to it. */
export interface PoolSample {
  readonly end: SampleEnd;
  readonly newest_ms: number;
  /** Finalized ones that went through. */
  readonly listed: number;
  /** Whether there were more than a node lists: those are not even counted. */
  readonly is_cut: boolean;
  readonly read: readonly { readonly signature: string; readonly at_ms: number; readonly change: PoolChange }[];
}

/**
 * An even sample of a pool's finalized transactions since the last run; null without any. What a lagging node
 * lists again from before the last run's slot is not counted again.
 * @throws UpstreamError when none of them can be read.
 */
export async function samplePool(
  context: JobContext,
  pool: string,
  last: SampleEnd | null,
): Promise<PoolSample | null> {
  const all = await fetchSignatures(context, { address: pool, ...(last ? { until: last.signature } : {}) });
  const fresh = all.filter(({ slot, signature }) => !last || (slot >= last.slot && signature !== last.signature));
  // A trade without a time cannot be dated.
  const listed = fresh.flatMap(({ failed, at_ms, ...one }) => (failed || at_ms === null ? [] : [{ ...one, at_ms }]));
  const [newest] = listed;
  if (!newest) return null;
  const chosen = spread(listed, READ_PER_POOL);
  const outcomes = await fetchPoolChanges(context, { pool, signatures: chosen.map(({ signature }) => signature) });
  const [failed] = outcomes.filter((one) => !one.ok);
  if (failed && !failed.ok && outcomes.every((one) => !one.ok)) throw failed.error;
  const read = outcomes.flatMap((one, index) => {
    const from = chosen[index];
    // Of another slot than listed, it is another node's other view.
    return one.ok && from && one.value.slot === from.slot
      ? [{ signature: from.signature, at_ms: from.at_ms, change: one.value }]
      : [];
  });
  return {
    end: { signature: newest.signature, slot: newest.slot },
    // As old as what was read, whenever that was: a node that hangs behind shows the past.
    newest_ms: Math.min(newest.at_ms, context.now_ms),
    listed: listed.length,
    is_cut: last !== null && all.length >= LISTED_MAX,
    read,
  };
}
