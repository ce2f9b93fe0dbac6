import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { createWatchHooks } from "../../stores/watch-hooks.ts";
import { createWatchRows } from "../../stores/watch-rows.ts";
import { findDeadWebhooks } from "./webhook-conditions.ts";

function openHooks() {
  const db = new Database(":memory:", { strict: true });
  createWatchRows(db);
  const hooks = createWatchHooks(db);
  return {
    hooks,
    titles: () => findDeadWebhooks(hooks.troubles()).map(({ title }) => title),
    /** Tried so many times in vain. */
    fail(watch: string, url: string, times: number): void {
      hooks.setHook(watch, { url, secret: "whsec_a" });
      for (let n = 1; n <= times; n += 1) hooks.noteRefused(watch, { error: "it answered 503", next_ms: n });
    },
  };
}

test("three hosts that take no events are the node's trouble, until half of the webhooks take them", () => {
  const { hooks, titles, fail } = openHooks();
  fail("a", "https://one.example/hook", 2);
  fail("b", "https://two.example/hook", 2);
  expect(titles()).toEqual([]);
  fail("c", "https://three.example/hook", 3);
  expect(titles()).toEqual(["3 of 3 webhooks of watches take no events"]);
  for (const watch of ["d", "e", "f", "g"]) {
    hooks.setHook(watch, { url: `https://${watch}.example/hook`, secret: "whsec_a" });
    hooks.noteDelivered(watch, 1);
  }
  expect(titles()).toEqual([]);
});

test("many webhooks of one host, and what failed once, are not", () => {
  const { titles, fail } = openHooks();
  for (const watch of ["a", "b", "c", "d"]) fail(watch, `https://one.example/${watch}`, 5);
  fail("e", "https://two.example/hook", 1);
  fail("f", "https://three.example/hook", 1);
  expect(titles()).toEqual([]);
});

test("what was given up counts, what takes events again does not, and no address is named", () => {
  const { hooks, titles, fail } = openHooks();
  for (const watch of ["a", "b", "c"]) fail(watch, `https://${watch}.example/hook`, 1);
  for (const watch of ["a", "b", "c"]) hooks.noteRefused(watch, { error: "it answered 410", next_ms: null });
  expect(JSON.stringify(findDeadWebhooks(hooks.troubles()))).not.toContain(".example");
  expect(titles()).toHaveLength(1);
  hooks.unpark("a", 1);
  hooks.noteDelivered("a", 1);
  expect(titles()).toEqual([]);
});
