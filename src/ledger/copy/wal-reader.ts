import { closeSync, openSync, readSync } from "node:fs";

/** A place in a write-ahead log: so many frames of the log with these salts were read, and what they sum up to. */
export interface WalPosition {
  readonly salts: string;
  readonly frame: number;
  readonly sums: readonly [number, number];
}

/** What was committed from one position to another. */
export interface WalRead {
  readonly end: WalPosition;
  /** Pages of the file after the last commit. */
  readonly db_pages: number;
  /** The last version of each page. */
  readonly pages: ReadonlyMap<number, Uint8Array>;
}

/** The log is not the one that was read before: it was begun anew. */
export interface OtherLog {
  readonly other_salts: string;
}

const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const CHUNK_BYTES = 4 * 1024 * 1024;
const MAGIC = 0x37_7f_06_82;

interface Log {
  readonly salts: string;
  readonly sums: readonly [number, number];
  readonly page_bytes: number;
  /** Its sums are of little-endian words. */
  readonly little: boolean;
}

const IS_LITTLE = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/** SQLite's own sum of a log: over pairs of 32-bit words, in the order of bytes of the machine that wrote it. */
function sum(bytes: Uint8Array, little: boolean, [first, second]: readonly [number, number]): [number, number] {
  let [a, b] = [first | 0, second | 0];
  if (little === IS_LITTLE && bytes.byteOffset % 4 === 0) {
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
    for (let at = 0; at < words.length; at += 2) {
      a = (a + (words[at] ?? 0) + b) | 0;
      b = (b + (words[at + 1] ?? 0) + a) | 0;
    }
    return [a >>> 0, b >>> 0];
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + view.getUint32(at, little) + b) | 0;
    b = (b + view.getUint32(at + 4, little) + a) | 0;
  }
  return [a >>> 0, b >>> 0];
}

const isSum = (view: DataView, at: number, [a, b]: readonly [number, number]): boolean =>
  view.getUint32(at) === a && view.getUint32(at + 4) === b;

function readHeader(descriptor: number): Log | null {
  const bytes = new Uint8Array(LOG_HEADER_BYTES);
  if (readSync(descriptor, bytes, 0, LOG_HEADER_BYTES, 0) < LOG_HEADER_BYTES) return null;
  const view = new DataView(bytes.buffer);
  const magic = view.getUint32(0);
  if ((magic & ~1) >>> 0 !== MAGIC) return null;
  const little = (magic & 1) === 0;
  const sums = sum(bytes.subarray(0, 24), little, [0, 0]);
  if (!isSum(view, 24, sums)) return null;
  return { salts: Buffer.from(bytes.subarray(16, 24)).toString("hex"), sums, page_bytes: view.getUint32(8), little };
}

/**
 * Reads what was committed after a position. Frames count as SQLite counts them: as long as their sums go on, up to the
 * last one that ends a commit. The caller is the only writer, and inside no db transaction.
 * @param until_frame no frame after this one.
 * @returns null when nothing was committed since.
 */
export function readLog(
  file: string,
  from: WalPosition | null,
  until_frame = Number.POSITIVE_INFINITY,
): WalRead | OtherLog | null {
  let descriptor: number;
  try {
    descriptor = openSync(file, "r");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
  try {
    const log = readHeader(descriptor);
    if (log === null) return null;
    if (from !== null && from.salts !== log.salts) return { other_salts: log.salts };
    return readFrames(descriptor, log, { from: from ?? { salts: log.salts, sums: log.sums, frame: 0 }, until_frame });
  } finally {
    closeSync(descriptor);
  }
}

/** How many times its writer began a log anew between two of its salts: their first word counts that. */
export function countRestarts(before: string, after: string): number {
  const count = (salts: string) => Number.parseInt(salts.slice(0, 8), 16);
  return (count(after) - count(before)) >>> 0;
}

function readFrames(
  descriptor: number,
  { salts, page_bytes, little }: Log,
  { from, until_frame }: { readonly from: WalPosition; readonly until_frame: number },
): WalRead | null {
  const frame_bytes = FRAME_HEADER_BYTES + page_bytes;
  const at_once = Math.max(1, Math.floor(CHUNK_BYTES / frame_bytes));
  const pages = new Map<number, Uint8Array>();
  let open: [number, Uint8Array][] = [];
  let { frame, sums } = from;
  let committed: Omit<WalRead, "pages"> | null = null;
  for (let more = true; more; ) {
    const chunk = new Uint8Array(at_once * frame_bytes);
    const read = readSync(descriptor, chunk, 0, chunk.length, LOG_HEADER_BYTES + frame * frame_bytes);
    const view = new DataView(chunk.buffer);
    more = read === chunk.length;
    for (let at = 0; at + frame_bytes <= read; at += frame_bytes) {
      const header = chunk.subarray(at, at + 8);
      const page = chunk.subarray(at + FRAME_HEADER_BYTES, at + frame_bytes);
      const next = sum(page, little, sum(header, little, sums));
      const is_ours = Buffer.from(chunk.subarray(at + 8, at + 16)).toString("hex") === salts;
      if (frame >= until_frame || !is_ours || !isSum(view, at + 16, next)) {
        more = false;
        break;
      }
      frame += 1;
      sums = next;
      open.push([view.getUint32(at), page]);
      const db_pages = view.getUint32(at + 4);
      if (db_pages === 0) continue;
      for (const [number, bytes] of open) pages.set(number, bytes.slice());
      open = [];
      committed = { end: { salts, frame, sums }, db_pages };
    }
  }
  return committed === null ? null : { ...committed, pages };
}
