import { describe, expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { job as factoryJob } from "../jobs/factory-scan.ts";
import { job } from "../jobs/launches.ts";
import { drawLaunchSniper } from "./charts.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

describe("GET /launch-sniper", () => {
  test("counts what it rejects, ranks what is left, and needs fresh verdicts", async () => {
    const node = createNode();
    expect((await refusalOf(run(node))).status).toBe(503);
    for (let n = 0; n < 10; n += 1) {
      await job.run(node.createContext());
      node.clock.advance(130_000);
    }
    const { data } = await run(node, "max_age_min=1440&limit=20");
    const rejected = Object.values(data.rejected_counts).reduce((sum, n) => sum + n, 0);
    expect(rejected + data.candidates.length).toBe(data.scanned);
    const [funnel] = drawLaunchSniper({ data });
    const left = funnel?.kind === "bars" ? funnel.bars.map(({ value }) => value) : [];
    expect(left.slice(0, 2)).toEqual([data.launched, data.scanned]);
    expect(left.at(-1)).toBe(data.candidates.length);
    expect(left).toEqual(left.toSorted((a, b) => b - a));
    const scores = data.candidates.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(data.candidates.every(({ verdict, coverage }) => verdict !== "AVOID" && coverage >= 0.75)).toBe(true);
  });

  test("has launches by factories of Base and Ethereum too", async () => {
    const node = createNode();
    for (let n = 0; n < 4; n += 1) {
      await factoryJob.run(node.createContext());
      await job.run(node.createContext());
      node.clock.advance(9 * 60_000);
    }
    for (const chain of ["base", "ethereum"] as const) {
      const { data } = await run(node, { chain, max_age_min: 120, limit: 20 });
      const rejected = Object.values(data.rejected_counts).reduce((sum, n) => sum + n, 0);
      expect(rejected + data.candidates.length).toBe(data.scanned);
      expect(data.scanned).toBeGreaterThanOrEqual(2);
      expect(data.launched).toBeGreaterThan(data.scanned);
      expect(data.coverage).toMatchObject({ chain });
      expect(data.candidates.every(({ source }) => source?.startsWith("uniswap_"))).toBe(true);
    }
  });
});
