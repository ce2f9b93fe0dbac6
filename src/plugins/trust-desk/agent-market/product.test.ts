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

  test("a seller is verified only as a peer whose own documents prove it; what was not checked is said", async () => {
    const [listed] = (await run(createNode())).data.comparables;
    const { origin } = new URL(listed?.resource ?? "");
    const peer = { origin, node_id: "in1peer", checked_at_ms: 0 };
    for (const verdict of ["verified", "partial", "refused", null] as const) {
      const known = verdict === null ? { ...peer, node_id: null, checked_at_ms: null } : peer;
      const { data, warnings } = await run(createNode({ facts: { listPeers: () => [{ ...known, verdict }] } }));
      expect(data.peers).toMatchObject([{ origin, identity: verdict ?? "unverified" }]);
      const sold = data.comparables.map(({ resource, identity }) => [new URL(resource).origin === origin, identity]);
      const is_proven = verdict === "verified";
      expect(sold.every(([is_peer, identity]) => identity === (is_peer && is_proven ? "verified" : "unverified"))).toBe(
        true,
      );
      expect(warnings.join().includes("peers.checked_at: not checked yet")).toBe(verdict === null);
    }
  });

  test("without registers the market is null, and said so", async () => {
    const node = createNode();
    for (const id of ["cdp_bazaar", "payai_bazaar"]) node.upstreams.setFault(id, "http500");
    const { data, warnings } = await run(node);
    expect(data).toMatchObject({ market: null, comparables: [] });
    expect(warnings.join()).toContain("market, catalog.market_percentile: no register answered");
  });
});
