import { afterEach, expect, test } from "bun:test";
import { createSimulatedNode, type SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { launches, watches } from "./tables.ts";
import { watchLaunches } from "./watch.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const MINUTE_MS = 60_000;
const MINT = "42RLPACwZPx3vYYmxSueqsogfynBDqXK298EDsNoyoHi";
const nodes: SimulatedNode[] = [];
afterEach(() => {
  for (const node of nodes.splice(0)) node.close();
});

type Context = ReturnType<SimulatedNode["createContext"]>;
const create = {
  txType: "create",
  mint: MINT,
  traderPublicKey: MINT,
  initialBuy: 1,
  vTokensInBondingCurve: 1,
  vSolInBondingCurve: 1,
  name: "a",
  symbol: "A",
};
/** The stream was heard since `since_ms`, but for the gaps; the launchpad's list is silent. */
const streamed = (
  node: SimulatedNode,
  since_ms: number,
  gap?: { readonly from_ms: number; readonly to_ms: number },
) => {
  const context = node.createContext();
  const messages = [{ at_ms: context.now_ms - MINUTE_MS, value: create }];
  const gaps = gap ? [{ ...gap, why: "the connection was lost" }] : [];
  const drained = { listening_since_ms: since_ms, messages, gaps };
  return { ...context, usable: () => true, drain: (() => drained) as Context["drain"] };
};

test("a socket that was away for ten minutes leaves a gap of ten minutes, and repeats no launch", async () => {
  const node = createSimulatedNode({ now_ms: NOW_MS });
  nodes.push(node);
  node.upstreams.setFault("pump_fun", "http500");
  const since_ms = NOW_MS - 30 * MINUTE_MS;
  await watchLaunches(streamed(node, since_ms));
  node.clock.advance(11 * MINUTE_MS);
  const gap = { from_ms: NOW_MS, to_ms: NOW_MS + 10 * MINUTE_MS };
  await watchLaunches(streamed(node, since_ms, gap));
  const gaps = await node.table(watches).find({ where: { is_gap: true } });
  expect(gaps.map(({ from_ms, to_ms }) => to_ms - from_ms)).toEqual([10 * MINUTE_MS]);
  expect(await node.table(launches).count({ token: MINT })).toBe(1);
  // Heard without a break since: the gap stays the only one.
  node.clock.advance(MINUTE_MS);
  await watchLaunches(streamed(node, since_ms, gap));
  expect(await node.table(watches).count({ is_gap: true })).toBe(1);
});
