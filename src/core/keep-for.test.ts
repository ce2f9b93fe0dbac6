import { expect, test } from "bun:test";
import { keepFor } from "./keep-for.ts";

test("a value is made once a period, shared while it is made, and made again by a clock set back", async () => {
  let [now_ms, made] = [1_000, 0];
  const read = keepFor(
    100,
    () => now_ms,
    async () => ++made,
  );
  expect(await Promise.all([read(), read()])).toEqual([1, 1]);
  now_ms += 99;
  expect(await read()).toBe(1);
  now_ms += 1;
  expect(await read()).toBe(2);
  now_ms = 500;
  expect(await read()).toBe(3);
});

test("what failed is not kept", async () => {
  let is_broken = true;
  const read = keepFor(
    100,
    () => 0,
    async () => {
      if (is_broken) throw new Error("disk");
      return "fine";
    },
  );
  await expect(read()).rejects.toThrow("disk");
  is_broken = false;
  expect(await read()).toBe("fine");
});
