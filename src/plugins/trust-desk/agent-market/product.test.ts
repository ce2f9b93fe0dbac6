import { describe, expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { product } from "./product.ts";

const { createNode, run } = createProductRig(product, { now_ms: Date.UTC(2026, 9, 1, 12) });

describe("GET /agent-market", () => {
  test("joins both registers, counts a resource once, and leaves test networks out", async () => {
    const { data, sources } = await run(createNode());
    const { market } = data;
    expect(market?.registers).toEqual(["cdp_bazaar", "payai_bazaar"]);
    expect(market?.resources).toBeLessThan(240);
    expect(market?.by_network.map(({ network }) => network)).toEqual(["eip155:8453"]);
    expect(new Set(data.comparables.map(({ resource }) => resource)).size).toBe(data.comparables.length);
    expect(sources.map(({ provider }) => provider).sort()).toEqual(["cdp_bazaar", "payai_bazaar"]);
  });

  test("a kind and a number are kept to", async () => {
    const { data } = await run(createNode(), "category=price&limit=3");
    expect(data.comparables.length).toBeLessThanOrEqual(3);
    expect(data.comparables.every(({ category }) => category === "price")).toBe(true);
  });

  test("without registers the market is null, and said so", async () => {
    const node = createNode();
    for (const id of ["cdp_bazaar", "payai_bazaar"]) node.upstreams.setFault(id, "http500");
    const { data, warnings } = await run(node);
    expect(data).toMatchObject({ market: null, comparables: [] });
    expect(warnings.join()).toContain("market, catalog.market_percentile: no register answered");
  });
});
