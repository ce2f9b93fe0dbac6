import { afterEach, describe, expect, test } from "bun:test";
import { createSimulatedNode, type SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { UpstreamError } from "../../../core/errors.ts";
import { findSimulatedPool } from "../../../upstream/providers/simulated-tokens/evm-launches.ts";
import { job } from "../jobs/factory-scan.ts";
import { FACTORY_PACE } from "./factories.ts";
import { createdPools, factoryNotes, factoryScans } from "./factory-tables.ts";
import { scanFactories } from "./scan-factories.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const nodes: SimulatedNode[] = [];
afterEach(() => {
  for (const node of nodes.splice(0).reverse()) node.close();
});
function createNode(more: Parameters<typeof createSimulatedNode>[0] | object = {}): SimulatedNode {
  const node = createSimulatedNode({ now_ms: NOW_MS, ...more });
  nodes.push(node);
  return node;
}
type Context = ReturnType<SimulatedNode["createContext"]>;
/** A context whose calls go through `change`, which may refuse them. */
function withCalls(context: Context, change: (body: string) => void): Context {
  const get: Context["get"] = async (provider, request) => {
    change(JSON.stringify(request.body ?? ""));
    return context.get(provider, request);
  };
  return { ...context, get };
}
const listPools = (node: SimulatedNode, chain: string) =>
  node.table(createdPools).find({ where: { chain }, order: ["block", "log_index"], limit: 1_000 });
const listScans = (node: SimulatedNode, chain: string) =>
  node.table(factoryScans).find({ where: { chain }, order: ["to_block"] });

/** Pools of a stretch, from the world itself. */
function listTruth(chain: string, from: number, to: number) {
  const blocks = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return blocks.flatMap((block) => findSimulatedPool(chain, block) ?? []);
}

test("what a scan stores is what was made in its blocks, and a token's second pool launches nothing", async () => {
  const node = createNode();
  for (const chain of ["ethereum", "base"] as const) {
    await scanFactories(node.createContext(), chain);
    const [scan] = await listScans(node, chain);
    const { confirmations, span } = FACTORY_PACE[chain];
    expect((scan?.to_block ?? 0) - (scan?.from_block ?? 0) + 1).toBe(span);
    expect(confirmations).toBeGreaterThan(3);
    const [rows, truth] = [await listPools(node, chain), listTruth(chain, scan?.from_block ?? 0, scan?.to_block ?? 0)];
    expect(rows.map(({ block }) => block)).toEqual(truth.map(({ block }) => block));
    expect(rows.length).toBeGreaterThan(20);
    const launched = rows.filter(({ is_launch }) => is_launch).map(({ block }) => block);
    // A second pool whose first lies before the stretch is the first this node ever saw.
    const first = truth[0]?.index ?? 0;
    const expected = truth.filter(({ kind, index }) => kind === "launch" || (kind === "second" && index === first));
    expect(launched).toEqual(expected.map(({ block }) => block));
    expect(rows.filter(({ token }) => token === "").length).toBe(
      truth.filter(({ kind }) => kind === "known" || kind === "unknown").length,
    );
    const oldest = rows[0];
    expect(Math.abs((oldest?.at_ms ?? 0) - (NOW_MS - 3_600_000))).toBeLessThan(10 * 60_000);
  }
});

describe("scans go on where they stopped", () => {
  test("each pool once, whatever is read twice, and an hour away leaves nothing out", async () => {
    const node = createNode();
    for (const minutes of [0, 2, 10, 50]) {
      node.clock.advance(minutes * 60_000);
      await scanFactories(node.createContext(), "base");
      await scanFactories(node.createContext(), "base");
    }
    const scans = await listScans(node, "base");
    expect(scans.length).toBe(4);
    for (const [index, scan] of scans.entries()) {
      if (index > 0) expect(scan.from_block).toBe((scans[index - 1]?.to_block ?? 0) + 1);
    }
    const rows = await listPools(node, "base");
    const truth = listTruth("base", scans[0]?.from_block ?? 0, scans.at(-1)?.to_block ?? 0);
    expect(rows.map(({ block }) => block)).toEqual(truth.map(({ block }) => block));
  });

  test("a quota spent in the middle stores nothing and is named; the next run has it all", async () => {
    const [node, other] = [createNode(), createNode()];
    let calls = 0;
    const spent = withCalls(node.createContext(), (body) => {
      // A factory of Base.
      if (!body.includes("0x33128a8fc17869897dce68ed026d694621f6fdfd")) return;
      calls += 1;
      if (calls > 2) throw new UpstreamError("upstream_rate_limited", "evm_rpc", "evm_rpc: key 0123 is over its quota");
    });
    await job.run(spent);
    const notes = await node.table(factoryNotes).find({});
    expect(notes.map(({ chain, what }) => [chain, what])).toEqual([["base", "the quota or the rate limit was spent"]]);
    expect(await node.table(createdPools).count({ chain: "base" })).toBe(0);
    node.clock.advance(10 * 60_000);
    await job.run(node.createContext());
    other.clock.advance(10 * 60_000);
    await job.run(other.createContext());
    expect(await listPools(node, "base")).toEqual(await listPools(other, "base"));
  });

  test("a range a node refuses for its size is asked for in halves, each pool once", async () => {
    const [whole, halved] = [createNode(), createNode()];
    await scanFactories(whole.createContext(), "ethereum");
    let refusals = 0;
    const capped = withCalls(halved.createContext(), (body) => {
      const [, from, to] = /"fromBlock":"(0x[0-9a-f]+)","toBlock":"(0x[0-9a-f]+)"/.exec(body) ?? [];
      if (from === undefined || Number(to) - Number(from) < 20) return;
      refusals += 1;
      throw new UpstreamError("upstream_unavailable", "evm_rpc", "status 413: response size exceeded");
    });
    await scanFactories(capped, "ethereum");
    expect(refusals).toBeGreaterThan(0);
    expect(await listPools(halved, "ethereum")).toEqual(await listPools(whole, "ethereum"));
  });
});

describe("what is not to be believed", () => {
  test("blocks that left the chain are taken back and read again, each pool once", async () => {
    const node = createNode();
    await scanFactories(node.createContext(), "base");
    const before = await listPools(node, "base");
    const [scan] = await listScans(node, "base");
    if (!scan) throw new Error("no scan");
    // The stored rows were of another block, and so was a pool that no longer exists.
    await node.table(factoryScans).remove({ chain: "base" });
    await node.table(factoryScans).insert([{ ...scan, to_hash: `0x${"1".repeat(64)}` }]);
    const orphan = { ...before[0], pool: "0xorphan", token: "0xorphan", is_launch: true };
    await node.table(createdPools).put([orphan as (typeof before)[number]]);
    await scanFactories(node.createContext(), "base");
    expect(await listPools(node, "base")).toEqual(before);
    const notes = await node.table(factoryNotes).find({ where: { chain: "base" } });
    expect(notes.map(({ what }) => what)).toEqual([
      `blocks ${scan.from_block} to ${scan.to_block} left the chain and were read anew`,
    ]);
  });

  test("a node that lags stores nothing and is named", async () => {
    const node = createNode();
    node.upstreams.setFault("evm_rpc", "stale");
    await expect(job.run(node.createContext())).rejects.toThrow();
    const notes = await node.table(factoryNotes).find({});
    expect(notes.map(({ chain }) => chain).sort()).toEqual(["base", "ethereum"]);
    expect(notes.every(({ what }) => /the newest block is \d+ s old/.test(what))).toBe(true);
    expect(await node.table(createdPools).count()).toBe(0);
  });

  test("two nodes that name different blocks: nothing is stored", async () => {
    const node = createNode({
      second_rpc: (answer: unknown) => JSON.parse(JSON.stringify(answer).replaceAll(/"hash":"0x../g, '"hash":"0x00')),
    });
    await expect(job.run(node.createContext())).rejects.toThrow("two nodes name different blocks");
    expect(await node.table(createdPools).count()).toBe(0);
  });
});

test("without calls, chains are read every ten minutes", async () => {
  const node = createNode();
  for (let minute = 0; minute < 60; minute += 2) {
    await job.run(node.createContext());
    node.clock.advance(120_000);
  }
  expect((await listScans(node, "base")).length).toBe(6);
});
