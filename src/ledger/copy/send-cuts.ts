import { generationName, readNames, segmentKey } from "./copy-names.ts";
import type { CopyRun } from "./copy-run.ts";
import type { CopyStore } from "./copy-store.ts";
import { packSegment } from "./segment.ts";
import { readManifest, type SnapshotManifest } from "./snapshot.ts";

const SEGMENT_BYTES = 4 * 1024 * 1024;
const RANDOM_BYTES = 8;

/**
 * Begins a generation, when no reader is in the way: its first image will be of the file, its first cut of the log as
 * it is then begun.
 * @throws Error of the store, or when other books are copied there.
 */
export async function beginGeneration(run: CopyRun): Promise<void> {
  run.before ??= await findEnd(run.store, run.order.owner);
  if (run.ended || run.trouble() !== null || !run.log.begin()) return;
  const name = generationName(run.clock.now(), crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)));
  run.generation = { name, before: run.before, last_cut: 0, sent_cut: 0, snapshot_ms: null };
}

/** Where the newest generation in a store ended, as far as is known. */
async function findEnd(store: CopyStore, owner: string): Promise<SnapshotManifest["before"]> {
  const { segments, snapshots } = readNames(await store.list());
  const newest = snapshots.findLast(({ whole }) => whole);
  if (newest === undefined) return null;
  const manifest = await readManifest(store, newest.key);
  if (manifest.owner !== "" && owner !== "" && manifest.owner !== owner) {
    throw new Error(`the copy of ${manifest.owner} is there: name another place, each node has its own`);
  }
  const own = segments.filter(({ generation }) => generation === newest.generation);
  const cut = own.reduce((last, segment) => Math.max(last, segment.last), newest.cut);
  return { generation: newest.generation, cut, lost_ms: null };
}

/**
 * Sends the cuts there are, several to a segment.
 * @param sent called after each segment.
 */
export async function sendCuts(run: CopyRun, sent: () => void): Promise<void> {
  const { generation, pending, page_bytes, store } = run;
  while (generation !== null && generation === run.generation && !run.ended) {
    const cuts = pending.take(SEGMENT_BYTES);
    const [first, last] = [cuts[0], cuts.at(-1)];
    if (first === undefined || last === undefined) return;
    const { name } = generation;
    const numbers = { first: first.number, last: last.number };
    const key = segmentKey({ generation: name, ...numbers, from_ms: first.at_ms, to_ms: last.at_ms });
    await store.put(key, await packSegment({ generation: name, page_bytes, cuts }));
    // Given up meanwhile: then others are pending now.
    if (generation !== run.generation) return;
    pending.drop(cuts.length);
    generation.sent_cut = last.number;
    run.copied_ms = last.at_ms;
    sent();
  }
}
