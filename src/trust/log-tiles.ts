import { keepFor } from "../core/keep-for.ts";
import { findLogRow, getShownLog, LOG_ROWS, readShownLog, type ShownLog, type ShownLogOptions } from "./log-rows.ts";

/** Number of hashes in a full tile, and of entries in a full bundle. */
const TILE_WIDTH = 256;
/** Tree levels between the hashes of one level of tiles and those of the next. */
const TILE_HEIGHT = 8;

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
  /** @returns null for what is not there, or not there yet. */
  read(log: string, address: TileAddress): Promise<Uint8Array | null>;
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

/** The tile's bytes as far as a log is shown; null where it is not shown so far. */
function renderTile({ size, tree, entry_bytes, entryOf }: ShownLog, { level, index, width }: TileAddress) {
  const start = index * TILE_WIDTH;
  const tree_level = level === "entries" ? 0 : level * TILE_HEIGHT;
  if (start + width > Math.floor(size / 2 ** tree_level)) return null;
  if (level !== "entries") return toBytes(tree.wholeHashes(tree_level, start, width));
  // Before each entry of a bundle: how many bytes it has, as a 16-bit number.
  const entry_length = entry_bytes.toString(16).padStart(4, "0");
  return toBytes(Array.from({ length: width }, (_, at) => entry_length + (entryOf(start + at + 1) ?? "")));
}

const toBytes = (hex: readonly string[]): Uint8Array => Buffer.from(hex.join(""), "hex");

export function createLogTiles(options: ShownLogOptions): LogTiles {
  const followers = new Map(
    LOG_ROWS.map((row) => [row.name, keepFor(FOLLOWED_MS, options.now_ms, () => readShownLog(options, row))] as const),
  );
  return {
    async read(log, address) {
      const [row, follow] = [findLogRow(log), followers.get(log)];
      if (!row || !follow) throw new TypeError(`"${log}" is no log`);
      const known = renderTile(getShownLog(options, row), address);
      if (known !== null) return known;
      await follow();
      return renderTile(getShownLog(options, row), address);
    },
  };
}
