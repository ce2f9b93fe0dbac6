import { afterEach, describe, expect, test } from "bun:test";
import { createSimulatedNode, type SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { messageOf } from "../../../core/errors.ts";
import { DAY_MS } from "../../../upstream/providers/bars.ts";
import { readBars } from "../../../upstream/series/bar-series.ts";
import { SECTOR_MEMBERS, UNIVERSE_20 } from "../universe/universe.ts";
import { job } from "./candles-1d.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 0, 3);
const LAST_MS = Date.UTC(2026, 8, 30);

const nodes: SimulatedNode[] = [];
afterEach(() => {
  for (const node of nodes.splice(0)) node.close();
});
function createNode(): SimulatedNode {
  const node = createSimulatedNode({ now_ms: NOW_MS });
  nodes.push(node);
  return node;
}
const read = (node: SimulatedNode, symbol: string, [count, count_min]: [number, number] = [1_200, 1]) =>
  readBars(node.createContext(), { symbol, interval: "1d", count, count_min });

describe("job candles-1d", () => {
  test("stores every symbol's window up to yesterday, with provider and time", async () => {
    const node = createNode();
    await job.run(node.createContext());
    for (const symbol of new Set([...UNIVERSE_20, ...SECTOR_MEMBERS])) {
      const stored = await read(node, symbol);
      expect(stored).toMatchObject({ provider: "hyperliquid", fetched_at_ms: NOW_MS });
      expect(stored?.bars).toHaveLength(symbol === "BTC" || symbol === "ETH" ? 1_200 : 400);
      expect(stored?.bars.at(-1)?.t_ms).toBe(LAST_MS);
    }
  });

  test("years of Bitcoin and Ethereum come from the venue that has them", async () => {
    const node = createNode();
    await job.run(node.createContext());
    expect(await read(node, "BTC", [3_600, 3_600])).toMatchObject({ provider: "bitstamp" });
    expect((await read(node, "ETH", [3_300, 3_300]))?.bars.at(-1)?.t_ms).toBe(LAST_MS);
    expect(await read(node, "SOL", [1_000, 1_000])).toBeNull();
  });

  test("a shorter window is taken only when no venue has the long one", async () => {
    const node = createNode();
    for (const provider of ["hyperliquid", "bitstamp", "cryptocom"]) node.upstreams.setFault(provider, "http500");
    await job.run(node.createContext()).catch(() => undefined);
    expect(await read(node, "BTC")).toMatchObject({ provider: "kraken" });
    expect((await read(node, "BTC"))?.bars).toHaveLength(700);
  });

  test("what failed is named, kept out and tried again at the next run", async () => {
    const node = createNode();
    node.upstreams.setFault("*", "null_values");
    const error = await job.run(node.createContext()).catch((thrown: unknown) => thrown);
    expect(messageOf(error)).toContain("no 1d bars of BTC, ETH, SOL");
    expect(messageOf(error)).toContain("BTC (long)");
    expect(messageOf(error)).not.toContain("PEPE");
    expect(await read(node, "BTC")).toBeNull();
    node.upstreams.setFault("*", "none");
    // Past the pauses that follow failures.
    node.clock.advance(3_600_000);
    await job.run(node.createContext());
    expect(await read(node, "BTC")).not.toBeNull();
  });

  test("old windows are forgotten", async () => {
    const node = createNode();
    for (let day = 0; day < 5; day += 1) {
      node.clock.set(NOW_MS + day * DAY_MS);
      await job.run(node.createContext());
    }
    expect(await node.history.read("market/bars-1d/BTC")).toHaveLength(3);
  });
});
