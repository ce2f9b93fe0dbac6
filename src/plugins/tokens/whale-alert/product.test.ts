import { describe, expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { UpstreamError, type UpstreamErrorKind } from "../../../core/errors.ts";
import { job } from "../jobs/whale-scan.ts";
import { scans, transfers } from "../whales/tables.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

describe("GET /whale-alert", () => {
  test("shows what was read and how much that is, and nothing when nothing was read", async () => {
    const node = createNode();
    expect((await refusalOf(run(node))).status).toBe(503);
    await job.run(node.createContext());
    const { data, warnings } = await run(node);
    expect(data.count).toBeGreaterThan(0);
    const sizes = data.alerts.map(({ usd }) => usd);
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    expect(data.coverage.chains.map(({ chain }) => chain)).toEqual(["ethereum", "base", "bitcoin"]);
    expect(data.coverage.pools.map(({ name, read }) => [name, read])).toEqual([["SOL/USDC", 12]]);
    expect(new Set(data.alerts.map(({ chain }) => chain)).has("bitcoin")).toBe(true);
    expect(warnings.join()).toContain("coverage: 25 of");
    // Without calls for it ether is read of every fifth block of Ethereum, and every 25th of Base.
    expect(data.coverage.native.map(({ chain, blocks_scanned }) => [chain, blocks_scanned])).toEqual([
      ["ethereum", 5],
      ["base", 6],
    ]);
    expect(warnings.join()).toContain("coverage.native: for ether itself 5 of 1800 blocks of ethereum were read");
    expect(warnings.join()).toContain("not what contracts pay out");
    const all = await run(node, { min_usd: 100_000, limit: 100 });
    expect(all.data.alerts.some(({ asset }) => asset === "ETH")).toBe(true);
  });

  test("amounts are in whole units on every chain: divided into the value they give the price of one", async () => {
    const node = createNode();
    await job.run(node.createContext());
    const { data } = await run(node, { min_usd: 100_000, limit: 100 });
    const chains = data.alerts.map(({ chain }) => chain);
    expect(["bitcoin", "ethereum", "base"].filter((one) => !chains.some((chain) => chain === one))).toEqual([]);
    for (const { asset, amount, usd } of data.alerts) {
      const price = usd / Number(amount);
      const [low, high] = /USD|DAI/.test(asset) ? [0.9, 1.1] : /BTC/i.test(asset) ? [1e4, 1e6] : [10, 1e4];
      expect([asset, price > low && price < high]).toEqual([asset, true]);
    }
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

  test("a node that lags stores nothing and is named; after 20 minutes its chains are not sold", async () => {
    const node = createNode();
    await job.run(node.createContext());
    node.upstreams.setFault("evm_rpc", "stale");
    node.clock.advance(21 * 60_000);
    await job.run(node.createContext());
    expect((await refusalOf(run(node, { chain: "ethereum" }))).status).toBe(503);
    const { data, warnings } = await run(node, { min_usd: 100_000, limit: 100 });
    expect(data.alerts.some(({ chain }) => chain === "ethereum" || chain === "base")).toBe(false);
    expect(warnings.join()).toMatch(/coverage\.ethereum: at [^ ]+: the newest block is \d+ s old/);
  });
});

describe("what a scan met is named in the answer", () => {
  /** A run of the job whose calls can be refused. */
  async function tellAfter(change: (body: string) => void): Promise<string> {
    const node = createNode();
    const context = node.createContext();
    await job.run(context);
    node.clock.advance(300_000);
    const next = node.createContext();
    const get: typeof next.get = async (provider, request) => {
      change(JSON.stringify(request.body ?? request.path));
      return next.get(provider, request);
    };
    await job.run({ ...next, get });
    return (await run(node)).warnings.join("\n");
  }
  const refuse = (kind: UpstreamErrorKind, message: string): never => {
    throw new UpstreamError(kind, "evm_rpc", message);
  };

  test("a quota spent in the middle", async () => {
    let calls = 0;
    const told = await tellAfter((body) => {
      calls += body.includes("eth_getLogs") ? 1 : 0;
      if (calls > 2) refuse("upstream_rate_limited", "evm_rpc: key 0123 is over its quota");
    });
    expect(told).toMatch(/coverage\.(ethereum|base): at [^ ]+: the quota or the rate limit was spent/);
    expect(told).not.toContain("0123");
  });

  test("logs of one block that are too many", async () => {
    const told = await tellAfter((body) => {
      if (body.includes("eth_getLogs")) refuse("upstream_unavailable", "status 413: response size exceeded");
    });
    expect(told).toContain("coverage.ethereum: at ");
    expect(told).toContain("out of reach");
  });

  test("two nodes that name different blocks, and nothing is stored", async () => {
    const node = createNode({
      second_rpc: (answer) => JSON.parse(JSON.stringify(answer).replaceAll(/"hash":"0x../g, '"hash":"0x00')),
    });
    await job.run(node.createContext());
    expect(await node.table(transfers).count({ chain: "ethereum" })).toBe(0);
    expect((await run(node)).warnings.join()).toMatch(
      /coverage\.ethereum: at [^ ]+: two nodes name different blocks \d+/,
    );
  });

  test("a reorganisation deeper than the confirmations", async () => {
    const node = createNode();
    await job.run(node.createContext());
    const count = await node.table(transfers).count({ chain: "ethereum" });
    const last = await node.table(scans).first({ where: { chain: "ethereum" } });
    if (!last) throw new Error("no scan");
    await node.table(scans).remove({ chain: "ethereum" });
    await node.table(scans).insert([{ ...last, to_hash: `0x${"1".repeat(64)}` }]);
    await job.run(node.createContext());
    expect(await node.table(transfers).count({ chain: "ethereum" })).toBe(count);
    expect((await run(node)).warnings.join()).toContain(
      `blocks ${last.from_block} to ${last.to_block} left the chain and were read anew`,
    );
  });
});
