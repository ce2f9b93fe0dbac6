import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { product } from "./product.ts";
import { BASES } from "./schema.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);

const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

describe("GET /cross-chain", () => {
  for (const base of BASES.filter((one) => one !== "USDC")) {
    test(`${base}: every chain's price, a spread and the way between, all of it sourced`, async () => {
      const { data, warnings, sources } = await run(createNode(), { pair: `${base}/USDC` });
      const expected = [
        ...(data.route?.provider === "lifi" ? [] : ["route"]),
        ...(data.break_even ? ["break_even"] : []),
      ];
      expect(warnings.map((warning) => warning.split(":")[0])).toEqual(expected);
      expect(new Set(data.chains.map(({ chain }) => chain)).size).toBeGreaterThanOrEqual(2);
      for (const row of data.chains) {
        expect(row.impact_bps_100k ?? 0).toBeGreaterThan(row.impact_bps_10k ?? Number.POSITIVE_INFINITY);
      }
      expect(data.spread_bps).toBeGreaterThan(0);
      expect(data.route).toMatchObject({ from_chain: data.dearest_chain, to_chain: data.cheapest_chain });
      expect(data.swap_cost_bps).toBeGreaterThan(0);
      const left = (data.spread_bps ?? 0) - (data.route?.cost_bps ?? 0) - (data.swap_cost_bps ?? 0);
      expect(data.net_bps).toBeCloseTo(left, 1);
      expect(data.break_even).toBe(left > 0);
      expect(data.cctp).toHaveLength(2);
      expect(sources.every(({ ok }) => ok)).toBe(true);
    });
  }

  test("no transaction leaves the node, whatever the bridge sends", async () => {
    const { data } = await run(createNode());
    expect(data.route?.provider).toBe("lifi");
    expect(JSON.stringify(data)).not.toMatch(/transaction|calldata|0x/i);
  });

  test("USDC/USDC compares bridges: one route and Circle's fees between all chains", async () => {
    const { data, warnings } = await run(createNode(), { pair: "USDC" });
    expect(warnings).toEqual([expect.stringMatching(/^spread_bps, .*: USDC\/USDC compares bridges only$/)]);
    expect(data).toMatchObject({ pair: "USDC/USDC", chains: [], spread_bps: null, break_even: null });
    expect(data.route).toMatchObject({ from_chain: "ethereum", to_chain: "base" });
    expect(data.cctp).toHaveLength(30);
  });

  test("pairs are read in every usual form; others are refused with the list", async () => {
    for (const pair of ["eth", "$WETH", "ETH-USDC", "ethusdc"]) {
      expect(product.normalise?.({ pair })).toEqual({ pair: "ETH/USDC" });
    }
    for (const pair of ["SOL/USDC", "ETH/USDT", "DOGE", "ETH/USDC/X"]) {
      expect((await refusalOf(() => product.normalise?.({ pair }))).code).toBe("invalid_parameter");
    }
  });

  test("an estimate of Circle's transfer replaces LI.FI", async () => {
    const node = createNode();
    node.upstreams.setFault("lifi", "http500");
    const { data, warnings } = await run(node);
    expect(data.route).toMatchObject({ provider: "circle_cctp", amount_out_min_usdc: null, duration_s: null });
    expect(data.route?.gas_usd).toBeGreaterThan(0);
    expect(warnings.join()).toContain("estimate");
  });

  test("without LI.FI and Circle the route is null, and prices are still sold", async () => {
    const node = createNode();
    node.upstreams.setFault("lifi", "http500");
    node.upstreams.setFault("circle_cctp", "http500");
    const { data, warnings } = await run(node);
    expect(data).toMatchObject({ route: null, net_bps: null, cctp: [] });
    // What the swaps cost may be more than the whole spread.
    expect(data.break_even).not.toBe(true);
    expect(data.spread_bps).toBeGreaterThan(0);
    expect(warnings.map((text) => text.split(":")[0])).toEqual(["cctp", "route", "net_bps"]);
    expect((await refusalOf(() => run(node, { pair: "USDC" }))).code).toMatch(/^upstream_/);
  });

  test("without a node of any chain the pool table's prices are shown as such", async () => {
    const node = createNode();
    for (const id of ["evm_rpc", "raydium"]) node.upstreams.setFault(id, "http500");
    const { data } = await run(node);
    expect(data.chains.length).toBeGreaterThan(1);
    expect(data.chains.every(({ source }) => source === "dexscreener")).toBe(true);
    expect(data.chains.every(({ impact_bps_10k }) => impact_bps_10k === null)).toBe(true);
    node.upstreams.setFault("dexscreener", "http500");
    node.clock.advance(60_000);
    expect((await refusalOf(() => run(node))).code).toMatch(/^upstream_/);
  });

  test("with licences other tables replace DEX Screener, each under its own name", async () => {
    const node = createNode({ licensed: ["geckoterminal", "defillama"] });
    for (const id of ["evm_rpc", "raydium", "dexscreener"]) node.upstreams.setFault(id, "http500");
    const { data, warnings, sources } = await run(node);
    expect(data.chains.every(({ source }) => source === "geckoterminal")).toBe(true);
    expect(data.chains.every(({ liquidity_usd }) => (liquidity_usd ?? 0) > 0)).toBe(true);
    const named = sources.find(({ provider, ok }) => provider === "geckoterminal" && ok);
    expect(named?.attribution?.text).toBe("Powered by GeckoTerminal");
    node.upstreams.setFault("geckoterminal", "http500");
    node.clock.advance(120_000);
    const last = await run(node);
    expect(last.data.chains.every(({ source }) => source === "defillama")).toBe(true);
    expect(last.data.chains.every(({ liquidity_usd }) => liquidity_usd === null)).toBe(true);
    expect(last.as_of_ms).toBeLessThanOrEqual(node.clock.now());
    for (const list of [warnings, last.warnings]) expect(list.join()).toContain("a pool table's, not a quote");
  });

  test("nodes that show blocks of days ago are not believed", async () => {
    const node = createNode({ off: ["dexscreener"] });
    node.upstreams.setFault("*", "stale");
    expect((await refusalOf(() => run(node))).code).toMatch(/^upstream_/);
  });

  test("a spent LI.FI budget is not overdrawn", async () => {
    const { limits } = await import("../../../upstream/providers/lifi/provider.ts").then(({ lifi }) => lifi);
    // 75 quotes in 2 hours are allowed without a key.
    expect(limits.burst + limits.rate_per_s * 7_200).toBeLessThanOrEqual(75);
    expect(limits.attempts).toBe(1);
  });

  test("the preview withholds the route and still matches the schema", async () => {
    const { data } = await run(createNode());
    const shown = product.preview.redact?.(data);
    expect(shown).toMatchObject({ route: null, break_even: null, spread_bps: data.spread_bps });
    expect(Value.Check(product.data, shown)).toBe(true);
  });
});
