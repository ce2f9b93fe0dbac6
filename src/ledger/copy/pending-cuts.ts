import type { Cut } from "./segment.ts";
import { readLog, type WalPosition, type WalRead } from "./wal-reader.ts";

interface PendingCut {
  readonly number: number;
  readonly at_ms: number;
  readonly db_pages: number;
  readonly bytes: number;
  /** Null while they are left in the log, between two positions. */
  readonly pages: Cut["pages"] | null;
  readonly from: WalPosition | null;
  readonly end: WalPosition;
}

/** Commits that the store does not hold yet, oldest first. */
export interface PendingCuts {
  add(cut: { readonly number: number; readonly at_ms: number }, from: WalPosition | null, read: WalRead): void;
  /** The oldest ones, at least one, up to so many bytes. They stay until they are dropped. */
  take(bytes_max: number): readonly Cut[];
  drop(count: number): void;
  clear(): void;
  readonly oldest_ms: number | null;
  /** Some are only in the log, which must not be begun anew then. */
  readonly needs_log: boolean;
}

/** @param memory_bytes_max beyond it, pages are read from the log once more when they are sent. */
export function createPendingCuts(log_file: string, memory_bytes_max: number): PendingCuts {
  let cuts: PendingCut[] = [];
  let in_memory = 0;

  const load = ({ number, at_ms, db_pages, pages, from, end }: PendingCut): Cut => {
    if (pages !== null) return { number, at_ms, db_pages, pages };
    const read = readLog(log_file, from, end.frame);
    const is_same = read !== null && "pages" in read && read.end.salts === end.salts && read.end.frame === end.frame;
    if (!is_same) throw new Error(`the log no longer holds what was read in it: ${log_file}`);
    return { number, at_ms, db_pages, pages: read.pages };
  };

  return {
    add({ number, at_ms }, from, { pages, db_pages, end }) {
      const [page] = pages.values();
      const bytes = pages.size * (page?.length ?? 0);
      const is_kept = in_memory + bytes <= memory_bytes_max;
      if (is_kept) in_memory += bytes;
      cuts.push({ number, at_ms, db_pages, bytes, pages: is_kept ? pages : null, from, end });
    },
    take(bytes_max) {
      const taken: Cut[] = [];
      let bytes = 0;
      for (const cut of cuts) {
        bytes += cut.bytes;
        if (taken.length > 0 && bytes > bytes_max) break;
        taken.push(load(cut));
      }
      return taken;
    },
    drop(count) {
      for (const { pages, bytes } of cuts.splice(0, count)) if (pages !== null) in_memory -= bytes;
    },
    clear() {
      cuts = [];
      in_memory = 0;
    },
    get oldest_ms() {
      return cuts[0]?.at_ms ?? null;
    },
    get needs_log() {
      return cuts.some(({ pages }) => pages === null);
    },
  };
}
