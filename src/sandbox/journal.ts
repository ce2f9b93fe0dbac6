import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/** Keeps what must survive a kill: an append-only file of JSON lines, each on disk before its effect is visible. */
export interface Journal {
  /** The entries found at start, without torn lines. */
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
      // The line was torn while it was written, so nobody has been told of its entry.
      return [];
    }
  });

/** Makes the name of a new file durable: its own fsync covers only the bytes. Windows cannot open a folder for that. */
function syncFolder(file: string): void {
  if (process.platform === "win32") return;
  const descriptor = openSync(dirname(file), "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** A journal in a file, or only in memory when `file` is null. */
export function createJournal(file: string | null): Journal {
  if (file === null) return { entries: [], append: () => undefined, close: () => undefined };
  const is_new = !existsSync(file);
  const text = is_new ? "" : readFileSync(file, "utf8");
  const descriptor = openSync(file, "a", 0o600);
  if (is_new) syncFolder(file);
  // A line torn by an earlier process or a full disk gets its line break before the next line starts.
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
