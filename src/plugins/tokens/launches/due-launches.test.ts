import { afterEach, expect, test } from "bun:test";
import { createSimulatedNode, type SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { createWorld } from "../../../sandbox/world.ts";
import { describeEVMLaunch } from "../../../upstream/providers/simulated-tokens/evm-launches.ts";
import { ZOO } from "../../../upstream/providers/simulated-tokens/zoo.ts";
import { listDue } from "./due-launches.ts";
import { createdPools } from "./factory-tables.ts";
import { scanFactories } from "./scan-factories.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const nodes: SimulatedNode[] = [];
afterEach(() => {
  for (const node of nodes.splice(0)) node.close();
});

test("of what factories made the token with most to sell into is judged, and none that was there before", async () => {
  const node = createSimulatedNode({ now_ms: NOW_MS });
  nodes.push(node);
  await scanFactories(node.createContext(), "base");
  const pools = await node.table(createdPools).find({ where: { chain: "base", is_launch: true }, limit: 1_000 });
  const old = ZOO.find(({ id }) => id === "lantern");
  const [pool] = pools;
  if (!old || !pool) throw new Error("no such token");
  // Deep, and a month old: a new pool of it launches nothing.
  const another = { ...pool, pool: `0x${"1".repeat(40)}`, token: old.address, at_ms: NOW_MS - 5 * 60_000 };
  await node.table(createdPools).put([another]);
  const [due, ...others] = (await listDue(node.createContext())).filter(({ subject }) => subject.chain === "base");
  expect(others).toEqual([]);
  expect(await node.table(createdPools).first({ where: { pool: another.pool } })).toMatchObject({ is_launch: false });
  const world = createWorld("test", () => NOW_MS);
  const depths = pools
    .filter(({ at_ms }) => at_ms <= NOW_MS - 180_000)
    .map(({ token, block }) => [token, describeEVMLaunch(world, "base", block / 60).liquidity_usd] as const)
    .toSorted((a, b) => b[1] - a[1]);
  expect(due?.subject.address).toBe(depths[0]?.[0]);
});
