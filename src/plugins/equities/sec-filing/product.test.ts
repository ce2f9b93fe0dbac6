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
  // 2026-09-29 is the last evening stored; the 27th was a Sunday, which has Friday's list.
  const asked = (query: string) => run(node, `filings=40&as_known_at=${query}`);
  const then = await asked("2026-09-29");
  expect(then.data).toMatchObject({ known_at: "2026-09-29", filings: { length: 40 } });
  expect(then.data.to <= "2026-09-30T02:00:00Z").toBe(true);
  expect(then.sources.map(({ provider }) => provider)).toContain("sec");
  expect((await asked("2026-09-27")).data).toEqual((await asked("2026-09-25")).data);
  for (const [query, code] of [
    ["2026-08-03", "subject_not_found"],
    ["2026-10-02", "invalid_parameter"],
    ["2026-02-30", "invalid_parameter"],
  ] as const)
    expect([query, (await refusalOf(asked(query))).code]).toEqual([query, code]);
  node.upstreams.setFault("sec", "wrong_shape");
  expect((await asked("2026-09-29")).data).toEqual(then.data);
  node.clock.advance(600_000);
  expect((await refusalOf(run(node))).status).toBe(503);
});
