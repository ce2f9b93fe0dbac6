export interface ThreadClocks {
  /** Processor time of this thread so far, ms. */
  readonly worked_ms: () => number;
  readonly elapsed_ms: () => number;
}

/** Processor time of this thread so far, ms: time that other processes take does not count. */
export function readThreadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

export const THREAD_CLOCKS: ThreadClocks = { worked_ms: readThreadMs, elapsed_ms: () => performance.now() };

/**
 * Begins to measure a piece of work. Systems count a thread's processor time in steps of some milliseconds, so that a
 * short piece may be said to have taken a whole step: it never took more than passed meanwhile.
 * @returns what it cost so far, ms.
 */
export function startCost({ worked_ms, elapsed_ms }: ThreadClocks): () => number {
  const [worked_before_ms, before_ms] = [worked_ms(), elapsed_ms()];
  return () => Math.min(worked_ms() - worked_before_ms, elapsed_ms() - before_ms);
}
