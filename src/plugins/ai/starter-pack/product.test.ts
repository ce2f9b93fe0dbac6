import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ProductNode, startProductNode } from "../../../../test/helpers/product-node.ts";
import { PARTS, product } from "./product.ts";
import type { StarterPackData } from "./schema.ts";

let node: ProductNode;
beforeAll(async () => {
  node = await startProductNode({ seed_history: false, runs_jobs: true });
});
afterAll(() => node.stop());

test("GET /starter-pack sells its six parts, and leads to products and guides that are there", async () => {
  const answer = await node.buy(product);
  expect(answer.status).toBe(200);
  const { data } = (await answer.json()) as { readonly data: StarterPackData };
  expect(data.items.map(({ path }) => path)).toEqual(PARTS.map(({ path }) => path));
  expect(Number(data.parts_price_atomic)).toBeGreaterThan(Number(data.price_atomic));
  expect(data.next_steps).toHaveLength(3);
  for (const { path } of data.next_steps) expect((await fetch(`${node.url}${path}`)).status).toBe(402);
  for (const url of data.how_to_pay) expect((await fetch(url)).status).toBe(200);
});
