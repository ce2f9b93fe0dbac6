import type { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { checkpointLog } from "../sqlite/files.ts";
import { countRestarts, readLog, type WalPosition, type WalRead } from "./wal-reader.ts";

/** What was committed since the last look. */
export interface Followed {
  readonly from: WalPosition | null;
  readonly read: WalRead;
}

/** Follows a write-ahead log whose only writer and only checkpointer is this thread. */
export interface LogFollower {
  /** @returns null when nothing was committed; "lost" when somebody else had the log begun anew. */
  look(): Followed | "lost" | null;
  /** Writes the log into the file, all of it seen before. @returns whether it is empty: a reader may be in the way. */
  empty(): boolean;
  /** Follows the log from here on, whatever it was before. @returns false when a reader is in the way. */
  begin(): boolean;
  bytes(): number;
}

export function createLogFollower(db: Database): LogFollower {
  const file = `${db.filename}-wal`;
  let position: WalPosition | null = null;
  let salts: string | null = null;
  /** How often the log with these salts was begun anew since, as far as this thread has done it. */
  let restarts = { least: 0, most: 0 };

  const look: LogFollower["look"] = () => {
    const from = position;
    const read = readLog(file, from);
    if (read === null) return null;
    const now_salts = "other_salts" in read ? read.other_salts : read.end.salts;
    const count = salts === null ? 0 : countRestarts(salts, now_salts);
    const is_ours = salts === null || (count >= restarts.least && count <= restarts.most);
    salts = now_salts;
    restarts = { least: 0, most: 0 };
    if (!is_ours) return "lost";
    if ("other_salts" in read) {
      position = null;
      return look();
    }
    position = read.end;
    return { from, read };
  };

  const empty = () => {
    const { emptied, in_file } = checkpointLog(db);
    if (emptied) position = null;
    // The writer restarts its log when all of it is in the file.
    const { least, most } = restarts;
    restarts = { least: least + (emptied ? 1 : 0), most: most + (in_file ? 1 : 0) };
    return emptied;
  };

  return {
    look,
    empty,
    begin() {
      salts = null;
      if (!empty()) return false;
      // One page is committed as it is: from then on it is known which log this is.
      db.run(`PRAGMA user_version = ${readPragma(db, "user_version")}`);
      look();
      return true;
    },
    bytes: () => sizeOf(file),
  };
}

export const readPragma = (db: Database, name: "page_size" | "page_count" | "user_version"): number =>
  Number(Object.values(db.query(`PRAGMA ${name}`).get() as Record<string, bigint | number>)[0]);

export const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
