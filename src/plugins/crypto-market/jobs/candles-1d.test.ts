import { afterEach, describe, expect, test } from "bun:test";
import { createSimulatedNode, type SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { messageOf } from "../../../core/errors.ts";
import { DAY_MS } from "../../../upstream/providers/bars.ts";
import { readDailyBars } from "../shared/candles/stored-bars.ts";
import { UNIVERSE_20 } from "../shared/universe.ts";
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
const read = (node: SimulatedNode, symbol: string) => readDailyBars(node.createContext(), symbol, { grace: false });
const callsOf = (node: SimulatedNode, provider: string) => node.upstreams.status()[provider]?.calls;

describe("job candles-1d", () => {
  test("stores every symbol's window up to yesterday, with provider and time", async () => {
    const node = createNode();
    await job.run(node.createContext());
    for (const symbol of UNIVERSE_20) {
      const stored = read(node, symbol);
      expect(stored).toMatchObject({ provider: "hyperliquid", fetched_at_ms: NOW_MS });
      expect(stored?.bars).toHaveLength(symbol === "BTC" ? 740 : 400);
      expect(stored?.bars.at(-1)?.t_ms).toBe(LAST_MS);
    }
  });

  test("asks nobody for what is complete, and everybody again on the next day", async () => {
    const node = createNode();
    await job.run(node.createContext());
    await job.run(node.createContext());
    expect(callsOf(node, "hyperliquid")).toBe(20);
    node.clock.set(NOW_MS + DAY_MS);
    await job.run(node.createContext());
    expect(callsOf(node, "hyperliquid")).toBe(40);
    expect(read(node, "BTC")?.bars.at(-1)?.t_ms).toBe(LAST_MS + DAY_MS);
  });

  test("a provider that fails is replaced for the whole window", async () => {
    const node = createNode();
    await job.run(node.createContext());
    node.clock.set(NOW_MS + DAY_MS);
    node.upstreams.setFault("hyperliquid", "wrong_shape");
    await job.run(node.createContext());
    // Kraken gives 719 bars at most, so Bitcoin's longer window comes from the next one.
    expect(read(node, "BTC")).toMatchObject({ provider: "bitstamp" });
    expect(read(node, "BTC")?.bars).toHaveLength(740);
    expect(read(node, "ETH")).toMatchObject({ provider: "kraken" });
    expect(read(node, "ETH")?.bars).toHaveLength(400);
  });

  test("a shorter window is taken only when nobody has the long one", async () => {
    const node = createNode();
    for (const provider of ["hyperliquid", "bitstamp", "cryptocom"]) node.upstreams.setFault(provider, "http500");
    await job.run(node.createContext());
    expect(read(node, "BTC")).toMatchObject({ provider: "kraken" });
    expect(read(node, "BTC")?.bars).toHaveLength(460);
  });

  test("what failed is named, kept out and tried again at the next run", async () => {
    const node = createNode();
    node.upstreams.setFault("*", "null_values");
    const error = await job.run(node.createContext()).catch((thrown: unknown) => thrown);
    expect(messageOf(error)).toContain("no daily bars of BTC, ETH, SOL");
    expect(read(node, "BTC")).toBeNull();
    node.upstreams.setFault("*", "none");
    // Past the pauses that follow failures.
    node.clock.advance(3_600_000);
    await job.run(node.createContext());
    expect(read(node, "BTC")).not.toBeNull();
  });

  test("a clock set back reads the window of that day, not a later one", async () => {
    const node = createNode();
    await job.run(node.createContext());
    node.clock.set(NOW_MS - DAY_MS);
    expect(read(node, "BTC")).toBeNull();
    await job.run(node.createContext());
    expect(read(node, "BTC")?.bars.at(-1)?.t_ms).toBe(LAST_MS - DAY_MS);
  });

  test("old windows are forgotten", async () => {
    const node = createNode();
    for (let day = 0; day < 12; day += 1) {
      node.clock.set(NOW_MS + day * DAY_MS);
      await job.run(node.createContext());
    }
    expect(node.history.read("crypto-market/candles-1d/BTC")).toHaveLength(9);
  });
});
