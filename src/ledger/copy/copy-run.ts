import type { Database } from "bun:sqlite";
import { type Clock, systemTimers, type Timers } from "../../core/clock.ts";
import { type CopyOrder, type CopyState, renderPlace } from "./copy-state.ts";
import type { CopyStore } from "./copy-store.ts";
import { createLogFollower, type LogFollower, readPragma } from "./log-follower.ts";
import { createPendingCuts, type PendingCuts } from "./pending-cuts.ts";
import type { SnapshotManifest } from "./snapshot.ts";

export interface CopierOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly order: CopyOrder;
  readonly store: CopyStore;
  /** Why the books take no writes now, or null: then the log is left alone. */
  readonly trouble: () => string | null;
  readonly tell: (state: CopyState) => void;
  readonly timers?: Timers | undefined;
  readonly limits?: Partial<CopyLimits> | undefined;
}

export interface CopyLimits {
  /** A log of so many bytes is written into the file. */
  readonly checkpoint_bytes: number;
  /** At so many, what the store has not taken is given up: disks have an end. At least the size of the file. */
  readonly log_bytes_max: number;
  /** How much of what is not sent yet is kept in memory; the rest is read from the log again. */
  readonly memory_bytes_max: number;
  readonly snapshot_every_ms: number;
  /** How long a stop waits for a store that works. */
  readonly close_ms: number;
  /** The first pause after a try that failed; the pauses grow up to a minute. */
  readonly retry_ms: number;
}

const LIMITS: CopyLimits = {
  checkpoint_bytes: 40_000_000,
  log_bytes_max: 256_000_000,
  memory_bytes_max: 16_000_000,
  snapshot_every_ms: 86_400_000,
  close_ms: 1_000,
  retry_ms: 1_000,
};
const RETRY_MS_MAX = 60_000;

export interface Generation {
  readonly name: string;
  readonly before: SnapshotManifest["before"];
  /** The last cut that has a number, and the last one that the store has. */
  last_cut: number;
  sent_cut: number;
  /** When its newest image was taken, ms. */
  snapshot_ms: number | null;
}

/** A kind of work that may fail: why it did, and when it is tried again. */
export interface Trying {
  why: string | null;
  isDue(): boolean;
  failed(why: string): void;
  worked(): void;
}

function createTrying(timers: Timers, first_ms: number): Trying {
  let wait_ms = 0;
  let due_ms = 0;
  return {
    why: null,
    isDue: () => wait_ms === 0 || timers.elapsed_ms() >= due_ms,
    failed(why) {
      this.why = why;
      wait_ms = Math.min(RETRY_MS_MAX, Math.max(first_ms, wait_ms * 2));
      due_ms = timers.elapsed_ms() + wait_ms;
    },
    worked() {
      this.why = null;
      wait_ms = 0;
    },
  };
}

/** What a copier knows while it runs. */
export interface CopyRun extends Omit<CopierOptions, "limits" | "timers"> {
  readonly limits: CopyLimits;
  readonly timers: Timers;
  readonly page_bytes: number;
  readonly log: LogFollower;
  readonly pending: PendingCuts;
  readonly sending: Trying;
  readonly imaging: Trying;
  generation: Generation | null;
  before: SnapshotManifest["before"];
  /** The generation whose image is being read from the file, which must not change meanwhile. */
  imaged: Generation | null;
  /** Time of the last cut, which never goes back. */
  last_ms: number;
  copied_ms: number | null;
  /** Since when the store has lacked commits that no pending cut holds: there is no image to bring up to date. */
  lacking_ms: number | null;
  ended: boolean;
}

export function startRun({ limits: own_limits, timers = systemTimers, ...options }: CopierOptions): CopyRun {
  const limits = { ...LIMITS, ...own_limits };
  return {
    ...options,
    limits,
    timers,
    page_bytes: readPragma(options.db, "page_size"),
    log: createLogFollower(options.db),
    pending: createPendingCuts(`${options.db.filename}-wal`, limits.memory_bytes_max),
    sending: createTrying(timers, limits.retry_ms),
    imaging: createTrying(timers, limits.retry_ms),
    generation: null,
    before: null,
    imaged: null,
    last_ms: 0,
    copied_ms: null,
    lacking_ms: options.clock.now(),
    ended: false,
  };
}

export const stateOf = (run: CopyRun): CopyState => ({
  to: renderPlace(run.order.place),
  waiting_since_ms: run.lacking_ms ?? run.pending.oldest_ms,
  copied_ms: run.copied_ms,
  snapshot_ms: run.generation?.snapshot_ms ?? null,
  failing: run.sending.why ?? run.imaging.why,
});
