import { readFileSync, writeFileSync } from "node:fs";
import type { SettableClock } from "../src/core/clock.ts";

/** A clock that two processes share: whichever sets it, both are as late. `file` holds the offset as eight bytes. */
export function openSharedClock(file: string): SettableClock {
  if (readFileSync(file).length !== 8) writeFileSync(file, new Uint8Array(8));
  const offset_ms = new Float64Array(Bun.mmap(file, { shared: true }).buffer);
  const now = (): number => Math.trunc(Date.now() + (offset_ms[0] ?? 0));
  const set = (to_ms: number): void => {
    offset_ms[0] = to_ms - Date.now();
  };
  return { now, set, advance: (ms) => set(now() + ms) };
}
