import { afterAll, beforeAll, expect, test } from "bun:test";
import { type HeldBy, listFreeCalls, measureFreeCall } from "../helpers/free-doors.ts";
import { HELD_MS_MAX } from "../helpers/held-thread.ts";
import { type ProductNode, startProductNode } from "../helpers/product-node.ts";

/** Nobody pays for them, and everybody waits for the thread they hold. */
const TRIES = 4;

let node: ProductNode;
const held: HeldBy[] = [];
beforeAll(async () => {
  node = await startProductNode({ seed_history: false });
  for (const call of listFreeCalls()) held.push(await measureFreeCall(node.url, call, TRIES));
});
afterAll(() => node.stop());

test("every free document and door is asked, and answers", () => {
  expect(held.length).toBeGreaterThan(40);
  expect(held.filter(({ status }) => status >= 500 && status !== 503)).toEqual([]);
  // Some ask for a key, a parameter or a history that is not there: what they refuse costs next to nothing.
  const refused = held.filter(({ status }) => status !== 200).map(({ what, status }) => `${status} ${what}`);
  expect({ refused: refused.length < held.length * 0.3 ? [] : refused }).toEqual({ refused: [] });
  for (const what of ["/openapi.json", "/mcp tools/list", "/docs", "/", "/receipts", "/quote, 200 calls"]) {
    expect(held.find((one) => one.what === what)?.status).toBe(200);
  }
});

test("none of them holds the serving thread for long", () => {
  const most = held.toSorted((a, b) => b.best_ms - a.best_ms).slice(0, 6);
  console.info(`held longest, ms: ${most.map(({ what, best_ms }) => `${what} ${best_ms.toFixed(1)}`).join(", ")}`);
  expect(held.filter(({ best_ms }) => best_ms > HELD_MS_MAX)).toEqual([]);
});
