import { afterEach, describe, expect, test } from "bun:test";
import { createSimulatedNode, type SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { NodeError, UpstreamError } from "../../../core/errors.ts";
import { readFeeSamples } from "../bitcoin/stored-fees.ts";
import { getWeightedAprPct, readFundingHistory } from "../derivatives/stored-funding.ts";
import { readOpenInterest } from "../derivatives/stored-interest.ts";
import { job as funding } from "./derivs-sample.ts";
import { job as fees } from "./mempool-sample.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 15);
const HOUR_MS = 3_600_000;

const nodes: SimulatedNode[] = [];
afterEach(() => {
  for (const node of nodes.splice(0)) node.close();
});
function createNode(options: { off?: readonly string[]; now_ms?: number } = {}): SimulatedNode {
  const node = createSimulatedNode({ now_ms: NOW_MS, ...options });
  nodes.push(node);
  return node;
}
/** Runs a job every `every` hours, the last time at `now_ms`. */
async function runHourly(node: SimulatedNode, run: () => Promise<void>, times: number, every = 1) {
  for (let left = times - 1; left >= 0; left -= 1) {
    node.clock.set(NOW_MS - left * every * HOUR_MS);
    await run();
  }
}

describe("job mempool-sample", () => {
  test("stores one sample per hour, however often it runs", async () => {
    const node = createNode();
    await fees.run(node.createContext());
    await fees.run(node.createContext());
    expect(await readFeeSamples(node.createContext(), "mempool_space")).toHaveLength(1);
    node.clock.advance(HOUR_MS);
    await fees.run(node.createContext());
    expect(await readFeeSamples(node.createContext(), "mempool_space")).toHaveLength(2);
  });

  test("samples of the other provider are stored, but not ranked together", async () => {
    const node = createNode();
    node.upstreams.setFault("mempool_space", "http500");
    await fees.run(node.createContext());
    expect(await readFeeSamples(node.createContext(), "mempool_space")).toEqual([]);
    expect(await readFeeSamples(node.createContext(), "blockstream")).toHaveLength(1);
  });

  test("samples older than 30 days do not count", async () => {
    const node = createNode();
    await fees.run(node.createContext());
    node.clock.set(NOW_MS + 30 * 24 * HOUR_MS);
    expect(await readFeeSamples(node.createContext(), "mempool_space")).toEqual([]);
  });

  test("a stale chain is not sampled", async () => {
    const node = createNode();
    node.upstreams.setFault("*", "stale");
    const error = await fees.run(node.createContext()).catch((thrown: unknown) => thrown);
    expect(error instanceof NodeError ? error.code : error).toBe("upstream_bad_response");
    expect(await node.history.read("kept/crypto-market/mempool-fastest")).toEqual([]);
  });
});

describe("job derivs-sample", () => {
  test("funding is weighted by open interest and stated per year", () => {
    const coins = [
      { symbol: "BTC", rate_1h_frac: 0.00001, open_interest_usd: 300 },
      { symbol: "ETH", rate_1h_frac: -0.00001, open_interest_usd: 100 },
    ];
    // (300 - 100) / 400 x 0.00001 x 24 x 365 x 100
    expect(getWeightedAprPct(coins)).toBeCloseTo(4.38, 10);
  });

  test("a day needs twelve samples, and the newest day can be missing", async () => {
    const node = createNode();
    const read = () => readFundingHistory(node.createContext());
    await runHourly(node, () => funding.run(node.createContext()), 11);
    expect(await read()).toMatchObject({ days: [], current: false, fetched_at_ms: NOW_MS });
    node.clock.advance(HOUR_MS);
    await funding.run(node.createContext());
    expect((await read()).days).toHaveLength(1);
    expect((await read()).current).toBe(true);
    node.clock.advance(24 * HOUR_MS);
    expect(await read()).toMatchObject({ current: false });
    expect((await read()).days).toHaveLength(1);
  });

  test("with the provider switched off its samples are not used", async () => {
    const node = createNode();
    await runHourly(node, () => funding.run(node.createContext()), 12);
    const later = createNode({ off: ["hyperliquid"] });
    await later.history.write(
      "kept/crypto-market/funding-1h",
      await node.history.read("kept/crypto-market/funding-1h"),
    );
    expect(await readFundingHistory(later.createContext())).toEqual({ days: [], current: false, fetched_at_ms: null });
  });

  test("open interest of twenty coins is kept in coins, from the one answer there is", async () => {
    const node = createNode();
    await runHourly(node, () => funding.run(node.createContext()), 3);
    const { by_symbol, fetched_at_ms } = await readOpenInterest(node.createContext());
    expect(fetched_at_ms).toBe(NOW_MS);
    expect(by_symbol.size).toBe(20);
    const hour_ms = Math.floor(NOW_MS / HOUR_MS) * HOUR_MS;
    expect([...(by_symbol.get("BTC")?.keys() ?? [])]).toEqual([hour_ms - 2 * HOUR_MS, hour_ms - HOUR_MS, hour_ms]);
    expect(node.upstreams.status().hyperliquid?.calls).toBe(3);
    const off = createNode({ off: ["hyperliquid"] });
    await off.history.write(
      "kept/crypto-market/open-interest-1h",
      await node.history.read("kept/crypto-market/open-interest-1h"),
    );
    expect((await readOpenInterest(off.createContext())).by_symbol.size).toBe(0);
  });

  test("a failed call stores nothing", async () => {
    const node = createNode();
    node.upstreams.setFault("hyperliquid", "null_values");
    const error = await funding.run(node.createContext()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UpstreamError);
    expect(await node.history.read("kept/crypto-market/funding-1h")).toEqual([]);
  });
});
