import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import type { SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { job as candles } from "../jobs/candles-1d.ts";
import { job as funding } from "../jobs/derivs-sample.ts";
import { job as tone } from "../jobs/gdelt-pull.ts";
import { job as news } from "../jobs/news-pull.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const HOUR_MS = 3_600_000;

const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

async function live(node: SimulatedNode): Promise<void> {
  node.clock.set(NOW_MS - 24 * HOUR_MS);
  await funding.run(node.createContext());
  node.clock.set(NOW_MS);
  await funding.run(node.createContext());
  await candles.run(node.createContext());
  await news.run(node.createContext());
  for (let turn = 0; turn < 4; turn += 1) await tone.run(node.createContext());
}

describe("GET /sentiment-consensus", () => {
  test("all sources vote in all scopes, asked at once", async () => {
    const node = createNode();
    await live(node);
    const before = node.upstreams.status();
    const { data, sources } = await run(node);
    expect(data.rows.map(({ scope, n_opinions }) => `${scope} ${n_opinions}`)).toEqual([
      "market 7",
      "BTC 6",
      "ETH 5",
      "SOL 4",
    ]);
    expect(data.crowding.flag).not.toBeNull();
    expect(sources.some(({ provider }) => provider === "alternative_me")).toBe(true);
    const calls = Object.entries(node.upstreams.status()).flatMap(([id, { calls: n }]) => {
      const made = n - (before[id]?.calls ?? 0);
      return made > 0 ? [`${id} ${made}`] : [];
    });
    expect(calls.sort()).toEqual(["alternative_me 1", "hn_algolia 4"]);
  });

  test("a new node without Hyperliquid says what is missing, and calls no other venue for it", async () => {
    const node = createNode({ off: ["hyperliquid"] });
    await news.run(node.createContext());
    const { data, warnings } = await run(node);
    expect(data.rows.find(({ scope }) => scope === "market")?.n_opinions).toBe(3);
    expect(data.rows.find(({ scope }) => scope === "ETH")?.verdict).toBe("insufficient");
    expect(warnings.join()).toContain("rows.market.breadth");
    expect(data.crowding.flag).toBeNull();
    expect(node.upstreams.status().kraken?.calls).toBe(0);
  });

  test.each(["http500", "stale"] as const)("a publisher that fails is a vote less: %s", async (fault) => {
    const node = createNode();
    await live(node);
    node.upstreams.setFault("alternative_me", fault);
    const { data, warnings } = await run(node);
    expect(data.rows.every(({ votes }) => votes.every(({ source }) => source !== "fear_greed"))).toBe(true);
    expect(warnings.join()).toContain("rows.BTC.fear_greed");
    expect(data.crowding).toMatchObject({ flag: null, fng: null });
  });

  test("the preview shows the market only", async () => {
    const node = createNode();
    await live(node);
    const { data } = await run(node);
    const redacted = product.preview.redact?.(data);
    expect(redacted?.rows.map(({ scope }) => scope)).toEqual(["market"]);
    expect(Value.Check(product.data, redacted)).toBe(true);
  });
});
