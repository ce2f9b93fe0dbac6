import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { computeSettled, createProductRig } from "../../../../test/helpers/product-rig.ts";
import { DAY_MS } from "../../../upstream/providers/bars.ts";
import { job as candles } from "../jobs/candles-1d.ts";
import { job as funding } from "../jobs/derivs-sample.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);

const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

describe("GET /fear-greed", () => {
  test("publisher, stored prices and their sources", async () => {
    const node = createNode();
    await candles.run(node.createContext());
    const { data, sources, as_of_ms, warnings } = await run(node);
    expect(data.index_id).toBe("alternative_me");
    expect(data.percentile_365d).not.toBeNull();
    const absent = data.node_index?.components.filter(({ value }) => value === null).map(({ name }) => name);
    expect(absent).toEqual(["funding"]);
    expect(as_of_ms).toBe(Date.UTC(2026, 9, 1));
    expect(warnings).toHaveLength(1);
    expect(sources.map(({ provider, ok }) => `${provider} ${ok}`)).toEqual(["alternative_me true", "hyperliquid true"]);
    expect(sources[0]?.attribution).toEqual(data.attribution ?? undefined);
    expect(data.attribution?.text).toBe("Crypto Fear & Greed Index by Alternative.me");
  });

  test("sixty days of funding samples give the fifth component", async () => {
    const start_ms = NOW_MS - 61 * DAY_MS;
    const node = createNode({ now_ms: start_ms });
    for (let hour = 0; hour <= 61 * 24; hour += 2) {
      node.clock.set(start_ms + hour * 3_600_000);
      await funding.run(node.createContext());
    }
    node.clock.set(NOW_MS);
    await candles.run(node.createContext());
    const { data, warnings } = await run(node);
    expect(data.node_index?.components.find(({ name }) => name === "funding")?.value).not.toBeNull();
    expect(warnings).toEqual([]);
  });

  test("no prices are fetched for a request", async () => {
    const node = createNode();
    await candles.run(node.createContext());
    const before = node.upstreams.status().hyperliquid?.calls;
    await run(node);
    expect(node.upstreams.status().hyperliquid?.calls).toBe(before ?? -1);
  });

  test("without stored prices the node's index is null, with a warning", async () => {
    const { data, warnings, sources } = await run(createNode());
    expect(data.node_index).toBeNull();
    expect(warnings).toEqual(["node_index: no up-to-date daily bars of Bitcoin are stored"]);
    expect(sources).toHaveLength(1);
  });

  test("prices that missed a day are not used", async () => {
    const node = createNode();
    await candles.run(node.createContext());
    node.clock.set(Date.UTC(2026, 9, 2, 0, 59));
    expect((await run(node)).data.node_index).not.toBeNull();
    node.clock.set(Date.UTC(2026, 9, 2, 1, 0));
    expect((await run(node)).data.node_index).toBeNull();
  });

  test("prices of a provider that was switched off since are not sold", async () => {
    const node = createNode();
    await candles.run(node.createContext());
    const series = await node.history.read("market/bars-1d/BTC");
    const later = createNode({ off: ["hyperliquid"] });
    await later.history.write("market/bars-1d/BTC", series);
    expect((await run(later)).data.node_index).toBeNull();
  });

  test.each(["http500", "stale"] as const)("a publisher that fails is replaced: %s", async (fault) => {
    const node = createNode({ api_keys: { coinmarketcap: "k" } });
    node.upstreams.setFault("alternative_me", fault);
    const { data, sources } = await run(node);
    expect(data).toMatchObject({ index_id: "coinmarketcap", history: null, change_1d: null });
    expect(sources.map(({ provider, ok }) => `${provider} ${ok}`)).toEqual([
      "alternative_me false",
      "coinmarketcap true",
    ]);
  });

  test("with both publishers gone the node's own index answers, and says that it is another one", async () => {
    const node = createNode();
    await candles.run(node.createContext());
    node.upstreams.setFault("alternative_me", "http500");
    const { data, warnings } = await run(node);
    expect(data).toMatchObject({ index_id: "node", attribution: null });
    expect(data.value).toBe(Math.round(data.node_index?.value ?? -1));
    expect(warnings.join()).toContain("a different one");
  });

  test("the preview's earlier view is a day old at any hour, without the node's index", async () => {
    const node = createNode();
    await candles.run(node.createContext());
    const { inputs, data } = await run(node);
    const earlier = product.preview.rewind?.(inputs, NOW_MS);
    if (!earlier) throw new Error("no earlier view");
    const computed = computeSettled(product, earlier, { params: {}, now_ms: NOW_MS });
    expect(NOW_MS - computed.as_of_ms).toBeGreaterThanOrEqual(DAY_MS);
    expect(computed.data).toMatchObject({ value: data.history?.[1]?.value, node_index: null });
    expect(Value.Check(product.data, product.preview.redact?.(data))).toBe(true);
    expect(product.preview.redact?.(data).node_index).toBeNull();
  });
});
