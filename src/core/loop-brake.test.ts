import { expect, test } from "bun:test";
import { createManualTimers } from "../../test/helpers/manual-timers.ts";
import { isNodeError } from "./errors.ts";
import { createLoopBrake } from "./loop-brake.ts";

/** A thread that is blocked, by its own work or by other processes, whenever the test says so. */
function createThread() {
  const timers = createManualTimers();
  let [held_ms, worked_ms] = [0, 0];
  const brake = createLoopBrake({
    timers: { elapsed_ms: () => timers.elapsed_ms() + held_ms, after: timers.after },
    worked_ms: () => worked_ms,
  });
  return {
    brake,
    /** Timers fire late by so much, of which the thread worked a part. */
    async hold(ms: number, own_ms: number) {
      held_ms += ms;
      worked_ms += own_ms;
      await timers.advance(50);
    },
    async rest(ms: number) {
      await timers.advance(ms);
    },
    timers,
  };
}

const isFree = (brake: ReturnType<typeof createLoopBrake>, cost_ms: number | null): boolean => {
  try {
    brake.assertFree(cost_ms);
    return true;
  } catch (error) {
    if (!isNodeError(error) || error.code !== "overloaded" || error.options.own_limit !== true) throw error;
    return false;
  }
};
const WEIGHTS = [20, 4, 3, 1, 0.5, null];
const listFree = (brake: ReturnType<typeof createLoopBrake>) => WEIGHTS.filter((ms) => isFree(brake, ms));

test("the heaviest class is held back first, the next one when that did not help", async () => {
  const { brake, hold } = createThread();
  brake.watch();
  expect(listFree(brake)).toEqual(WEIGHTS);
  await hold(50, 50);
  expect(listFree(brake)).toEqual(WEIGHTS);
  await hold(51, 51);
  expect(listFree(brake)).toEqual(WEIGHTS);
  await hold(51, 51);
  expect(listFree(brake)).toEqual([3, 1, 0.5, null]);
  await hold(100, 100);
  expect(listFree(brake)).toEqual([3, 1, 0.5, null]);
  await hold(500, 500);
  expect(listFree(brake)).toEqual([0.5]);
  await hold(600, 600);
  expect(listFree(brake)).toEqual([]);
  expect(brake.status()).toMatchObject({ classes: 3, late: 5, latest_ms: 600 });
});

test("one long piece holds nothing back: only who is late twice in a row cannot do all there is to do", async () => {
  const { brake, hold, rest } = createThread();
  brake.watch();
  for (let n = 0; n < 10; n += 1) {
    await hold(300, 300);
    await rest(50);
  }
  expect(brake.status()).toEqual({ classes: 0, late: 10, latest_ms: 300, refused: 0 });
});

test("each class is let in again after a second in time, the lightest first", async () => {
  const { brake, hold, rest } = createThread();
  brake.watch();
  await hold(80, 80);
  await hold(80, 80);
  await hold(700, 700);
  expect(brake.status().classes).toBe(2);
  await rest(900);
  expect(brake.status().classes).toBe(2);
  await rest(100);
  expect(brake.status().classes).toBe(1);
  await rest(1_000);
  expect(listFree(brake)).toEqual(WEIGHTS);
});

test("what other processes take of the machine holds nothing back", async () => {
  const { brake, hold } = createThread();
  brake.watch();
  for (let n = 0; n < 20; n += 1) await hold(400, 40);
  expect(brake.status()).toEqual({ classes: 0, late: 0, latest_ms: 0, refused: 0 });
});

test("a node that does nothing is not looked at", async () => {
  const { brake, rest, timers } = createThread();
  expect(timers.set()).toEqual([]);
  const end = brake.watch();
  const endOther = brake.watch();
  expect(timers.set()).toEqual([50]);
  end();
  await rest(200);
  expect(timers.set()).toEqual([50]);
  endOther();
  await rest(50);
  expect(timers.set()).toEqual([]);
});

test("what is held back is let in again though nothing is under way any more", async () => {
  const { brake, hold, rest, timers } = createThread();
  const end = brake.watch();
  await hold(80, 80);
  await hold(80, 80);
  expect(brake.status().classes).toBe(1);
  end();
  await rest(1_100);
  expect(brake.status().classes).toBe(0);
  await rest(50);
  expect(timers.set()).toEqual([]);
});
