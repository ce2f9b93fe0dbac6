import { closeSync, fsyncSync, ftruncateSync, openSync, rmSync, writeSync } from "node:fs";
import { renderTime } from "../../core/clock.ts";
import { messageOf } from "../../core/errors.ts";
import { chooseRestore, type RestorePlan } from "./choose-restore.ts";
import { type CopyList, readNames } from "./copy-names.ts";
import type { CopyStore } from "./copy-store.ts";
import { type Cut, type Segment, unpackSegment } from "./segment.ts";
import { readManifest, readSnapshot, type SnapshotManifest } from "./snapshot.ts";

export interface BuiltLedger {
  /** Of the newest commits in it, ms. */
  readonly at_ms: number;
  readonly owner: string;
  readonly segments: number;
}

interface Target {
  readonly at_ms: number;
  /** File that does not exist yet. */
  readonly file: string;
}

/**
 * Makes a ledger file of a copy, as the books were at a moment: the newest image before it, and every page that was
 * written since. Each part is proved by its digest first. Whether the books in it are true is not asked here.
 * @throws Error when the copy lacks a part or one is not as it was written; no file is left then.
 */
export async function buildLedger(store: CopyStore, { at_ms, file }: Target): Promise<BuiltLedger> {
  const list = readNames(await store.list());
  const plan = chooseRestore(list, at_ms);
  const manifest = await readImageFacts(store, plan);
  const descriptor = openSync(file, "wx", 0o600);
  let done = false;
  try {
    let at = 0;
    const { key } = plan.image;
    await readSnapshot(store, { key, manifest }, (bytes) => {
      writeAll(descriptor, bytes, at);
      at += bytes.length;
    });
    const end = await applySegments(store, plan, { manifest, at_ms, descriptor });
    await assertEnd(store, list, { plan, end, at_ms });
    fsyncSync(descriptor);
    done = true;
    return { at_ms: end.at_ms, owner: manifest.owner, segments: plan.segments.length };
  } finally {
    closeSync(descriptor);
    if (!done) rmSync(file, { force: true });
  }
}

async function readImageFacts(store: CopyStore, { image }: RestorePlan): Promise<SnapshotManifest> {
  const manifest = await readManifest(store, image.key).catch((error: unknown) => {
    throw new Error(`the manifest of ${image.key} cannot be read: ${messageOf(error)}`, { cause: error });
  });
  const { generation, cut, at_ms } = manifest;
  if (generation === image.generation && cut === image.cut && at_ms === image.at_ms) return manifest;
  throw new Error(`the manifest of ${image.key} is of another image`);
}

interface Applying {
  readonly manifest: SnapshotManifest;
  readonly at_ms: number;
  readonly descriptor: number;
}

interface End {
  readonly cut: number;
  readonly at_ms: number;
}

async function applySegments(store: CopyStore, plan: RestorePlan, applying: Applying): Promise<End> {
  const { manifest, at_ms } = applying;
  let end: End = { cut: manifest.cut, at_ms: manifest.at_ms };
  for (const { key, first, last } of plan.segments) {
    const { cuts } = await readSegment(store, { key, manifest });
    if (cuts[0]?.number !== first || cuts.at(-1)?.number !== last)
      throw new Error(`${key} holds other cuts than it says`);
    for (const cut of cuts) {
      // In the image, or in a segment that was sent twice.
      if (cut.number <= end.cut) continue;
      if (cut.number !== end.cut + 1) throw new Error(`${key} lacks cut ${end.cut + 1}`);
      if (cut.at_ms > at_ms) return end;
      applyCut(applying, cut);
      end = { cut: cut.number, at_ms: cut.at_ms };
    }
  }
  return end;
}

async function readSegment(
  store: CopyStore,
  { key, manifest }: { readonly key: string; readonly manifest: SnapshotManifest },
): Promise<Segment> {
  const bytes = await store.get(key);
  const segment = await unpackSegment(bytes).catch((error: unknown) => {
    throw new Error(`${key} cannot be used: ${messageOf(error)}`, { cause: error });
  });
  if (segment.generation !== manifest.generation || segment.page_bytes !== manifest.page_bytes) {
    throw new Error(`${key} is of another ledger`);
  }
  return segment;
}

function applyCut({ descriptor, manifest: { page_bytes } }: Applying, { number, pages, db_pages }: Cut): void {
  for (const [page, bytes] of pages) {
    if (page < 1) throw new Error(`cut ${number} names page ${page}`);
    if (page <= db_pages) writeAll(descriptor, bytes, (page - 1) * page_bytes);
  }
  ftruncateSync(descriptor, db_pages * page_bytes);
}

function writeAll(descriptor: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(descriptor, bytes, done, bytes.length - done, at + done);
  }
}

interface Ending {
  readonly plan: RestorePlan;
  readonly end: End;
  readonly at_ms: number;
}

/**
 * The next generation says how far this one went. @throws Error when nothing was copied at the moment, or the last part
 * copied before it is missing.
 */
async function assertEnd(store: CopyStore, list: CopyList, { plan, end, at_ms }: Ending): Promise<void> {
  const next = list.snapshots.find(({ whole, at_ms: next_ms }) => whole && next_ms > at_ms);
  if (next === undefined || next.generation === plan.image.generation) return;
  const { before } = await readManifest(store, next.key);
  if (before?.generation !== plan.image.generation || at_ms <= end.at_ms) return;
  const choice = `say --at ${new Date(end.at_ms).toISOString()} or --at ${new Date(next.at_ms).toISOString()}`;
  // A later cut that exists does not count as a gap.
  if (list.segments.some(({ generation, last }) => generation === before.generation && last > end.cut)) return;
  if (before.cut > end.cut) {
    throw new Error(`what was committed last before ${renderTime(next.at_ms)} is missing in the copy: ${choice}`);
  }
  if (before.lost_ms !== null && at_ms >= before.lost_ms) {
    const between = `${renderTime(before.lost_ms)} and ${renderTime(next.at_ms)}`;
    throw new Error(`what was committed between ${between} never reached the copy: ${choice}`);
  }
}
