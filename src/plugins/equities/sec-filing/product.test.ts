import { expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { job } from "../jobs/sec-items.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

test("on a simulated node: every form once, tickers, and what the job counted", async () => {
  const node = createNode({ now_ms: NOW_MS - 8 * 86_400_000 });
  for (let day = 8; day > 0; day -= 1) {
    node.clock.set(NOW_MS - day * 86_400_000);
    await job.run(node.createContext());
  }
  node.clock.set(NOW_MS);
  const { data, as_of_ms } = await run(node);
  expect(data.filings_seen).toBeGreaterThan(30);
  expect(data.filings).toHaveLength(12);
  const more = await run(node, "filings=40");
  expect(more.data.filings.length).toBe(Math.min(40, data.filings_seen));
  expect(more.data.filings.slice(0, 12)).toEqual(data.filings);
  expect(data.unusual).not.toBeNull();
  expect(data.filings.every(({ ticker }) => ticker !== null)).toBe(true);
  expect(NOW_MS - as_of_ms).toBeLessThan(86_400_000);
  node.upstreams.setFault("sec", "wrong_shape");
  node.clock.advance(600_000);
  expect((await refusalOf(run(node))).status).toBe(503);
});
