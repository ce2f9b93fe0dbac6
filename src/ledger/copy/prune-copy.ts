import { type CopyList, MANIFEST, readNames, type SnapshotName } from "./copy-names.ts";
import type { CopyStore } from "./copy-store.ts";

/** An image that was not finished in so much time never will be. */
const UNFINISHED_MS_MAX = 86_400_000;

/** What no minute since `before_ms` is restored from: all that is older than the last whole image of before then. */
function listOld({ keys, segments, snapshots }: CopyList, before_ms: number): readonly string[] {
  const base = snapshots.findLast(({ whole, at_ms }) => whole && at_ms <= before_ms);
  if (base === undefined) return [];
  const isBefore = ({ generation, at_ms, cut }: SnapshotName): boolean =>
    generation === base.generation ? cut < base.cut : at_ms < base.at_ms;
  const old_folders = new Set(snapshots.filter(isBefore).map(({ key }) => key));
  const old_segments = segments
    .filter((segment) =>
      segment.generation === base.generation ? segment.last <= base.cut : segment.to_ms < base.at_ms,
    )
    .map(({ key }) => key);
  return [...inFolders(keys, old_folders), ...old_segments];
}

const listUnfinished = ({ keys, snapshots }: CopyList, before_ms: number): readonly string[] =>
  inFolders(keys, new Set(snapshots.filter(({ whole, at_ms }) => !whole && at_ms < before_ms).map(({ key }) => key)));

/** The manifests first: an image that lacks a part must not look whole. */
function inFolders(keys: readonly string[], folders: ReadonlySet<string>): readonly string[] {
  const found = keys.filter((key) => folders.has(key.slice(0, key.lastIndexOf("/"))));
  const isManifest = (key: string) => key.endsWith(`/${MANIFEST}`);
  return [...found.filter(isManifest), ...found.filter((key) => !isManifest(key))];
}

/** Removes what is older than it must be kept. Called after a new image was proved. */
export async function pruneCopy(store: CopyStore, { now_ms, keep_ms }: { now_ms: number; keep_ms: number }) {
  const list = readNames(await store.list());
  const old = [...listOld(list, now_ms - keep_ms), ...listUnfinished(list, now_ms - UNFINISHED_MS_MAX)];
  for (const key of old) await store.remove(key);
}
