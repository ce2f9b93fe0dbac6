import { sleep, systemTimers } from "../../core/clock.ts";

/** @throws Error when it is not done in time; it may still be done later. */
export async function withinTime<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = sleep(systemTimers, ms, over.signal).then(() => {
    throw new Error(`${what} was not done within ${Math.round(ms / 1_000)} s`);
  });
  // The loser's error is ignored.
  work.catch(() => undefined);
  late.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
  }
}
