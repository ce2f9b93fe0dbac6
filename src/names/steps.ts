/** Work that pauses every few milliseconds, so that others may go on in between. */
export type NameSteps<T> = Generator<void, T, void>;

/** Does it all without a pause. */
export function runAtOnce<T>(steps: NameSteps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Does it with a pause after each step. */
export async function runInSteps<T>(steps: NameSteps<T>, pause: () => Promise<void>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await pause();
  }
}
