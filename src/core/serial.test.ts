import { expect, test } from "bun:test";
import { createSerial } from "./serial.ts";

test("the work of one holder is done one after another, also after a failure; others do not wait", async () => {
  const { run } = createSerial();
  const done: string[] = [];
  const first = Promise.withResolvers<void>();
  const ask = (holder: string, name: string, wait: Promise<void> = Promise.resolve()) =>
    run(holder, async () => {
      done.push(`${name} begins`);
      await wait;
      done.push(`${name} ends`);
      if (name === "a") throw new Error("a failed");
      return name;
    });
  const failing = ask("one", "a", first.promise).catch((error: Error) => error.message);
  const next = ask("one", "b");
  expect(await ask("other", "c")).toBe("c");
  expect(done).toEqual(["a begins", "c begins", "c ends"]);
  first.resolve();
  expect([await failing, await next]).toEqual(["a failed", "b"]);
  expect(done.slice(3)).toEqual(["a ends", "b begins", "b ends"]);
});
