import { openSync, statSync } from "node:fs";

const held = new Map<string, number>();

/**
 * The one descriptor for reading a ledger file, kept for as long as the process lives. It must never be closed: the
 * system would drop every lock this process has on the file, those of SQLite too, and another program that opens the
 * ledger would believe that no other process has it open.
 */
export function holdFile(file: string): number {
  const { dev, ino } = statSync(file);
  const id = `${dev}:${ino}`;
  const known = held.get(id);
  if (known !== undefined) return known;
  const descriptor = openSync(file, "r");
  held.set(id, descriptor);
  return descriptor;
}
