import type { Timers } from "../core/clock.ts";

/** What a start does first: what money rests on, then what products cannot be sold without, then what is shown free. */
export const START_RANKS = {
  own: 0,
  /** Lists without which a product refuses. */
  lists: 1,
  /** Series that products read. */
  series: 2,
  /** Records made of products: the signals, the editions. */
  asking: 3,
  /** Previews of the first page. */
  home: 4,
  previews: 5,
} as const;

/** A job as the start sees it. */
export interface StartJob {
  readonly id: string;
  /** Its place in the start, of `START_RANKS`: lower begins sooner; that of series unless given. */
  readonly start_rank?: number | undefined;
  /** Ids of the providers it asks; none: it asks nobody. */
  readonly provider_ids?: readonly string[] | undefined;
  /** It reads what lists, series and records of lower ranks hold, and begins once they are there. */
  readonly reads_stored?: boolean | undefined;
}

export interface StartQueueOptions<J extends StartJob> {
  readonly jobs: readonly J[];
  readonly timers: Timers;
  /** Runs one; tells whether it went well. Never rejects. */
  readonly run: (job: J) => Promise<boolean>;
  /** Whether no more may begin. */
  readonly isStopped: () => boolean;
}

/** So many at a time: they mostly wait for others. */
export const START_PARALLEL = 6;
/** Work that takes longer goes on, but its place is given to others. */
export const LATE_MS = 5_000;
/** How long those that read what others store wait for it. */
export const STORED_WITHIN_MS = 45_000;

type Running = "in time" | "late";

/**
 * Runs jobs in the order of their rank, several at a time. One that hangs gives its place away after a while. What asks
 * only providers that failed or hang comes last: a dead one costs the others no more than two places once.
 * Resolves when the last run has ended.
 */
export async function runStart<J extends StartJob>(options: StartQueueOptions<J>): Promise<void> {
  const { timers, run, isStopped } = options;
  const waiting = options.jobs.toSorted((a, b) => rankOf(a) - rankOf(b));
  const running = new Map<J, Running>();
  const failing = new Map<string, "late" | "failed">();
  const ended: Promise<void>[] = [];
  const began_ms = timers.elapsed_ms();
  const done = Promise.withResolvers<void>();

  const isDoubtful = ({ provider_ids = [] }: J): boolean =>
    provider_ids.length > 0 && provider_ids.every((id) => failing.has(id));
  const isDead = ({ provider_ids = [] }: J): boolean =>
    provider_ids.length > 0 && provider_ids.every((id) => failing.get(id) === "failed");
  const isFed = (job: J): boolean =>
    timers.elapsed_ms() - began_ms >= STORED_WITHIN_MS ||
    ![...running.keys(), ...waiting].some((other) => feeds(other, job) && !isDead(other));
  const mayBegin = (job: J): boolean => !job.reads_stored || isFed(job);
  const findNext = (): J | undefined =>
    waiting.find((job) => !isDoubtful(job) && mayBegin(job)) ?? waiting.find(mayBegin);

  const begin = (job: J): void => {
    waiting.splice(waiting.indexOf(job), 1);
    running.set(job, "in time");
    const { provider_ids = [] } = job;
    const cancelLate = timers.after(LATE_MS, () => {
      running.set(job, "late");
      for (const id of provider_ids) failing.set(id, "late");
      beginMore();
    });
    ended.push(
      run(job).then((is_well) => {
        cancelLate();
        running.delete(job);
        for (const id of provider_ids) {
          if (is_well) failing.delete(id);
          else failing.set(id, "failed");
        }
        beginMore();
      }),
    );
  };
  const beginMore = (): void => {
    while (!isStopped() && [...running.values()].filter((how) => how === "in time").length < START_PARALLEL) {
      const next = findNext();
      if (!next) break;
      begin(next);
    }
    if (running.size === 0) done.resolve();
  };
  const cancelStored = timers.after(STORED_WITHIN_MS, beginMore);
  beginMore();
  await done.promise;
  cancelStored();
  await Promise.all(ended);
}

const rankOf = ({ start_rank = START_RANKS.series }: StartJob): number => start_rank;

/** Whether one may store what the other reads: the node's own jobs and previews store nothing of it. */
const feeds = (one: StartJob, reader: StartJob): boolean => {
  const rank = rankOf(one);
  if (rank < START_RANKS.lists || rank > START_RANKS.asking) return false;
  return rank < rankOf(reader) || (rank === rankOf(reader) && one.reads_stored !== true);
};
