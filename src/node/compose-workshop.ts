import { availableParallelism } from "node:os";
import { createWorkCosts } from "../catalog/work-costs.ts";
import { systemTimers } from "../core/clock.ts";
import { createLoopBrake } from "../core/loop-brake.ts";
import { THREAD_CLOCKS } from "../core/thread-cost.ts";
import { createComputePool } from "../threads/compute-pool.ts";
import { createWorkshop, type NodeWorkshop } from "../threads/workshop.ts";
import type { StartOptions } from "./parts.ts";

/** One core is the serving thread's. */
const countThreads = (): number => Math.max(1, availableParallelism() - 1);

/**
 * A sandbox holds nothing back and computes in its own thread unless it is told otherwise: the world it sells from and
 * the past it lives hold that thread for longer than any product, and its memory has a bar.
 */
export function composeWorkshop(
  { config, timers = systemTimers, sandbox }: StartOptions,
  node_id: string,
): NodeWorkshop {
  const threads = config.work.threads ?? (sandbox === null ? countThreads() : 0);
  return createWorkshop({
    node_id,
    sandbox: sandbox !== null,
    pool: threads > 0 ? createComputePool({ threads, timers }) : null,
    costs: createWorkCosts(),
    brake: sandbox === null ? createLoopBrake() : null,
    clocks: THREAD_CLOCKS,
  });
}
