import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";

/** What must survive a kill: an append-only file of JSON lines, each on disk before its effect is seen outside. */
export interface Journal {
  /** What was there at start; a last line that was torn is left out. */
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
        // Only the last line can be torn, and what it says was never told to anybody.
        return [];
      }
    });
}

/** A journal in a file, or in memory only when `file` is null. */
export function createJournal(file: string | null): Journal {
  if (file === null) return { entries: [], append: () => undefined, close: () => undefined };
  const entries = readEntries(file);
  const descriptor = openSync(file, "a", 0o600);
  // A torn last line gets an end, so that the next entry starts on a line of its own.
  writeSync(descriptor, "\n");
  return {
    entries,
    append(entry) {
      writeSync(descriptor, `${JSON.stringify(entry)}\n`);
      fsyncSync(descriptor);
    },
    close: () => closeSync(descriptor),
  };
}
