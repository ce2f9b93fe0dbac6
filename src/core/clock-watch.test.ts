import { expect, test } from "bun:test";
import { createClockWatch } from "./clock-watch.ts";

const REAL_MS = Date.UTC(2026, 10, 22, 12);
const HOUR_MS = 3_600_000;

/** A machine whose clock is off by so much, and servers whose clocks are right. */
function createMachine(off_ms: number) {
  const state = { off_ms, elapsed_ms: 0 };
  const watch = createClockWatch({
    clock: { now: () => REAL_MS + state.elapsed_ms + state.off_ms },
    timers: { elapsed_ms: () => state.elapsed_ms },
  });
  const answer = (host: string, { server_off_ms = 0, age = "" } = {}) => {
    const date = new Date(REAL_MS + state.elapsed_ms + server_off_ms).toUTCString();
    watch.note(`https://${host}/x`, new Headers({ date, ...(age === "" ? {} : { age }) }));
  };
  return { state, watch, answer };
}

test.each([
  [HOUR_MS, "3599.5 s ahead of 2 servers that answered this node"],
  [-HOUR_MS, "3600.5 s behind 2 servers that answered this node"],
])("a clock that is %d ms off is said by two servers", (off_ms, says) => {
  const { watch, answer } = createMachine(off_ms);
  expect(watch.judge()).toBeUndefined();
  answer("facilitator.example.com");
  answer("facilitator.example.com");
  expect(watch.judge()).toBeUndefined();
  answer("source.example.com");
  expect(watch.judge()).toBe(says);
});

test("one server is believed when payments are refused for their time and no payment is accepted", () => {
  const { watch, answer, state } = createMachine(HOUR_MS);
  answer("facilitator.example.com");
  watch.notePayments({ expired: 0, taken: 7 });
  watch.notePayments({ expired: 2, taken: 7 });
  expect(watch.judge()).toBe("3599.5 s ahead of 1 server that answered this node, and payments are refused for it");
  watch.notePayments({ expired: 2, taken: 8 });
  expect(watch.judge()).toBeUndefined();
  state.elapsed_ms += 700_000;
  watch.notePayments({ expired: 2, taken: 8 });
  expect(watch.judge()).toBeUndefined();
});

test("old payments of strangers say nothing while servers say that the clock is right, or say nothing", () => {
  const { watch, answer } = createMachine(0);
  watch.notePayments({ expired: 0, taken: 0 });
  watch.notePayments({ expired: 500, taken: 0 });
  expect(watch.judge()).toBeUndefined();
  answer("facilitator.example.com");
  answer("source.example.com");
  expect(watch.judge()).toBeNull();
});

test("a server that is wrong itself, or hands out what a cache kept, is outvoted", () => {
  const { watch, answer } = createMachine(0);
  answer("wrong.example.com", { server_off_ms: -HOUR_MS });
  answer("right.example.com");
  expect(watch.judge() ?? null).toBeNull();
  answer("another.example.com");
  answer("cached.example.com", { server_off_ms: -HOUR_MS, age: "3600" });
  expect(watch.judge()).toBeNull();
});

test("a clock that was set right is right at the next answers", () => {
  const { watch, answer, state } = createMachine(HOUR_MS);
  for (const host of ["a.example.com", "b.example.com", "c.example.com"]) answer(host);
  expect(watch.judge()).toContain("ahead of 3 servers");
  state.off_ms = 0;
  for (const host of ["a.example.com", "b.example.com"]) answer(host);
  expect(watch.judge()).toBeNull();
  state.elapsed_ms += 180_001;
  expect(watch.judge()).toBeUndefined();
});
