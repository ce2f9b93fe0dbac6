import { Cron } from "croner";
import { describeThrown, explainThrown } from "../catalog/describe-thrown.ts";
import { systemTimers as elapsedTimers, renderTime, type Timers } from "../core/clock.ts";
import { sha256Hex } from "../core/hash.ts";
import { runStart, type StartJob } from "./start-queue.ts";

export type Schedule =
  /** Cron pattern, UTC. */
  | { readonly cron: string }
  /** Milliseconds between runs. */
  | { readonly every_ms: number };

/** What may be left out of a job when time is skipped, in the sandbox. */
export interface Skipping {
  /** How many of its last runs leave anything behind: only those are lived. All of them unless given. */
  readonly runs_kept?: number;
  /** What other jobs store decides what its runs find. */
  readonly reads?: boolean;
  /** It stores what others read: it is also lived at its last mark before each one that is kept of a job that reads. */
  readonly feeds?: boolean;
}

export interface ScheduledJob extends StartJob {
  readonly schedule: Schedule;
  readonly at_start: boolean;
  /** Of the node's own, which money, alerts and state rest on: its timer waits for nobody's start. */
  readonly is_upkeep?: boolean;
  /**
   * Whether a run that failed is tried again before the next mark: after 30 s, then twice as long each time, at most
   * 10 minutes. What a job samples cannot be had later.
   */
  readonly retries?: boolean;
  readonly skipping?: Skipping;
  /** Over how many days before its start a new sandbox lives it. */
  readonly sandbox_days?: number;
  /** Of several nodes on one ledger, the one that leads runs it. */
  readonly one_runner?: boolean;
  readonly run: () => Promise<void>;
  /** Ends a run that is under way, because the node stops. */
  readonly cancel?: () => void;
  /** More about its last run, for the operator. */
  readonly detail?: () => Readonly<Record<string, unknown>>;
}

export interface JobStatus {
  readonly id: string;
  readonly runs: number;
  readonly failures: number;
  readonly last_error: string | null;
  /** How long the last run took, s; null before the first. */
  readonly last_duration_s: number | null;
  /** ISO 8601. */
  readonly last_ok_at: string | null;
  readonly next_run: string | null;
  /** Another node runs it now. */
  readonly elsewhere?: true;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** One cadence that is under way. */
export interface JobTimer {
  /** When it is due next; null when it was stopped. */
  next(): Date | null;
  stop(): void;
}

/** What makes jobs run on time. */
export interface JobTimers {
  /**
   * Calls `fire` whenever a cron pattern is due, UTC, whether or not the last call has ended.
   * @param skipping as a job's; for timers that can skip time.
   */
  start(pattern: string, fire: () => Promise<void>, skipping?: Skipping): JobTimer;
  /** @param why `spread` only keeps many nodes from asking at once, and may be cut short where time is skipped. */
  pause(ms: number, why: "spread" | "retry"): Promise<void>;
  /** Told of every run that begins; for timers that let time go on only when it has ended. Never rejects. */
  watch?(run: Promise<void>): void;
}

/** Marks by the system's clock. */
const systemTimers: JobTimers = {
  start(pattern, fire) {
    // A fixed offset instead of a named zone: croner would ask Intl at every tick, which costs a tenth of a core.
    // Without croner's "protect", which would run what a long run went past as soon as that one ends.
    const cron = new Cron(pattern, { utcOffset: 0, unref: true }, fire);
    return { next: () => cron.nextRun(), stop: () => cron.stop() };
  },
  // A node that stops does not wait for it.
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms).unref()),
};

/** A job whose first good run is still to come. */
export interface ComingJob {
  readonly id: string;
  readonly state: "waits" | "runs" | "failed";
  /** When it is due again, ISO 8601; null without a schedule. One that failed is tried before that. */
  readonly next_run: string | null;
}

export interface Scheduler {
  /**
   * Runs the jobs marked `at_start` once, as `runStart` says, but for those whose timer came round before; resolves
   * when the last has ended. Never throws.
   * @param isWanted by a job's id; all of them unless given.
   */
  runAtStart(isWanted?: (id: string) => boolean): Promise<void>;
  /** Starts the timers: those of the node's own upkeep, or all that are not started yet. */
  start(which?: "upkeep"): void;
  /** What a start still owes: jobs it was to run that have not once run well. */
  coming(): readonly ComingJob[];
  status(): readonly JobStatus[];
  /**
   * Runs other jobs from now on. One that stays, by its id, keeps its figures, and its place in time unless its
   * schedule changed; running jobs end on their own.
   */
  replace(jobs: readonly ScheduledJob[]): void;
  /**
   * Runs a job now, or joins its run that is under way; never throws: `status` tells how it went.
   * @returns false when there is no such job.
   */
  runNow(id: string): Promise<boolean>;
  /** Stops the timers and waits for what is running. */
  stop(): Promise<void>;
}

export interface SchedulerOptions {
  readonly jobs: readonly ScheduledJob[];
  /** Spreads nodes over the first seconds of a minute, so that they do not all ask an upstream at once. */
  readonly seed: string;
  readonly log: (event: Readonly<Record<string, unknown>>) => void;
  readonly now_ms: () => number;
  /** The system's clock unless given. */
  readonly timers?: JobTimers | undefined;
  /** Lengths of time of the start; the system's unless given. */
  readonly elapsed?: Timers | undefined;
  /** Awaited before each job of the start: sales go first. */
  readonly turn?: (() => Promise<void>) | undefined;
  /** Whether this node runs the jobs that have one runner; always unless given. */
  readonly leads?: (() => boolean) | undefined;
}

export const JITTER_MS_MAX = 20_000;
const RETRY_FIRST_MS = 30_000;
const RETRY_MS_MAX = 600_000;

/**
 * A cadence as a cron pattern, on the clock's own marks (a job every 15 m runs at :00, :15, :30, :45). What does not
 * divide its unit evenly is run at the next shorter cadence that does.
 */
export function patternOf(every_ms: number): string {
  const fit = (wanted: number, unit: number): number => {
    let count = Math.max(1, Math.min(unit, Math.floor(wanted)));
    while (unit % count !== 0) count -= 1;
    return count;
  };
  const seconds = every_ms / 1000;
  if (seconds < 60) return `*/${fit(seconds, 60)} * * * * *`;
  if (seconds < 3_600) return `0 */${fit(seconds / 60, 60)} * * * *`;
  if (seconds < 86_400) return `0 0 */${fit(seconds / 3_600, 24)} * * *`;
  return "0 0 0 * * *";
}

export const getPattern = (schedule: Schedule): string =>
  "cron" in schedule ? schedule.cron : patternOf(schedule.every_ms);

/** Runs jobs on time, never one of them twice at once, and never lets a failure out. */
export function createScheduler(options: SchedulerOptions): Scheduler {
  const { jobs, seed, log, now_ms, timers = systemTimers, elapsed = elapsedTimers, leads = () => true } = options;
  const createEntry = (job: ScheduledJob) => ({
    job,
    runs: 0,
    failures: 0,
    failed_in_a_row: 0,
    last_error: null as string | null,
    last_duration_s: null as number | null,
    last_ok_ms: null as number | null,
  });
  type Entry = ReturnType<typeof createEntry>;
  let entries = jobs.map(createEntry);
  const running = new Map<string, Promise<void>>();
  const started = new Map<string, JobTimer>();
  const coming = new Set<string>();
  let begun: "none" | "upkeep" | "all" = "none";
  let stopped = false;

  const runOnce = (entry: Entry): Promise<void> => {
    const { job } = entry;
    const already = running.get(job.id);
    if (already) return already;
    if (job.one_runner && !leads()) return Promise.resolve();
    const run = (async () => {
      entry.runs += 1;
      const started = performance.now();
      try {
        await job.run();
        entry.last_ok_ms = now_ms();
        entry.last_error = null;
        entry.failed_in_a_row = 0;
        coming.delete(job.id);
      } catch (error) {
        entry.failures += 1;
        entry.failed_in_a_row += 1;
        entry.last_error = explainThrown(error).slice(0, 300);
        log({ event: "job_failed", job: job.id, ...describeThrown(error), error: entry.last_error });
      } finally {
        entry.last_duration_s = (performance.now() - started) / 1000;
        running.delete(job.id);
      }
      if (job.retries && entry.failed_in_a_row > 0) void retryLater(entry);
    })();
    running.set(job.id, run);
    timers.watch?.(run);
    return run;
  };

  /** Waits and runs a failed job again, unless a mark came first. */
  const retryLater = async (entry: Entry): Promise<void> => {
    const { runs, failed_in_a_row } = entry;
    await timers.pause(Math.min(RETRY_MS_MAX, RETRY_FIRST_MS * 2 ** (failed_in_a_row - 1)), "retry");
    if (!stopped && entries.includes(entry) && entry.runs === runs) await runOnce(entry);
  };

  /** The same pause every time for one job of one node. */
  const jitterOf = (id: string, period_ms: number): number => {
    const share = Number.parseInt(sha256Hex(`${seed}:${id}`).slice(0, 8), 16) / 0xffffffff;
    return Math.floor(share * Math.min(JITTER_MS_MAX, period_ms / 10));
  };

  const startTimer = (entry: Entry): void => {
    const { id, schedule, skipping } = entry.job;
    const period_ms = "cron" in schedule ? 60_000 : schedule.every_ms;
    const pause_ms = jitterOf(id, period_ms);
    const fire = async () => {
      await timers.pause(pause_ms, "spread");
      if (!stopped && entries.includes(entry) && !running.has(id)) await runOnce(entry);
    };
    started.set(id, timers.start(getPattern(schedule), fire, skipping));
  };
  const stopTimer = (id: string): void => {
    started.get(id)?.stop();
    started.delete(id);
  };

  const nextRunOf = (id: string): string | null => started.get(id)?.next()?.toISOString() ?? null;
  const startMissing = (): void => {
    if (begun === "none" || stopped) return;
    for (const entry of entries) {
      if (!started.has(entry.job.id) && (begun === "all" || entry.job.is_upkeep)) startTimer(entry);
    }
  };

  return {
    async runAtStart(isWanted = () => true) {
      const due = new Map<StartJob, Entry>();
      for (const entry of entries) if (entry.job.at_start && isWanted(entry.job.id)) due.set(entry.job, entry);
      for (const { id } of due.keys()) coming.add(id);
      const run = async (job: StartJob): Promise<boolean> => {
        if (options.turn) await options.turn();
        // A node that stops cancels what runs, and waits for it: nothing may begin behind its back.
        if (stopped) return false;
        const entry = due.get(job);
        // Its mark came round before its turn did, or a reload took it away.
        if (entry && entries.includes(entry) && (entry.runs === 0 || running.has(job.id))) await runOnce(entry);
        return entry?.failed_in_a_row === 0;
      };
      await runStart({ jobs: [...due.keys()], timers: elapsed, run, isStopped: () => stopped });
    },
    start(which) {
      begun = which ?? "all";
      startMissing();
    },
    coming: () =>
      entries.flatMap(({ job: { id, one_runner }, runs }) => {
        if (!coming.has(id) || (one_runner && !leads())) return [];
        const state = running.has(id) ? "runs" : runs > 0 ? "failed" : "waits";
        return [{ id, state, next_run: nextRunOf(id) }];
      }),
    replace(wanted) {
      const known = new Map(entries.map((entry) => [entry.job.id, entry]));
      entries = wanted.map((job) => {
        const entry = known.get(job.id);
        if (!entry) return createEntry(job);
        if (getPattern(entry.job.schedule) !== getPattern(job.schedule)) stopTimer(job.id);
        known.delete(job.id);
        // The figures go on with it: what runs now counts them where they are.
        entry.job = job;
        return entry;
      });
      for (const id of known.keys()) stopTimer(id);
      startMissing();
    },
    async runNow(id) {
      const entry = entries.find(({ job }) => job.id === id);
      if (!entry || stopped) return false;
      await runOnce(entry);
      return true;
    },
    status: () =>
      entries.map(({ job, runs, failures, last_error, last_duration_s, last_ok_ms }) => ({
        id: job.id,
        runs,
        failures,
        last_error,
        last_duration_s,
        last_ok_at: last_ok_ms === null ? null : renderTime(last_ok_ms),
        next_run: nextRunOf(job.id),
        ...(job.one_runner && !leads() ? { elsewhere: true as const } : {}),
        ...(job.detail ? { detail: job.detail() } : {}),
      })),
    async stop() {
      stopped = true;
      for (const timer of started.values()) timer.stop();
      for (const { job } of entries) job.cancel?.();
      await Promise.allSettled([...running.values()]);
    },
  };
}
