import { afterEach, describe, expect, test } from "bun:test";
import { createSimulatedNode, type SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { HOUR_MS } from "../../../upstream/providers/bars.ts";
import { readBars } from "../../../upstream/series/bar-series.ts";
import { UNIVERSE_10, UNIVERSE_20 } from "../universe/universe.ts";
import { job as hourly } from "./candles-1h.ts";
import { job as four_hourly } from "./candles-4h.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 1);

const nodes: SimulatedNode[] = [];
afterEach(() => {
  for (const node of nodes.splice(0)) node.close();
});
function createNode(): SimulatedNode {
  const node = createSimulatedNode({ now_ms: NOW_MS });
  nodes.push(node);
  return node;
}

const CASES = [
  { job: hourly, symbols: UNIVERSE_20, interval: "1h", count: 720 },
  { job: four_hourly, symbols: UNIVERSE_10, interval: "4h", count: 400 },
] as const;

for (const { job, symbols, interval, count } of CASES) {
  describe(`job ${job.id}`, () => {
    test("stores every coin's bars up to the one that closed a minute ago", async () => {
      const node = createNode();
      await job.run(node.createContext());
      for (const symbol of symbols) {
        const series = await readBars(node.createContext(), { symbol, interval, count });
        expect(series?.bars).toHaveLength(count);
      }
    });

    test("asks once per coin, and again only for bars that closed since", async () => {
      const node = createNode();
      const calls = () => node.upstreams.status().hyperliquid?.calls;
      await job.run(node.createContext());
      await job.run(node.createContext());
      expect(calls()).toBe(symbols.length);
      node.clock.advance(4 * HOUR_MS);
      await job.run(node.createContext());
      expect(calls()).toBe(2 * symbols.length);
    });
  });
}
