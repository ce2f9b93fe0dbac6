import type { Random } from "../ledger/model.ts";
import type { StorageEvent } from "./storage-trace.ts";

/** Disks write whole sectors, and promise nothing about more than one of them. */
const SECTOR_BYTES = 512;

type Write = Extract<StorageEvent, { readonly is: "write" }>;
type Change = Write | Extract<StorageEvent, { readonly is: "truncate" }>;

interface DiskFile {
  /** What a sync has brought to the disk. */
  bytes: Uint8Array;
  size: number;
  /** What may or may not be on the disk. */
  pending: Change[];
}

/** How a power cut treats what was not synced. */
export type Fate = "nothing" | "everything" | "first" | "some" | "torn";
export const FATES: readonly Fate[] = ["nothing", "everything", "first", "first", "some", "torn", "torn"];

/**
 * A disk that keeps only what it was told to sync: names of a folder when the folder is synced, bytes of a file when
 * the file is. Everything else is there after a power cut or not, write by write, or sector by sector.
 */
export function createDisk() {
  /** As programs see it now, and as the disk has it for sure. */
  const seen = new Map<string, DiskFile>();
  let names = new Map<string, DiskFile>();
  let renaming: {
    readonly event: { readonly is: "create" | "remove"; readonly name: string };
    readonly file: DiskFile;
  }[] = [];

  const need = (name: string): DiskFile | undefined => seen.get(name);

  return {
    apply(event: StorageEvent): void {
      if (event.is === "note") return;
      if (event.is === "sync_folder") {
        names = new Map(seen);
        renaming = [];
        return;
      }
      if (event.is === "create") {
        const file: DiskFile = { bytes: new Uint8Array(0), size: 0, pending: [] };
        seen.set(event.name, file);
        renaming.push({ event: { is: "create", name: event.name }, file });
        return;
      }
      const file = need(event.name);
      // A file that was removed while it was open: nobody will see it again.
      if (!file) return;
      if (event.is === "remove") {
        seen.delete(event.name);
        renaming.push({ event: { is: "remove", name: event.name }, file });
      } else if (event.is === "sync") {
        for (const change of file.pending) applyChange(file, change);
        file.pending = [];
      } else if (event.is === "write" || event.is === "truncate") file.pending.push(event);
    },
    /** The files as the next start finds them when the power fails now. */
    cut(fate: Fate, random: Random): ReadonlyMap<string, Uint8Array> {
      const kept = new Map(names);
      for (const { event, file } of renaming) {
        if (fate === "nothing" || (fate !== "everything" && random.below(2) === 0)) continue;
        if (event.is === "create") kept.set(event.name, file);
        else if (kept.get(event.name) === file) kept.delete(event.name);
      }
      const left = new Map<string, Uint8Array>();
      for (const [name, file] of kept) left.set(name, survive(file, fate, random));
      return left;
    },
  };
}

function survive(file: DiskFile, fate: Fate, random: Random): Uint8Array {
  const copy: DiskFile = { bytes: file.bytes.slice(0, file.size), size: file.size, pending: [] };
  const count = fate === "nothing" ? 0 : fate === "first" ? random.below(file.pending.length + 1) : file.pending.length;
  for (const change of file.pending.slice(0, count)) {
    if (fate === "everything" || fate === "first") applyChange(copy, change);
    else if (random.below(2) === 0) continue;
    else if (fate === "torn" && change.is === "write") tear(copy, change, random);
    else applyChange(copy, change);
  }
  return copy.bytes.subarray(0, copy.size);
}

/** Applies some sectors of a write: a beginning, an end, or any of them. */
function tear(file: DiskFile, { name, offset, data }: Write, random: Random): void {
  const first = Math.floor(offset / SECTOR_BYTES);
  const last = Math.floor((offset + data.length - 1) / SECTOR_BYTES);
  const way = random.below(3);
  const at = first + random.below(last - first + 1);
  for (let sector = first; sector <= last; sector++) {
    const isKept = way === 0 ? sector <= at : way === 1 ? sector >= at : random.below(2) === 0;
    if (!isKept) continue;
    const from = Math.max(offset, sector * SECTOR_BYTES);
    const to = Math.min(offset + data.length, (sector + 1) * SECTOR_BYTES);
    applyChange(file, { is: "write", name, offset: from, data: data.subarray(from - offset, to - offset) });
  }
}

function applyChange(file: DiskFile, change: Change): void {
  const size = change.is === "truncate" ? change.size : Math.max(file.size, change.offset + change.data.length);
  if (size > file.bytes.length) {
    const larger = new Uint8Array(size * 2);
    larger.set(file.bytes.subarray(0, file.size));
    file.bytes = larger;
  }
  if (change.is === "truncate") file.bytes.fill(0, Math.min(change.size, file.size));
  else file.bytes.set(change.data, change.offset);
  file.size = size;
}
