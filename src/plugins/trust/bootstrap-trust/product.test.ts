import { expect, test } from "bun:test";
import { runProduct } from "../../../../test/helpers/product-harness.ts";
import { product } from "./product.ts";

test("a node that has sold nothing says so", async () => {
  const { data } = await runProduct(product, { now_ms: 0, bodies: {} });
  expect(data).toMatchObject({
    node_id: "in1test",
    receipts: { organic: { count: 0, amount_atomic: "0" } },
    last_settled_at: null,
  });
});
