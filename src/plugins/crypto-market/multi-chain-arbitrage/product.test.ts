import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import type { SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { createDemandLog } from "../../../catalog/demand.ts";
import { DEX_TOKENS } from "../../../upstream/providers/dex-tokens.ts";
import { job } from "../jobs/dex-scan.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const MINUTE_MS = 60_000;

const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });
const scan = (node: SimulatedNode) => job.run(node.createContext());
const countCalls = (node: SimulatedNode) =>
  Object.values(node.upstreams.status()).reduce((total, { calls }) => total + calls, 0);

describe("GET /multi-chain-arbitrage", () => {
  test("sells the stored scan, sourced, without calling anybody", async () => {
    const node = createNode();
    await scan(node);
    const before = countCalls(node);
    const { data, sources, warnings } = await run(node);
    expect(countCalls(node)).toBe(before);
    expect(warnings).toEqual([]);
    expect(data.rows).toHaveLength(5);
    expect((await run(node, "rows=20")).data.rows).toHaveLength(20);
    expect(data.rows?.every(({ net_bps }) => net_bps !== null)).toBe(true);
    expect(data.per_chain).toHaveLength(Object.values(DEX_TOKENS).flat().length);
    expect(data.per_chain.every(({ round_trip_cost_bps }) => (round_trip_cost_bps ?? 0) > 0)).toBe(true);
    const served = [...new Set(sources.filter(({ ok }) => ok).map(({ provider }) => provider))].sort();
    expect(served).toEqual(["circle_cctp", "evm_rpc", "raydium", "solana_rpc"]);
  });

  test("a scan asks Raydium 7 times at most, and every chain's node only a few times", async () => {
    const node = createNode();
    await scan(node);
    const calls = node.upstreams.status();
    expect(calls.raydium?.calls).toBeLessThanOrEqual(7);
    expect(calls.evm_rpc?.calls).toBeLessThanOrEqual(30);
    expect(calls.solana_rpc?.calls).toBe(2);
    expect(calls.circle_cctp?.calls).toBe(30);
  });

  test("while it is asked for the table is a minute old at most, else five", async () => {
    const node = createNode();
    const countScans = async (minutes: number) => {
      let scans = 0;
      for (let minute = 0; minute < minutes; minute += 1) {
        const before = countCalls(node);
        await scan(node);
        if (countCalls(node) > before) scans += 1;
        node.clock.advance(MINUTE_MS);
      }
      return scans;
    };
    expect(await countScans(10)).toBe(2);
    const note = createDemandLog({
      history: node.history,
      now: node.clock.now,
      onFault: (error) => {
        throw error;
      },
    });
    note("multi-chain-arbitrage");
    expect(await countScans(10)).toBe(10);
  });

  test("Wormhole's ether on Solana is never netted against ether", async () => {
    const node = createNode();
    await scan(node);
    const { data } = await run(node);
    expect(data.rows?.some(({ wrapper }) => wrapper === "whETH")).toBe(false);
    for (const row of data.wrapper_mismatch_rows ?? []) expect(row.buy_wrapper).not.toBe(row.sell_wrapper);
  });

  test("without a scan, or with one of more than 10 minutes ago, there is no answer", async () => {
    const node = createNode();
    expect((await refusalOf(run(node))).code).toBe("upstream_unavailable");
    await scan(node);
    node.clock.advance(9 * MINUTE_MS);
    expect((await run(node)).as_of_ms).toBeLessThanOrEqual(NOW_MS);
    node.clock.advance(2 * MINUTE_MS);
    expect((await refusalOf(run(node))).code).toBe("upstream_unavailable");
  });

  test.each(["http500", "stale"] as const)("EVM nodes that fail leave nothing to scan or store: %s", async (fault) => {
    const node = createNode();
    node.upstreams.setFault("evm_rpc", fault);
    expect((await refusalOf(scan(node))).code).toMatch(/^upstream_/);
    expect((await refusalOf(run(node))).code).toBe("upstream_unavailable");
  });

  test("without Raydium Solana is left out of the trips, by name", async () => {
    const node = createNode();
    node.upstreams.setFault("raydium", "http500");
    await scan(node);
    const { data, warnings } = await run(node);
    expect(JSON.stringify(data.rows)).not.toContain("solana");
    expect(warnings.join()).toContain("solana could not be quoted");
    const solana = data.per_chain.filter(({ chain }) => chain === "solana");
    expect(solana.map(({ source }) => source)).toEqual(["dexscreener", "dexscreener"]);
  });

  test("prices of another table are named as its own, and are not sold without its licence", async () => {
    const node = createNode({ off: ["raydium", "dexscreener"], licensed: ["geckoterminal"] });
    await scan(node);
    const solana = (await run(node)).data.per_chain.filter(({ chain }) => chain === "solana");
    expect(solana.map(({ source }) => source)).toEqual(["geckoterminal", "geckoterminal"]);
    const without = createNode({ off: ["raydium", "dexscreener"], stores: node });
    expect((await run(without)).data.per_chain.some(({ chain }) => chain === "solana")).toBe(false);
  });

  test("without Circle the nets are null", async () => {
    const node = createNode();
    node.upstreams.setFault("circle_cctp", "http500");
    await scan(node);
    const { data, warnings } = await run(node);
    expect(data).toMatchObject({ best_net_bps: null, executable: false });
    expect(warnings.join()).toContain("bridge_bps");
  });

  test("providers that are switched off are not asked", async () => {
    const node = createNode({ off: ["raydium", "circle_cctp", "dexscreener"] });
    await scan(node);
    const status = node.upstreams.status();
    for (const id of ["raydium", "circle_cctp", "dexscreener"]) expect(status[id]?.calls).toBe(0);
    expect((await run(node)).data.per_chain.some(({ chain }) => chain === "solana")).toBe(false);
  });

  test("the preview shows the chains only and still matches the schema", async () => {
    const node = createNode();
    await scan(node);
    const { data } = await run(node);
    const shown = product.preview.redact?.(data);
    expect(shown).toMatchObject({ rows: null, wrapper_mismatch_rows: null, best_net_bps: null, executable: null });
    expect(shown?.per_chain).toEqual(data.per_chain);
    expect(Value.Check(product.data, shown)).toBe(true);
  });
});
