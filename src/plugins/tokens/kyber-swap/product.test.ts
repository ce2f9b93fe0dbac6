import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { config } from "../config.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const KEYS = { jupiter: "key-of-jupiter" };
const WITH_METIS = { licensed: ["jupiter"], api_keys: KEYS };
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

describe("GET /kyber-swap", () => {
  test("about 100 US dollars of SOL by Raydium, with its own middle and a way back", async () => {
    const { data } = await run(createNode());
    expect(data).toMatchObject({ chain: "solana", route_engine: "Raydium", slippage_bps: 50, not_advice: true });
    expect(Number(data.amount_out) / 1e6).toBeGreaterThan(80);
    expect(Number(data.amount_out) / 1e6).toBeLessThan(120);
    expect(Math.abs(data.price_impact_pct ?? 99)).toBeLessThan(30);
    expect(data.round_trip_loss_pct).toBeGreaterThan(0);
    expect(BigInt(data.min_amount_out)).toBe((BigInt(data.amount_out) * 9_950n) / 10_000n);
  });

  test("on Base two services answer, the better one is chosen; either can be silent", async () => {
    const node = createNode();
    const { data } = await run(node, "pair=ETH/USDC&amount=2");
    expect(data.route_engine).toBe("KyberSwap");
    expect(data.alternatives).toHaveLength(1);
    expect(data.alternatives[0]?.delta_bps).toBeLessThan(0);
    node.upstreams.setFault("kyberswap", "http500");
    node.clock.advance(60_000);
    const { data: other, warnings } = await run(node, "pair=ETH/USDC&amount=2");
    expect(other.route_engine).toBe("Velora");
    expect(warnings).toContain("alternatives: kyberswap has no quote");
    node.upstreams.setFault("velora", "http500");
    node.clock.advance(60_000);
    expect((await refusalOf(run(node, "pair=ETH/USDC&amount=2"))).status).toBe(503);
  });

  test("with Jupiter's licence Metis quotes too, and the better net output wins", async () => {
    const node = createNode(WITH_METIS);
    const quoted = async (amount: number) => (await run(node, `pair=SOL/USDC&amount=${amount}`)).data;
    const [small, large] = [await quoted(1), await quoted(2_000)];
    expect([small.route_engine, small.alternatives[0]?.provider]).toEqual(["Raydium", "jupiter"]);
    expect([large.route_engine, large.alternatives[0]?.provider]).toEqual(["Metis", "raydium"]);
    for (const { amount_out, alternatives } of [small, large]) {
      expect(alternatives).toHaveLength(1);
      expect(BigInt(alternatives[0]?.amount_out ?? 0)).toBeLessThan(BigInt(amount_out));
      expect(alternatives[0]?.delta_bps).toBeLessThan(0);
    }
    expect(large.route).toMatchObject([{ venue: "Simulated", share_pct: 100, token_in: large.base.address }]);
    expect(large.round_trip_loss_pct).toBeGreaterThan(0);
    expect(large.provider_impact_pct).toBe(0.04);
  });

  test("Metis that fails is named and the others sell; alone it sells alone", async () => {
    const node = createNode(WITH_METIS);
    node.upstreams.setFault("jupiter", "http500");
    const { data, warnings } = await run(node, "pair=SOL/USDC&amount=2000");
    expect([data.route_engine, data.alternatives]).toEqual(["Raydium", []]);
    expect(warnings).toContain("alternatives: jupiter has no quote");
    const alone = createNode({ ...WITH_METIS, off: ["raydium"] });
    expect((await run(alone, "pair=SOL/USDC&amount=1")).data).toMatchObject({
      route_engine: "Metis",
      alternatives: [],
    });
  });

  test("without its licence, without a key or left out, Jupiter is not asked", async () => {
    const left_out = { plugins: { tokens: { swap_engines: ["raydium"] } } };
    for (const options of [{}, { licensed: ["jupiter"] }, { api_keys: KEYS }, { ...WITH_METIS, config: left_out }]) {
      const node = createNode(options);
      const { data, warnings, sources } = await run(node, "pair=SOL/USDC&amount=2000");
      expect([data.route_engine, data.alternatives]).toEqual(["Raydium", []]);
      expect(JSON.stringify([warnings, sources])).not.toContain("jupiter");
      expect(node.upstreams.status().jupiter?.calls).toBe(0);
    }
  });

  test("the operator names the services that are asked", async () => {
    const node = createNode({ config: { plugins: { tokens: { swap_engines: ["velora"] } } } });
    const { data, sources } = await run(node, "pair=ETH/USDC&amount=2");
    expect([data.route_engine, data.alternatives]).toEqual(["Velora", []]);
    expect(sources.some(({ provider }) => provider === "kyberswap")).toBe(false);
    expect((await refusalOf(run(node, "pair=SOL/USDC&amount=1"))).status).toBe(503);
  });

  test.each([
    ["kyberswap", "pair=ETH/USDC&amount=2", "KyberSwap"],
    ["velora", "pair=ETH/USDC&amount=2", "Velora"],
    ["raydium", "pair=SOL/USDC&amount=1", "Raydium"],
    ["jupiter", "pair=SOL/USDC&amount=1", "Metis"],
  ])("how long %s's ids and names of pools are decides nothing: they are cut", async (id, query, engine) => {
    // A market maker's "pool" names every token it trades.
    const long = `kyber_pmm${`_0x${"a".repeat(40)}`.repeat(4)}`;
    const named = /^(pool|poolId|ammKey|exchange|label)$/;
    const lengthen = (name: string, value: unknown): unknown =>
      name === "poolAddresses" ? [long] : named.test(name) ? long : value;
    const swap_engines = [id];
    const node = createNode({
      ...WITH_METIS,
      config: { plugins: { tokens: { swap_engines } } },
      bend: async (answer, { provider }) =>
        provider === id ? new Response(JSON.stringify(JSON.parse(await answer.text()), lengthen)) : answer,
    });
    const { data } = await run(node, query);
    expect([long.length, data.route_engine, data.route[0]?.pool]).toEqual([181, engine, long.slice(0, 80)]);
  });

  test("too many places are 422, symbols are not guessed", async () => {
    const node = createNode();
    expect((await refusalOf(run(node, "pair=USDC/SOL&amount=0.0000001"))).status).toBe(422);
    expect((await refusalOf(run(node, "pair=PEPE/USDC"))).status).toBe(422);
  });
});

test("the operator may put it at another path, but not under a name whose licence forbids it", () => {
  const locate = (swap_path: string) => product.locate?.({ brand: "x", config: () => ({ swap_path }) as never });
  expect(locate("/acme-swap")).toBe("/acme-swap");
  const isTaken = (swap_path: string) => Value.Check(config.properties.swap_path, swap_path);
  expect(["/acme-swap", "/a-b2-swap", "/jupiter-swap", "/swap", "/Acme-swap", "acme-swap"].map(isTaken)).toEqual([
    ...[true, true, false, false, false, false],
  ]);
});
