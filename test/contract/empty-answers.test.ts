import { afterAll, beforeAll, expect, test } from "bun:test";
import { createWholeNode, PRODUCTS, produce } from "../helpers/catalog-world.ts";
import type { SimulatedNode } from "../helpers/simulated-node.ts";

/**
 * Nobody pays for an empty list unknowingly: a product whose plain answer may list nothing counts its rows, and its 402
 * says how many the newest answer had. A node whose jobs never ran has the emptiest answers there are.
 */
const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);

let node: SimulatedNode;
beforeAll(() => {
  node = createWholeNode({ now_ms: NOW_MS });
});
afterAll(() => node.close());

test("what may list nothing says how many rows there are, before it is paid for", async () => {
  const uncounted: string[] = [];
  for (const product of PRODUCTS) {
    const [request] = product.previewRequests();
    const outcome = await produce(node, product, request);
    if (!outcome.ok || product.definition.preview.listed) continue;
    const lists = Object.values(outcome.sold.data).filter(Array.isArray);
    const is_empty = lists.length > 0 && lists.every(({ length }) => length === 0);
    if (is_empty) uncounted.push(product.path);
  }
  expect(uncounted).toEqual([]);
});
