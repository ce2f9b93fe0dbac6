import { expect, test } from "bun:test";
import { yieldToEventLoop } from "./load-bars.ts";

test("whoever gives way comes back in a turn of the event loop of his own", async () => {
  let turn = 0;
  let counting = true;
  const count = () => {
    turn += 1;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  const turns: number[] = [];
  const work = async () => {
    await yieldToEventLoop();
    turns.push(turn);
  };
  await Promise.all([work(), work(), work(), work()]);
  counting = false;
  expect(new Set(turns).size).toBe(4);
});
