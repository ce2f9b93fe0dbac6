import { expect, test } from "bun:test";
import { createAlarm } from "./alarm.ts";

function createWorld() {
  let due_ms: number | null = null;
  const waits: number[] = [];
  let fire: (() => void) | null = null;
  let rung = 0;
  const alarm = createAlarm({
    timers: {
      elapsed_ms: () => 0,
      after(ms, ring) {
        waits.push(ms);
        fire = ring;
        return () => {
          fire = null;
        };
      },
    },
    now_ms: () => 1_000_000,
    nextDue: () => due_ms,
    ring: () => {
      rung += 1;
    },
  });
  return {
    alarm,
    waits,
    setDue: (ms: number | null) => {
      due_ms = ms;
      alarm.arm();
    },
    isArmed: () => fire !== null,
    fire: () => fire?.(),
    rung: () => rung,
  };
}

test("rings when the next thing is due, no sooner than a quarter of a second, and not for what is an hour away", () => {
  const { setDue, waits, isArmed, fire, rung } = createWorld();
  setDue(null);
  setDue(1_000_000 + 3_600_000);
  expect(isArmed()).toBe(false);
  setDue(1_000_000 + 30_000);
  setDue(1_000_000 - 5_000);
  expect(waits).toEqual([30_000, 250]);
  fire();
  expect(rung()).toBe(1);
});

test("once closed it rings no more", () => {
  const { alarm, setDue, isArmed } = createWorld();
  setDue(1_000_000 + 30_000);
  alarm.close();
  expect(isArmed()).toBe(false);
  setDue(1_000_000 + 10_000);
  expect(isArmed()).toBe(false);
});
