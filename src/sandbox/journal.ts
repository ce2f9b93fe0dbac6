import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";

/** What must survive a kill: an append-only file of JSON lines, each on disk before its effect is seen outside. */
export interface Journal {
  /** What was there at start; lines that were torn are left out. */
  readonly entries: readonly Readonly<Record<string, unknown>>[];
  append(entry: Readonly<Record<string, unknown>>): void;
  close(): void;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function readEntries(file: string): Record<string, unknown>[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line) => {
      try {
        const entry: unknown = JSON.parse(line);
        return isRecord(entry) ? [entry] : [];
      } catch {
        // Torn while it was written, so what it says was never told to anybody.
        return [];
      }
    });
}

/** A journal in a file, or in memory only when `file` is null. */
export function createJournal(file: string | null): Journal {
  if (file === null) return { entries: [], append: () => undefined, close: () => undefined };
  const entries = readEntries(file);
  const descriptor = openSync(file, "a", 0o600);
  // A line that was torn, by an earlier process or by a full disk, gets an end before the next one starts.
  let torn = true;
  return {
    entries,
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
