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

test("a client that left before anybody waited is not waited for", async () => {
  expect(await isOver(waitForHangUp(AbortSignal.abort(), 60_000))).toBe(true);
});

test("waiting ends when the client leaves, and not before", async () => {
  const client = new AbortController();
  const waiting = waitForHangUp(client.signal, 60_000);
  expect(await isOver(waiting)).toBe(false);
  client.abort();
  expect(await isOver(waiting)).toBe(true);
});

test("a client that never leaves is let go at the limit", async () => {
  await waitForHangUp(new AbortController().signal, 1);
});
