import { keepFor } from "../core/keep-for.ts";
import { getHistoryTrees, type HistoryTrees, readHistoryTrees } from "../records/history-trees.ts";
import type { Records } from "../records/record-chain.ts";
import { HEAD_CHAINS } from "./history-heads.ts";

/** Number of hashes in a full tile, and of entries in a full bundle. */
const TILE_WIDTH = 256;
/** Tree levels between the hashes of one level of tiles and those of the next. */
const TILE_HEIGHT = 8;
const HASH_BYTES = 32;

/** One file of a tiled log (C2SP tlog-tiles). */
export interface TileAddress {
  /** "entries": the data whose hashes are the leaves. */
  readonly level: number | "entries";
  /** Index in its level, from 0. */
  readonly index: number;
  /** Width; below 256 only for the last tile of a tree. */
  readonly width: number;
}

/** A node's histories as tiled logs. A reader with a checkpoint's tiles can compute every proof. */
export interface LogTiles {
  /** @returns null for a tile that does not exist, or not yet. */
  read(chain: string, address: TileAddress): Promise<Uint8Array | null>;
}

export interface LogTileOptions {
  readonly records: Records;
  readonly now_ms: () => number;
}

/** Least time between two reads of a history's new records. */
const FOLLOWED_MS = 1_000;

const LEVEL = /^(?:entries|0|[1-9]|[1-5]\d|6[0-3])$/;
/** Limit of a thousand million tiles, which no history reaches. */
const INDEX = /^(?:x\d{3}\/){0,2}\d{3}$/;
const WIDTH = /^(?:[1-9]|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])$/;

/**
 * Reads the path of a tile below its log's "tile/", such as "0/x001/067" or "entries/002.p/188". Each tile has only one
 * valid path.
 */
export function parseTilePath(path: string): TileAddress | null {
  const slash = path.indexOf("/");
  const level = path.slice(0, Math.max(slash, 0));
  const [place = "", width, ...more] = path.slice(slash + 1).split(".p/");
  if (!LEVEL.test(level) || !INDEX.test(place) || place.startsWith("x000/") || more.length > 0) return null;
  if (width !== undefined && !WIDTH.test(width)) return null;
  return {
    level: level === "entries" ? level : Number(level),
    index: Number(place.replaceAll(/[x/]/g, "")),
    width: width === undefined ? TILE_WIDTH : Number(width),
  };
}

/** The tile's bytes from the read part of a history; null if the history was not read that far. */
function renderTile({ records: tree, recordHashOf }: HistoryTrees, { level, index, width }: TileAddress) {
  const start = index * TILE_WIDTH;
  const tree_level = level === "entries" ? 0 : level * TILE_HEIGHT;
  if (start + width > tree.countWhole(tree_level)) return null;
  if (level !== "entries") return toBytes(tree.wholeHashes(tree_level, start, width));
  return toBytes(Array.from({ length: width }, (_, at) => ENTRY_LENGTH + (recordHashOf(start + at + 1) ?? "")));
}

/** The length before each entry of a bundle, as a 16-bit number. */
const ENTRY_LENGTH = HASH_BYTES.toString(16).padStart(4, "0");
const toBytes = (hex: readonly string[]): Uint8Array => Buffer.from(hex.join(""), "hex");

export function createLogTiles({ records, now_ms }: LogTileOptions): LogTiles {
  const followers = new Map(
    HEAD_CHAINS.map((chain) => [chain, keepFor(FOLLOWED_MS, now_ms, () => readHistoryTrees(records, chain))] as const),
  );
  return {
    async read(chain, address) {
      const follow = followers.get(chain);
      if (!follow) throw new TypeError(`"${chain}" is no history`);
      const known = renderTile(getHistoryTrees(records, chain), address);
      if (known !== null) return known;
      await follow();
      return renderTile(getHistoryTrees(records, chain), address);
    },
  };
}
