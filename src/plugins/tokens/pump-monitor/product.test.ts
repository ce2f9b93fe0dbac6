import { describe, expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { job as factoryJob } from "../jobs/factory-scan.ts";
import { job } from "../jobs/launches.ts";
import { createdPools } from "../launches/factory-tables.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

describe("GET /pump-monitor", () => {
  test("shows what was watched, and nothing without a watch", async () => {
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

  test("a watch that was stuck for hours leaves a gap, and then there is no rate", async () => {
    const node = createNode();
    await job.run(node.createContext());
    node.clock.advance(10 * 3_600_000);
    await job.run(node.createContext());
    const { data, warnings } = await run(node);
    expect(data.window.gap_seconds).toBeGreaterThan(6 * 3_600);
    expect(data.graduation_rate_24h).toBeNull();
    expect(warnings.join()).toContain("graduation_rate_24h");
  });

  test("shows what factories made on Ethereum and Base, and what was not read", async () => {
    const node = createNode();
    await job.run(node.createContext());
    const dark = await run(node);
    expect(dark.warnings.join()).toContain("factories: factories on base were not read in the last 25 minutes");
    expect(dark.data.factories.map(({ launches_24h, newest }) => [launches_24h, newest.length])).toEqual([
      [0, 0],
      [0, 0],
    ]);
    await factoryJob.run(node.createContext());
    const { data, warnings, sources } = await run(node);
    for (const { coverage, pools_24h, launches_1h, launches_24h, by_factory, newest } of data.factories) {
      const rows = await node.table(createdPools).find({ where: { chain: coverage.chain }, limit: 1_000 });
      expect(pools_24h).toBe(rows.length);
      const launched = rows.filter(({ is_launch }) => is_launch);
      expect(launches_24h).toBe(launched.length);
      expect(launches_1h).toBe(launched.filter(({ at_ms }) => at_ms >= NOW_MS - 3_600_000).length);
      expect(by_factory.reduce((sum, one) => sum + one.launches_24h, 0)).toBe(launches_24h);
      const newest_first = launched.toSorted((a, b) => b.at_ms - a.at_ms).slice(0, 2);
      expect(newest.map(({ factory, token, pool }) => [factory, token, pool])).toEqual(
        newest_first.map(({ factory, token, pool }) => [factory, token, pool]),
      );
    }
    expect(sources.filter(({ provider }) => provider === "evm_rpc")).toHaveLength(2);
    expect(warnings.join()).toContain("blocks of base were read");
  });
});
