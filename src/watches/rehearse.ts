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
  /** Times of the first and the last of them; 0 where there is none. */
  readonly from_ms: number;
  readonly to_ms: number;
  /** Times of the samples it would have told. */
  readonly told_ms: readonly number[];
  /** Samples in which no field the condition looks at has a value. */
  readonly unknown: number;
}

/**
 * Judges a condition on samples, the oldest first, as a watch that began before them would have done. It says when it
 * would have told and nothing of the values: they are no secret where samples are free, and no part of what is asked.
 */
export function rehearse(
  watched: { readonly condition: WatchCondition | null; readonly repeat: boolean },
  samples: readonly FreeSample[],
): Rehearsal {
  const { condition, repeat } = watched;
  const span = { samples: samples.length, from_ms: samples[0]?.at_ms ?? 0, to_ms: samples.at(-1)?.at_ms ?? 0 };
  if (condition === null) return { ...span, told_ms: samples.map(({ at_ms }) => at_ms), unknown: 0 };
  let memory: Memory = NO_MEMORY;
  let unknown = 0;
  const told_ms: number[] = [];
  for (const { at_ms, data } of samples) {
    const judged = judgeToTell({ condition, repeat }, data, memory);
    ({ memory } = judged);
    if (judged.holds) told_ms.push(at_ms);
    if (judged.looked.every(({ now, new_keys }) => now === null && new_keys === undefined)) unknown += 1;
  }
  return { ...span, told_ms, unknown };
}
