import { expect, test } from "bun:test";
import { createStillClock } from "../../test/helpers/still-clock.ts";
import type { Timers } from "../core/clock.ts";
import { createSlowRefusals } from "./slow-refusals.ts";

const NETWORK = "203.0.113.1";
const AT_ONCE = 120;
const HELD_MAX = 1_000;

/** Refusals with a manual clock. */
function start() {
  const clock = createStillClock();
  const timers = new Map<symbol, { readonly due_ms: number; readonly fire: () => void }>();
  const still: Timers = {
    elapsed_ms: clock.now,
    after(ms, fire) {
      const id = Symbol();
      timers.set(id, { due_ms: clock.now() + ms, fire });
      return () => void timers.delete(id);
    },
  };
  const refusals = createSlowRefusals({ clock, timers: still });
  const pass = (ms: number): void => {
    clock.advance(ms);
    for (const [id, { due_ms, fire }] of [...timers]) {
      if (due_ms > clock.now()) continue;
      timers.delete(id);
      fire();
    }
  };
  /** Notes so many refusals of one network. @returns how many of them have to wait. */
  const note = (count: number, network: string | null = NETWORK): number => {
    let held = 0;
    for (let n = 0; n < count; n += 1) if (refusals.note(network, newRequest()) !== null) held += 1;
    return held;
  };
  return { refusals, note, pass, timers, advance: clock.advance };
}

const newRequest = (signal = new AbortController().signal) => ({ signal });

/** Whether it is over by now, without waiting for it. */
async function isOver(held: Promise<void> | null): Promise<boolean> {
  const open = Symbol();
  return (await Promise.race([held, Promise.resolve(open)])) !== open;
}

test("a network was refused 120 times, and is refused more than ten times a second, before a refusal waits", () => {
  const { note, advance } = start();
  expect(note(AT_ONCE)).toBe(0);
  expect(note(7)).toBe(7);
  advance(1_000);
  expect(note(15)).toBe(5);
  // Ten a second are answered at once for as long as they come.
  for (let second = 0; second < 60; second += 1) {
    advance(1_000);
    expect(note(10)).toBe(0);
  }
  advance(60_000);
  expect(note(AT_ONCE + 1)).toBe(1);
});

test("another network is answered at once, and one without limits always", () => {
  const { note } = start();
  note(AT_ONCE * 2);
  expect(note(AT_ONCE, "203.0.113.2")).toBe(0);
  expect(note(AT_ONCE * 3, null)).toBe(0);
});

test("a refusal waits half a second, without doing any work", async () => {
  const { refusals, note, pass, timers } = start();
  note(AT_ONCE);
  const held = refusals.note(NETWORK, newRequest());
  expect([refusals.held, timers.size]).toEqual([1, 1]);
  pass(499);
  expect(await isOver(held)).toBe(false);
  pass(1);
  expect(await isOver(held)).toBe(true);
  expect([refusals.held, timers.size]).toEqual([0, 0]);
});

test("a client that hangs up is waited for no longer", async () => {
  const { refusals, note, timers } = start();
  note(AT_ONCE);
  const client = new AbortController();
  const held = refusals.note(NETWORK, newRequest(client.signal));
  const other = refusals.note(NETWORK, newRequest());
  client.abort();
  expect([await isOver(held), await isOver(other)]).toEqual([true, false]);
  expect([refusals.held, timers.size]).toEqual([1, 1]);
  // Nor is one that has gone before it could be answered.
  expect(refusals.note(NETWORK, newRequest(client.signal))).toBeNull();
});

test("a thousand are held at a time; what is more is answered at once", () => {
  const { refusals, note, pass } = start();
  note(AT_ONCE);
  expect(note(HELD_MAX + 300)).toBe(HELD_MAX);
  expect(refusals.held).toBe(HELD_MAX);
  pass(500);
  expect(refusals.held).toBe(0);
  note(20);
  expect(refusals.held).toBeGreaterThan(0);
});

test("a node that closes lets all of them go, and holds none back from then on", async () => {
  const { refusals, note, timers } = start();
  note(AT_ONCE);
  const held = refusals.note(NETWORK, newRequest());
  note(5);
  refusals.close();
  expect(await isOver(held)).toBe(true);
  expect([refusals.held, timers.size, note(50)]).toEqual([0, 0, 0]);
});
