import { expect, test } from "bun:test";
import { startCost } from "./thread-cost.ts";

/** The cost of a piece of work, given its processor time and its wall time, ms. */
function costOf(worked: number, took: number): number {
  let [worked_ms, elapsed_ms] = [100, 1_000];
  const readCost = startCost({ worked_ms: () => worked_ms, elapsed_ms: () => elapsed_ms });
  worked_ms += worked;
  elapsed_ms += took;
  return readCost();
}

test("a piece costs what the thread worked, never more than the time that passed", () => {
  // Others had the processor meanwhile; the system counted a step of 4 ms for a piece of 1.
  expect([costOf(3, 30), costOf(4, 1), costOf(0, 1)]).toEqual([3, 1, 0]);
});
