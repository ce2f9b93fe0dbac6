import { expect, test } from "bun:test";
import { waitForHangUp } from "./wait-for-hang-up.ts";

const isOver = async (waiting: Promise<void>): Promise<boolean> => {
  let over = false;
  void waiting.then(() => {
    over = true;
  });
  // Settled promises run their callbacks before the next macrotask.
  await new Promise((resolve) => setImmediate(resolve));
  return over;
};

test("there is no wait for a client that has already left", async () => {
  expect(await isOver(waitForHangUp(AbortSignal.abort(), 60_000))).toBe(true);
});

test("the wait ends when the client leaves, and not before", async () => {
  const client = new AbortController();
  const waiting = waitForHangUp(client.signal, 60_000);
  expect(await isOver(waiting)).toBe(false);
  client.abort();
  expect(await isOver(waiting)).toBe(true);
});

test("the wait for a client that never leaves ends at the limit", async () => {
  await waitForHangUp(new AbortController().signal, 1);
});
