import { repeat } from "./effort.ts";

/**
 * How long a test may take before it is called hanging, ms. No more than that: what is slow is no failure, so it is
 * many times what the slowest test of a file takes on a quiet machine. test/run.ts sets it for each file, scaled by
 * how slow this machine is.
 */
export const HANG_MS = Number(
  process.env.TEST_HANG_MS ?? repeat({ quick: 600_000, full: 3_600_000, long: 14_400_000 }),
);

/** A wait within a test ends before the test does, so that it can say what it waited for. */
const WAIT_MS = HANG_MS * 0.8;
const PAUSE_MS = 20;

/**
 * Waits for something that will happen.
 * @param what is waited for, for the error.
 * @param pause_ms between two looks.
 * @throws Error when it hangs.
 */
export async function until(
  done: () => boolean | Promise<boolean>,
  what: string,
  pause_ms: number = PAUSE_MS,
): Promise<void> {
  const end_ms = performance.now() + WAIT_MS;
  while (!(await done())) {
    if (performance.now() > end_ms) throw new Error(`waited too long for ${what}`);
    await Bun.sleep(pause_ms);
  }
}
