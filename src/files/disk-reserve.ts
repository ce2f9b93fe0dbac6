import { existsSync, rmSync, statfsSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";

/**
 * A file whose only use is that it can be deleted: a node that stopped on a full disk starts again in its place, and
 * says that the disk is full, where SQLite says "disk I/O error".
 */
export const RESERVE_FILE = "disk-reserve";
export const RESERVE_BYTES = 16 * 1024 * 1024;
/** Less than this is no room to open the books in. */
const ROOM_BYTES = 8 * 1024 * 1024;
/** It is made only where it is a small part of what is free. */
const FREE_PARTS_MIN = 20;
const CHUNK_BYTES = 65_536;

/** What it is called until it is whole. */
const begunOf = (reserve: string): string => `${reserve}.new`;

const readFree = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

export interface ReserveOptions {
  /** Bytes that this user may still write into a folder's file system. */
  readonly readFree?: (folder: string) => number;
}

/**
 * Makes room at a start on a full disk.
 * @returns whether the reserve was given up for it.
 * @throws Error in the operator's words when there is no room all the same.
 */
export function freeReserve(folder: string, { readFree: read = readFree }: ReserveOptions = {}): boolean {
  if (read(folder) >= ROOM_BYTES) return false;
  const reserve = join(folder, RESERVE_FILE);
  const found = [reserve, begunOf(reserve)].filter(existsSync);
  for (const file of found) rmSync(file, { force: true });
  const free = read(folder);
  if (free >= ROOM_BYTES) return found.length > 0;
  throw new Error(
    `the disk that holds ${folder} is full: ${Math.floor(free / 1024)} KiB are free. ` +
      "Make room of at least 100 MB, then start again; nothing in the folder is damaged by that.",
  );
}

/**
 * Keeps the reserve, where there is plenty of room. It is written a piece at a time, beside what is sold meanwhile.
 * @returns whether it is there.
 */
export async function keepReserve(
  folder: string,
  { readFree: read = readFree }: ReserveOptions = {},
): Promise<boolean> {
  const reserve = join(folder, RESERVE_FILE);
  if (existsSync(reserve)) return true;
  if (read(folder) < FREE_PARTS_MIN * RESERVE_BYTES) return false;
  const begun = begunOf(reserve);
  const file = await open(begun, "w", 0o600);
  try {
    // File systems that compress would keep zeros in no room at all.
    for (let bytes = 0; bytes < RESERVE_BYTES; bytes += CHUNK_BYTES) {
      await file.write(crypto.getRandomValues(new Uint8Array(CHUNK_BYTES)));
    }
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(begun, reserve);
  return true;
}
