/**
 * Which change is on, and which were reached: one small file that all threads and processes of a run have in memory.
 * Its first four bytes are the number of the change, then one byte per change.
 */
const HEADER_BYTES = 4;
const file = process.env.MUTATE_SWITCH;
if (file === undefined) throw new Error("MUTATE_SWITCH names no file");
const bytes = Bun.mmap(file);
const active = new Int32Array(bytes.buffer, bytes.byteOffset, 1);

/** Asked where a changed file may behave otherwise. */
export function isOn(id: number): boolean {
  bytes[HEADER_BYTES + id] = 1;
  return active[0] === id;
}

/** 0 is no change. */
export function turnOn(id: number): void {
  active[0] = id;
}

export function clearReached(): void {
  bytes.fill(0, HEADER_BYTES);
}

export function listReached(): readonly number[] {
  const ids: number[] = [];
  for (let at = HEADER_BYTES; at < bytes.length; at += 1) if (bytes[at] === 1) ids.push(at - HEADER_BYTES);
  return ids;
}

/** The bytes of a new file for so many changes. */
export const countSwitchBytes = (mutants: number): number => HEADER_BYTES + mutants + 1;
