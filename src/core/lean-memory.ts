import type { Timers } from "./clock.ts";

const MIB = 2 ** 20;
const BUSY_STEPS = 4;

/** When memory is given back, and how it is looked at. */
export interface LeanMemoryOptions {
  readonly timers: Timers;
  /** Below this resident size nothing is done, MiB. */
  readonly from_mib: number;
  /** How far it grows past what the last release left before there is another one, MiB. */
  readonly step_mib: number;
  /** From this size on a release no longer waits for calls in flight, MiB. */
  readonly most_mib: number;
  readonly every_ms: number;
  /** While others wait for the thread a release waits too, until memory has grown four steps past where it was due. */
  readonly isBusy?: () => boolean;
  /** Resident size of the process, bytes. */
  readonly readResident: () => number;
  /** Collects garbage and hands freed pages back: some 100 ms in which nothing else runs. */
  readonly release: () => void;
}

/**
 * Keeps a process that makes much garbage small: the runtime lets its heap grow with what the machine has, and hands
 * pages back after half a minute without work. Its caller pauses for that, so no serving node does.
 * @returns ends it.
 */
export function keepLean({ timers, isBusy, every_ms, ...memory }: LeanMemoryOptions): () => void {
  const { from_mib, step_mib, most_mib } = memory;
  let left = 0;
  let is_new = false;
  const look = (): void => {
    const mib = memory.readResident() / MIB;
    // Pages are handed back in the turn after a release: only the next look sees what it left.
    if (is_new) left = mib;
    const due_mib = Math.max(from_mib, left + step_mib);
    const patient_mib = isBusy?.() === true ? due_mib + BUSY_STEPS * step_mib : due_mib;
    is_new = mib >= Math.max(due_mib, Math.min(patient_mib, most_mib));
    if (is_new) memory.release();
    cancel = timers.after(every_ms, look);
  };
  let cancel = timers.after(every_ms, look);
  return () => cancel();
}

/** How memory is measured and released in this runtime. */
export const RUNTIME_MEMORY = {
  readResident: () => process.memoryUsage.rss(),
  release() {
    Bun.gc(true);
    Bun.shrink();
  },
};
