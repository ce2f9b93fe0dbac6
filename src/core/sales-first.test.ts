import { expect, test } from "bun:test";
import { createManualTimers } from "../../test/helpers/manual-timers.ts";
import { createSalesFirst } from "./sales-first.ts";

const createWorld = () => {
  const timers = createManualTimers();
  const first = createSalesFirst(timers);
  const done: string[] = [];
  const noteTurn = (name: string) => first.turn().then(() => done.push(name));
  /** Until whatever can go on has gone on. */
  const settle = async () => {
    for (let n = 0; n < 5; n += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  return { timers, first, done, noteTurn, settle };
};

test("a step of the start waits for the sales that are being made, and for no other", async () => {
  const { first, done, noteTurn, settle } = createWorld();
  await noteTurn("before");
  first.begin();
  first.begin();
  const step = noteTurn("after");
  await settle();
  first.end();
  await settle();
  expect(done).toEqual(["before"]);
  first.end();
  await step;
  expect(done).toEqual(["before", "after"]);
});

test("a sale that waits for the start itself does not delay the start", async () => {
  const { first, done, noteTurn, settle } = createWorld();
  const lived = Promise.withResolvers<string>();
  first.begin();
  const waiting = first.standBack(lived.promise);
  await noteTurn("lived");
  lived.resolve("past");
  expect(await waiting).toBe("past");
  const step = noteTurn("later");
  await settle();
  expect(done).toEqual(["lived"]);
  first.end();
  await step;
});

test("sales without end hold a step up for a while only", async () => {
  const { timers, first, done, noteTurn, settle } = createWorld();
  first.begin();
  const step = noteTurn("step");
  await settle();
  await timers.advance(199);
  await settle();
  expect(done).toEqual([]);
  await timers.advance(1);
  await step;
  expect(done).toEqual(["step"]);
});
