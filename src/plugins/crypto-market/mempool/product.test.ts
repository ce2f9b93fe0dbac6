import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { job } from "../jobs/mempool-sample.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);

const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

describe("GET /mempool", () => {
  test("reads Bitcoin, Ethereum, Base and Solana, all of it sourced", async () => {
    const { data, sources, warnings } = await run(createNode());
    expect(data.btc.projected_blocks?.length).toBeGreaterThan(0);
    expect(data.btc.transfer_cost.sat).toBeCloseTo(data.btc.fees_sat_vb.fastest * 141, 3);
    expect(data.ethereum?.swap_usd ?? 0).toBeGreaterThan(data.ethereum?.transfer_usd ?? 0);
    expect(data.base?.transfer_usd).toBeGreaterThan(0);
    expect(data.solana?.transfer_usd).toBeGreaterThan(0);
    const served = new Set(sources.filter(({ ok }) => ok).map(({ provider }) => provider));
    expect([...served].sort()).toEqual(["evm_rpc", "kraken", "mempool_space", "solana_rpc"]);
    expect(warnings).toEqual(["btc.fee_percentile_30d: this node has 0 of the 100 hourly samples it takes"]);
  });

  test("a hundred hourly samples give the percentile", async () => {
    const node = createNode();
    for (let hours = 99; hours >= 0; hours -= 1) {
      node.clock.set(NOW_MS - hours * 3_600_000);
      await job.run(node.createContext());
    }
    const { data, warnings } = await run(node);
    expect(data.btc.fee_percentile_30d).toBeGreaterThanOrEqual(0);
    expect(data.btc.fee_percentile_30d).toBeLessThanOrEqual(100);
    expect(warnings).toEqual([]);
  });

  test.each(["http500", "stale"] as const)("Blockstream replaces mempool.space: %s", async (fault) => {
    const node = createNode();
    node.upstreams.setFault("mempool_space", fault);
    const { data, sources, warnings } = await run(node);
    expect(data.btc).toMatchObject({ projected_blocks: null, difficulty: null, hashrate_eh_s: null });
    expect(data.btc.backlog).not.toBeNull();
    expect(data.btc.fees_sat_vb.fastest).toBeGreaterThan(0);
    expect(sources.some(({ provider, ok }) => provider === "mempool_space" && !ok)).toBe(true);
    expect(warnings.join()).toContain("these are blockstream's");
  });

  test.each(["http500", "stale"] as const)("without Bitcoin's fees nothing is sold: %s", async (fault) => {
    const node = createNode();
    node.upstreams.setFault("mempool_space", fault);
    node.upstreams.setFault("blockstream", fault);
    expect((await refusalOf(run(node))).status).toBe(503);
  });

  test.each(["http500", "stale"] as const)("without a venue costs in US dollars are null: %s", async (fault) => {
    const node = createNode();
    for (const venue of ["kraken", "bitstamp"]) node.upstreams.setFault(venue, fault);
    const { data } = await run(node);
    expect(data.btc.transfer_cost.usd).toBeNull();
    expect(data.ethereum).toMatchObject({ transfer_usd: null, swap_usd: null });
    expect(data.solana?.transfer_usd).toBeNull();
  });

  test("without chain nodes their blocks are null", async () => {
    const node = createNode();
    node.upstreams.setFault("evm_rpc", "http500");
    node.upstreams.setFault("solana_rpc", "http500");
    const { data, warnings } = await run(node);
    expect(data).toMatchObject({ ethereum: null, base: null, solana: null });
    expect(warnings.filter((text) => text.endsWith("no node could be read"))).toHaveLength(3);
  });

  test("one venue is enough for the prices", async () => {
    const node = createNode();
    node.upstreams.setFault("kraken", "http500");
    const { data } = await run(node);
    expect(data.btc.transfer_cost.usd).toBeGreaterThan(0);
  });

  test("a provider that is switched off is not asked", async () => {
    const node = createNode({ off: ["mempool_space", "solana_rpc"] });
    const { data } = await run(node);
    expect(node.upstreams.status().mempool_space?.calls).toBe(0);
    expect(node.upstreams.status().solana_rpc?.calls).toBe(0);
    expect(data.solana).toBeNull();
  });

  test("the preview withholds the projected blocks and still matches the schema", async () => {
    const { data } = await run(createNode());
    const shown = product.preview.redact?.(data);
    expect(shown?.btc.projected_blocks).toBeNull();
    expect(shown?.btc.fees_sat_vb).toEqual(data.btc.fees_sat_vb);
    expect(Value.Check(product.data, shown)).toBe(true);
  });
});
