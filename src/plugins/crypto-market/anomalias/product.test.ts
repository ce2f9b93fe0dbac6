import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import type { SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { createParamsParser } from "../../../catalog/params.ts";
import { NodeError } from "../../../core/errors.ts";
import { job as candles } from "../jobs/candles-1h.ts";
import { job as derivatives } from "../jobs/derivs-sample.ts";
import { product } from "./product.ts";
import { vector } from "./vector.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 6);
const PARAMS = { threshold: 0 };

const rig = createProductRig(product, { now_ms: NOW_MS });
const { createNode } = rig;

const run = (node: SimulatedNode) => rig.run(node, PARAMS);

describe("GET /anomalias", () => {
  test("on a node whose jobs have not run it fetches the candles itself", async () => {
    const { data, warnings } = await run(createNode());
    expect(data.scanned.symbols).toBe(20);
    // 20 x 4 statistics of candles and one more, 19 decouplings, funding and divergence, 2 stablecoins, 3 oracles.
    expect(data.scanned).toMatchObject({ z_tests: 99, tests: 99 + 20 + 20 + 2 + 3 });
    expect(warnings.map((text) => text.split(":")[0])).toEqual(["anomalies.oi_jump", "anomalies.fee_spike"]);
    expect(data.bars_until).toBe("2026-10-01T12:00:00Z");
  });

  test("on a node whose jobs ran it reads their candles and names the venue they came from", async () => {
    const node = createNode();
    await candles.run(node.createContext());
    await derivatives.run(node.createContext());
    const before = node.upstreams.status().hyperliquid?.calls ?? 0;
    const { data, sources, as_of_ms } = await run(node);
    expect(data.scanned.symbols).toBe(20);
    // Funding was read moments ago by the job; only the other venues' is asked for.
    expect((node.upstreams.status().hyperliquid?.calls ?? 0) - before).toBe(1);
    expect(sources.filter(({ provider }) => provider === "hyperliquid").every(({ ok }) => ok)).toBe(true);
    // Sleeping for a token moves the test clock a little.
    expect(Math.floor(as_of_ms / 1000)).toBe(NOW_MS / 1000);
  });

  test("what was worked out while fetching is what compute works out", async () => {
    const context = createNode().createContext();
    const { candles: looked, ...inputs } = await product.fetch(context, PARAMS);
    const at = { params: PARAMS, now_ms: NOW_MS };
    expect(looked).toHaveLength(20);
    expect(product.compute({ ...inputs, candles: looked ?? [] }, at)).toEqual(product.compute(inputs, at));
  });

  test("everything but the candles may fail: the types that need it are named", async () => {
    const node = createNode();
    await candles.run(node.createContext());
    node.upstreams.setFault("*", "http500");
    const { data, warnings } = await run(node);
    expect(data.scanned).toMatchObject({ symbols: 20, tests: 99, z_tests: 99 });
    const types = ["funding_extreme", "funding_divergence", "oi_jump", "stable_depeg", "oracle_split", "fee_spike"];
    expect(new Set(warnings.map((text) => text.split(":")[0]))).toEqual(
      new Set(types.map((one) => `anomalies.${one}`)),
    );
  });

  test("with Hyperliquid switched off other venues' candles do, and its own types are named", async () => {
    const { data, warnings } = await run(createNode({ off: ["hyperliquid"] }));
    expect(data.scanned.symbols).toBeGreaterThanOrEqual(12);
    expect(warnings.some((text) => text.startsWith("anomalies.funding_extreme:"))).toBe(true);
  });

  test("the threshold is a number from 0 to 1", () => {
    const parser = createParamsParser(product.params, product.normalise);
    expect(parser.defaults.params).toEqual({ threshold: 0.5 });
    expect(parser.fromQuery("threshold=0.9").params).toEqual({ threshold: 0.9 });
    expect(parser.fromQuery("threshold=").params).toEqual({ threshold: 0.5 });
    for (const text of ["-0.1", "1.1", "high", "NaN", "1e9"]) {
      expect(() => parser.fromQuery(`threshold=${text}`)).toThrow(NodeError);
    }
  });

  test("the preview shows three lines at most and no baseline, and still matches the schema", () => {
    const [line] = vector.data.anomalies;
    if (!line) throw new Error("the example is empty");
    const many = { ...vector.data, anomalies: [line, line, line, line] };
    const redacted = product.preview.redact?.(many);
    expect(redacted?.anomalies.map(({ baseline }) => baseline)).toEqual([null, null, null]);
    expect(Value.Check(product.data, redacted)).toBe(true);
  });
});
