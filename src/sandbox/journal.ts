import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/** What must survive a kill: an append-only file of JSON lines, each on disk before its effect is seen outside. */
export interface Journal {
  /** What was there at start; lines that were torn are left out. */
  readonly entries: readonly Readonly<Record<string, unknown>>[];
  append(entry: Readonly<Record<string, unknown>>): void;
  close(): void;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const parseEntries = (text: string): Record<string, unknown>[] =>
  text.split("\n").flatMap((line) => {
    try {
      const entry: unknown = JSON.parse(line);
      return isRecord(entry) ? [entry] : [];
    } catch {
      // Torn while it was written, so what it says was never told to anybody.
      return [];
    }
  });

/** Makes the name of a new file last: its own fsync covers the bytes alone. Windows cannot open a folder for that. */
function syncFolder(file: string): void {
  if (process.platform === "win32") return;
  const descriptor = openSync(dirname(file), "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** A journal in a file, or in memory only when `file` is null. */
export function createJournal(file: string | null): Journal {
  if (file === null) return { entries: [], append: () => undefined, close: () => undefined };
  const is_new = !existsSync(file);
  const text = is_new ? "" : readFileSync(file, "utf8");
  const descriptor = openSync(file, "a", 0o600);
  if (is_new) syncFolder(file);
  // A line that was torn, by an earlier process or by a full disk, gets an end before the next one starts.
  let torn = text !== "" && !text.endsWith("\n");
  return {
    entries: parseEntries(text),
    append(entry) {
      const bytes = Buffer.from(`${torn ? "\n" : ""}${JSON.stringify(entry)}\n`);
      torn = true;
      for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
      fsyncSync(descriptor);
      torn = false;
    },
    close: () => closeSync(descriptor),
  };
}
