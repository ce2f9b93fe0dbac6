import { describe, expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { job } from "../jobs/whale-scan.ts";
import { transfers } from "../shared/whales/tables.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

describe("GET /whale-alert", () => {
  test("tells what was read and how much that is, and nothing when nobody read", async () => {
    const node = createNode();
    expect((await refusalOf(run(node))).status).toBe(503);
    await job.run(node.createContext());
    const { data, warnings } = await run(node);
    expect(data.count).toBeGreaterThan(0);
    const sizes = data.alerts.map(({ usd }) => usd);
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    expect(data.coverage.chains.map(({ chain }) => chain)).toEqual(["ethereum", "base"]);
    expect(warnings.join()).toContain("coverage: 25 of");
  });

  test("scans go on where they stopped: each log once, whatever is read twice", async () => {
    const node = createNode();
    await job.run(node.createContext());
    const before = await node.createContext().table(transfers).count();
    await job.run(node.createContext());
    expect(await node.createContext().table(transfers).count()).toBe(before);
    node.clock.advance(300_000);
    await job.run(node.createContext());
    const { data } = await run(node);
    expect(data.coverage.chains.find(({ chain }) => chain === "ethereum")?.blocks_scanned).toBe(50);
    expect(data.coverage.chains.find(({ chain }) => chain === "base")?.blocks_scanned).toBe(300);
  });

  test("a node that lags stores nothing, and after 20 minutes nothing is sold", async () => {
    const node = createNode();
    await job.run(node.createContext());
    node.upstreams.setFault("evm_rpc", "stale");
    node.clock.advance(21 * 60_000);
    await expect(job.run(node.createContext())).rejects.toThrow();
    expect((await refusalOf(run(node))).status).toBe(503);
  });
});
