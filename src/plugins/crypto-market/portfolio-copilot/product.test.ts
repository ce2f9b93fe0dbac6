import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { computeSettled, createProductRig } from "../../../../test/helpers/product-rig.ts";
import { DAY_MS } from "../../../upstream/providers/bars.ts";
import { job as candles } from "../jobs/candles-1d.ts";
import { product as regime } from "../regime/product.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);

const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

describe("GET /portfolio-copilot", () => {
  test("agrees with /regime, from the same stored bars, without a call", async () => {
    const node = createNode();
    await candles.run(node.createContext());
    const before = node.upstreams.status().hyperliquid?.calls;
    const { data, sources, as_of_ms } = await run(node);
    expect(node.upstreams.status().hyperliquid?.calls).toBe(before ?? -1);
    expect(sources.every(({ ok }) => ok)).toBe(true);
    expect(as_of_ms).toBe(Date.UTC(2026, 9, 1));
    const context = node.createContext();
    const seen = regime.compute(await regime.fetch(context, {}), { params: {}, now_ms: context.now_ms }).data;
    expect([data.regime, data.volatility_state]).toEqual([seen.regime, seen.volatility.state]);
  });

  test("a node whose jobs have not run yet fetches the bars itself", async () => {
    expect((await run(createNode())).data.profiles).toHaveLength(3);
  });

  test("the preview is a day older", async () => {
    const node = createNode();
    await candles.run(node.createContext());
    const { inputs } = await run(node);
    const earlier = product.preview.rewind?.(inputs, NOW_MS);
    if (!earlier) throw new Error("no earlier view");
    const computed = computeSettled(product, earlier, { params: {}, now_ms: NOW_MS });
    expect(NOW_MS - computed.as_of_ms).toBeGreaterThanOrEqual(DAY_MS);
    expect(Value.Check(product.data, product.preview.redact?.(computed.data))).toBe(true);
  });
});
