import { type ThreadTurns, thread_turns } from "../core/thread-turns.ts";
import type { WatchCondition } from "./condition.ts";
import { judgeToTell, type Memory, NO_MEMORY } from "./judge.ts";

/** An answer of the past that anybody may see. */
export interface FreeSample {
  readonly at_ms: number;
  readonly data: unknown;
}

/** What a condition would have told of samples. */
export interface Rehearsal {
  readonly samples: number;
  /** Times of the first and the last of them; 0 without samples. */
  readonly from_ms: number;
  readonly to_ms: number;
  /** Times of the samples it would have told. */
  readonly told_ms: readonly number[];
  /** Samples in which no field the condition looks at has a value. */
  readonly unknown: number;
}

interface Watched {
  readonly condition: WatchCondition | null;
  readonly repeat: boolean;
}

/**
 * Judges a condition on samples as a watch that began before them would have done. It says when it would have told and
 * nothing of the values: they are no secret where samples are free, and no part of what is asked. One sample a turn:
 * nobody pays for a month of them, and everybody waits for the thread.
 * @param nextSample The oldest sample after a time, epoch ms; null without one. What it throws ends the look.
 */
export async function rehearse(
  watched: Watched,
  nextSample: (after_ms: number) => FreeSample | null,
  turns: ThreadTurns = thread_turns,
): Promise<Rehearsal> {
  const rehearser = createRehearser(watched);
  for (let after_ms = Number.NEGATIVE_INFINITY; ; ) {
    const sample = await turns.run("patient", () => {
      const next = nextSample(after_ms);
      if (next !== null) rehearser.take(next);
      return next;
    });
    if (sample === null) return rehearser.result();
    after_ms = sample.at_ms;
  }
}

function createRehearser({ condition, repeat }: Watched) {
  let memory: Memory = NO_MEMORY;
  let [samples, from_ms, to_ms, unknown] = [0, 0, 0, 0];
  const told_ms: number[] = [];
  return {
    take({ at_ms, data }: FreeSample): void {
      if (samples === 0) from_ms = at_ms;
      to_ms = at_ms;
      samples += 1;
      if (condition === null) {
        told_ms.push(at_ms);
        return;
      }
      const judged = judgeToTell({ condition, repeat }, data, memory);
      ({ memory } = judged);
      if (judged.holds) told_ms.push(at_ms);
      if (judged.looked.every(({ now, new_keys }) => now === null && new_keys === undefined)) unknown += 1;
    },
    result: (): Rehearsal => ({ samples, from_ms, to_ms, told_ms, unknown }),
  };
}
