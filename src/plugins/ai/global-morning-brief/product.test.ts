import { expect, test } from "bun:test";
import { createSimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { testSoldByTemplates } from "../../../../test/helpers/sold-by-templates.ts";
import { job } from "../jobs/morning-editions.ts";
import { editions, product } from "./product.ts";

testSoldByTemplates(product, { now_ms: Date.UTC(2026, 9, 1, 12, 24, 56) });

test("its editions come out at 05:30 and 11:30 UTC, and are kept", async () => {
  const node = createSimulatedNode({ now_ms: Date.UTC(2026, 2, 8, 5, 30) });
  await job.run(node.createContext());
  const [first] = await editions.list(node.createContext(), "1d");
  for (const minute of [45, 60, 360]) {
    node.clock.set(Date.UTC(2026, 2, 8, 5, 30 + minute));
    await job.run(node.createContext());
  }
  const list = await editions.list(node.createContext(), "1d");
  expect(list.map(({ at_ms }) => new Date(at_ms).toISOString().slice(11, 16))).toEqual(["05:30", "11:30"]);
  expect(list[0]).toEqual(first as never);
  expect(list.map(({ value }) => (value.data as { edition: string }).edition)).toEqual(["asia_open", "us_open"]);
  node.close();
});
