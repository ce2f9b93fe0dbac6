import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ProductNode, startProductNode } from "../helpers/product-node.ts";

let node: ProductNode;
let is_settled = false;
beforeAll(async () => {
  node = await startProductNode({ at_once: true });
  void node.node.settled.then(() => {
    is_settled = true;
  });
});
afterAll(() => node.stop());

/** Of each kind: live quotes, a feed, bars that are stored, a model. */
test.each(["/fear-greed", "/pyth-price", "/stock-quote", "/regime", "/forex-rate", "/kyber-swap"])(
  "%s is sold as soon as the node is ready, while the sandbox still lives its past",
  async (path) => {
    const product = node.products.find((one) => one.path === path);
    if (!product) throw new Error(`${path} is not offered`);
    const before = node.settlements();
    const answer = await node.buy(product);
    expect([answer.status, is_settled]).toEqual([200, false]);
    expect(((await answer.json()) as { data: object }).data).toBeObject();
    expect(node.settlements()).toBe(before + 1);
  },
);
