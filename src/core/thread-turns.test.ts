import { expect, test } from "bun:test";
import { createManualTimers } from "../../test/helpers/manual-timers.ts";
import { createThreadTurns } from "./thread-turns.ts";

/** Turns on a thread whose time passes only by work and by waiting. */
function createWorld() {
  const timers = createManualTimers();
  let worked_ms = 0;
  const clock = { elapsed_ms: () => timers.elapsed_ms() + worked_ms, after: timers.after };
  const turns = createThreadTurns(clock);
  const done: string[] = [];
  const run = (name: string, ms: number, whose: "buyer" | "patient" = "buyer") =>
    turns.run(whose, () => {
      worked_ms += ms;
      done.push(name);
      return name;
    });
  return { timers, turns, done, run };
}

test("work is done at once while no other work is running", async () => {
  const { done, run } = createWorld();
  expect(await run("one", 0)).toBe("one");
  void run("two", 0);
  // Without waiting for anything.
  expect(done).toEqual(["one", "two"]);
});

test("after a piece the thread is everybody else's for as long as it took, at most 20 ms", async () => {
  const { timers, done, run, turns } = createWorld();
  for (const [name, ms] of [
    ["a", 8],
    ["b", 100],
    ["c", 1],
  ] as const)
    void run(name, ms);
  expect(done).toEqual(["a"]);
  await timers.advance(7);
  expect(done).toEqual(["a"]);
  await timers.advance(1);
  expect(done).toEqual(["a", "b"]);
  await timers.advance(19);
  expect(done).toEqual(["a", "b"]);
  await timers.advance(1);
  expect(done).toEqual(["a", "b", "c"]);
  expect(turns.status()).toEqual({ waiting: 0, buyers: 0, refused: 0, longest_ms: 100 });
});

test("buyers go before who is patient, and patience has an end", async () => {
  const { timers, done, run } = createWorld();
  void run("first", 20);
  void run("preview", 20, "patient");
  for (let n = 0; n < 60; n += 1) void run("bought", 20);
  await timers.advance(5_000);
  const place = done.indexOf("preview");
  expect(place).toBeGreaterThan(20);
  expect(place).toBeLessThan(60);
});

test("what could not be done in time is refused, and what fails fails alone", async () => {
  const { timers, run, turns } = createWorld();
  const failing = turns.run("buyer", () => {
    throw new Error("its own failure");
  });
  await expect(failing).rejects.toThrow("its own failure");
  void run("holding", 5);
  const queued = Array.from({ length: 200 }, (_, n) => run(String(n), 5));
  const over = await run("over", 5).catch((error: { code: string }) => error.code);
  expect([over, turns.status().refused]).toEqual(["overloaded", 1]);
  await timers.advance(3_000);
  expect((await Promise.all(queued)).length).toBe(200);
});
