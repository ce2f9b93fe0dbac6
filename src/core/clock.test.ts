import { expect, test } from "bun:test";
import { createManualTimers } from "../../test/helpers/manual-timers.ts";
import { sleep, startTimeLimit, systemTimers } from "./clock.ts";

test("a sleep ends when its time has passed, not before", async () => {
  const timers = createManualTimers();
  let awake = false;
  const sleeping = sleep(timers, 1_000).then(() => {
    awake = true;
  });
  await timers.advance(999);
  expect(awake).toBe(false);
  await timers.advance(1);
  await sleeping;
  expect(awake).toBe(true);
});

test("a sleep ends with the signal's reason, and leaves no timer behind", async () => {
  const timers = createManualTimers();
  const abort = new AbortController();
  const sleeping = sleep(timers, 1_000, abort.signal);
  abort.abort(new Error("nobody waits"));
  await expect(sleeping).rejects.toThrow("nobody waits");
  await expect(sleep(timers, 1_000, abort.signal)).rejects.toThrow("nobody waits");
  expect(timers.set()).toEqual([]);
});

test("a time limit says whether the time was up or the outer signal came first", async () => {
  const timers = createManualTimers();
  const outer = new AbortController();
  const up = startTimeLimit(timers, 50, outer.signal);
  const stopped = startTimeLimit(timers, 100, outer.signal);
  await timers.advance(50);
  expect([up.signal.aborted, up.isUp()]).toEqual([true, true]);
  expect((up.signal.reason as DOMException).name).toBe("TimeoutError");
  outer.abort(new Error("the caller left"));
  expect([stopped.signal.aborted, stopped.isUp()]).toEqual([true, false]);
  const ended = startTimeLimit(timers, 10);
  ended.end();
  stopped.end();
  await timers.advance(1_000);
  expect([ended.signal.aborted, ended.isUp(), stopped.isUp()]).toEqual([false, false, false]);
  expect(timers.set()).toEqual([]);
});

test("the system's timers fire once, and not after they were canceled", async () => {
  let fired = 0;
  const cancel = systemTimers.after(1, () => {
    fired += 10;
  });
  cancel();
  const before_ms = systemTimers.elapsed_ms();
  await new Promise<void>((resolve) => {
    systemTimers.after(2, () => {
      fired += 1;
      resolve();
    });
  });
  expect(fired).toBe(1);
  expect(systemTimers.elapsed_ms()).toBeGreaterThan(before_ms);
});

test("a time limit gives back once what the thread itself was held for", () => {
  let now_ms = 0;
  const set: { readonly ms: number; readonly fire: () => void }[] = [];
  const after = (ms: number, fire: () => void) => {
    set.push({ ms, fire });
    return () => undefined;
  };
  const timers = { elapsed_ms: () => now_ms, after };
  const held = startTimeLimit(timers, 1_000);
  // It should have fired 3 s ago: what came meanwhile is read first.
  now_ms = 4_000;
  set[0]?.fire();
  expect([held.isUp(), set[1]?.ms]).toEqual([false, 1_000]);
  now_ms = 9_000;
  set[1]?.fire();
  expect([held.isUp(), set.length]).toEqual([true, 2]);
  const punctual = startTimeLimit(timers, 1_000);
  now_ms = 10_040;
  set[2]?.fire();
  expect(punctual.isUp()).toBe(true);
});
