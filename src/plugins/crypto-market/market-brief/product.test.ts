import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import type { SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { job as bars1d } from "../jobs/candles-1d.ts";
import { job as bars1h } from "../jobs/candles-1h.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);

const rig = createProductRig(product, { now_ms: NOW_MS });
const { run } = rig;

async function createNode({ stored }: { readonly stored: boolean }): Promise<SimulatedNode> {
  const node = rig.createNode();
  for (const job of stored ? [bars1h, bars1d] : []) await job.run(node.createContext());
  return node;
}

describe("GET /market-brief", () => {
  test("a node whose jobs have not run sells it too", async () => {
    const { data, sources } = await run(await createNode({ stored: false }));
    expect(data.prices.length).toBeGreaterThan(0);
    expect(data.brief).not.toBeNull();
    expect(sources.length).toBeGreaterThan(3);
  });

  test("with the stored bars alone, prices are sold and every absent part has a warning", async () => {
    const node = await createNode({ stored: true });
    node.upstreams.setFault("*", "http500");
    const { data, warnings } = await run(node);
    expect(data.prices).toHaveLength(10);
    for (const [field, value] of Object.entries(data)) {
      if (value !== null || field === "brief_model") continue;
      expect(warnings.some((text) => text.split(":")[0]?.includes(field))).toBe(true);
    }
    expect(data.market).toBeNull();
  });

  test("the preview is without prose and still matches the schema", async () => {
    const shown = product.preview.redact?.((await run(await createNode({ stored: false }))).data);
    expect(shown).toMatchObject({ brief: null, written_by: null });
    expect(Value.Check(product.data, shown)).toBe(true);
  });
});
