import { describe, expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { job } from "../jobs/yields-sample.ts";
import { drawDefiYield } from "./charts.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

describe("GET /defi-yield", () => {
  test("rates are there at once, shares after a day of samples", async () => {
    const node = createNode();
    expect((await refusalOf(run(node))).status).toBe(503);
    await job.run(node.createContext());
    const first = await run(node);
    expect(first.data.pools.every(({ method }) => method === "rate")).toBe(true);
    expect(first.data.pools.length).toBeGreaterThanOrEqual(9);
    expect(new Set(first.data.pools.map(({ chain }) => chain))).toEqual(
      new Set(["ethereum", "base", "arbitrum", "optimism"]),
    );
    const usdc = first.data.pools.find(({ pool_id }) => pool_id === "aave-v3-usdc-base");
    expect(usdc?.utilization_pct).toBeGreaterThan(50);
    expect(usdc?.cap_used_pct).toBeCloseTo(33.33, 1);
    expect(first.warnings.join()).toContain("shares are left out");
    node.clock.advance(86_400_000);
    await job.run(node.createContext());
    const { inputs } = await run(node);
    const [chart] = drawDefiYield(inputs);
    expect(chart?.kind === "time" && chart.lines.map(({ points }) => points.length)).toEqual([2, 2, 2, 2]);
    const { data } = await run(node, "protocol=lido");
    expect(data.pools[0]).toMatchObject({ project: "lido", method: "share_price_1d", share_drawdown_pct: 0 });
    expect(data.pools[0]?.apy_pct).toBeGreaterThan(0.5);
    expect(data.pools[0]?.apy_pct).toBeLessThan(10);
  });

  test("stake pools of Solana need seven days, in which an epoch ended", async () => {
    const node = createNode();
    await job.run(node.createContext());
    node.clock.advance(86_400_000);
    await job.run(node.createContext());
    expect((await refusalOf(run(node, "protocol=jito"))).status).toBe(503);
    node.clock.advance(6 * 86_400_000);
    await job.run(node.createContext());
    const { data } = await run(node, "protocol=jito");
    expect(data.pools[0]).toMatchObject({ chain: "solana", method: "share_price_7d", apy_1d_pct: null });
    expect(data.pools[0]?.apy_pct).toBeGreaterThan(2);
    expect(data.pools[0]?.apy_pct).toBeLessThan(15);
  });

  test("an unknown protocol is 422 and names those that are read", async () => {
    expect((await refusalOf(run(createNode(), "protocol=ponzi"))).status).toBe(422);
  });

  test("samples older than two hours are not sold", async () => {
    const node = createNode();
    await job.run(node.createContext());
    node.clock.advance(3 * 3_600_000);
    expect((await refusalOf(run(node))).status).toBe(503);
  });
});
