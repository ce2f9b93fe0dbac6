import { describe, expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { job } from "../jobs/launches.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

describe("GET /pump-monitor", () => {
  test("tells what was watched, and nothing when nobody watched", async () => {
    const node = createNode();
    expect((await refusalOf(run(node))).status).toBe(503);
    await job.run(node.createContext());
    const { data, sources } = await run(node, "min_progress=10");
    expect(data.creates_1h).toBeGreaterThan(20);
    expect(data.launches_per_min).toBeGreaterThan(0.2);
    expect(data.window.gap_seconds).toBe(0);
    expect(data.near_graduation.every(({ progress_pct }) => (progress_pct ?? 0) >= 10)).toBe(true);
    expect(sources.map(({ provider }) => provider)).toContain("pump_fun");
    node.clock.advance(6 * 60_000);
    expect((await refusalOf(run(node))).status).toBe(503);
  });

  test("a watch that stood still for hours leaves a gap, and then there is no rate", async () => {
    const node = createNode();
    await job.run(node.createContext());
    node.clock.advance(10 * 3_600_000);
    await job.run(node.createContext());
    const { data, warnings } = await run(node);
    expect(data.window.gap_seconds).toBeGreaterThan(6 * 3_600);
    expect(data.graduation_rate_24h).toBeNull();
    expect(warnings.join()).toContain("graduation_rate_24h");
  });
});
