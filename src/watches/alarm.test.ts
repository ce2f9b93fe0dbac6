import { expect, test } from "bun:test";
import { createManualTimers } from "../../test/helpers/manual-timers.ts";
import { createAlarm } from "./alarm.ts";

const START_MS = 1_000_000;

function createWorld() {
  let due_ms: number | null = null;
  let rung = 0;
  const timers = createManualTimers();
  const alarm = createAlarm({
    timers,
    now_ms: () => START_MS + timers.elapsed_ms(),
    nextDue: () => due_ms,
    ring: () => {
      rung += 1;
    },
  });
  return {
    alarm,
    timers,
    setDue: (ms: number | null) => {
      due_ms = ms;
      alarm.arm();
    },
    rung: () => rung,
  };
}

test("rings when the next thing is due, in a quarter of a second at the earliest and a minute at most", async () => {
  const { setDue, timers, rung } = createWorld();
  setDue(null);
  setDue(START_MS + 3_600_000);
  expect(timers.set()).toEqual([]);
  setDue(START_MS + 30_000);
  expect(timers.set()).toEqual([30_000]);
  setDue(START_MS - 5_000);
  expect(timers.set()).toEqual([250]);
  await timers.advance(250);
  expect(rung()).toBe(1);
});

test("what is set again and again puts nothing off that is due", async () => {
  const { setDue, timers, rung } = createWorld();
  for (let set = 0; set < 100; set += 1) {
    setDue(START_MS - 5_000);
    await timers.advance(50);
  }
  expect(rung()).toBe(20);
});

test("what is set for later keeps the alarm that rings sooner", async () => {
  const { setDue, timers, rung } = createWorld();
  setDue(START_MS + 1_000);
  setDue(START_MS + 30_000);
  await timers.advance(1_000);
  expect(rung()).toBe(1);
});

test("after a look it rings for what is due next alone", async () => {
  const { alarm, setDue, timers, rung } = createWorld();
  setDue(START_MS);
  setDue(START_MS + 30_000);
  alarm.rearm();
  expect(timers.set()).toEqual([30_000]);
  await timers.advance(30_000);
  expect(rung()).toBe(1);
});

test("once closed it rings no more", () => {
  const { alarm, setDue, timers } = createWorld();
  setDue(START_MS + 30_000);
  alarm.close();
  expect(timers.set()).toEqual([]);
  setDue(START_MS + 10_000);
  alarm.rearm();
  expect(timers.set()).toEqual([]);
});
