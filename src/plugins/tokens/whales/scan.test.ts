import { afterEach, describe, expect, test } from "bun:test";
import { createSimulatedNode, type SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { UpstreamError } from "../../../core/errors.ts";
import { getStretch, SCANNED } from "./chains.ts";
import { scanChain } from "./scan.ts";
import { scans, transfers } from "./tables.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const nodes: SimulatedNode[] = [];
afterEach(() => {
  for (const node of nodes.splice(0)) node.close();
});
function createNode(): SimulatedNode {
  const node = createSimulatedNode({ now_ms: NOW_MS });
  nodes.push(node);
  return node;
}

type Context = ReturnType<SimulatedNode["createContext"]>;
/** A context whose calls go through `change`, which can refuse them or give another answer. */
function withCalls(context: Context, change: (body: string, call: number) => void): Context {
  let call = 0;
  const get: Context["get"] = async (provider, request) => {
    call += 1;
    change(JSON.stringify(request.body ?? ""), call);
    return context.get(provider, request);
  };
  return { ...context, get };
}
const countRows = async (node: SimulatedNode) => ({
  transfers: await node.table(transfers).count(),
  scans: await node.table(scans).count(),
});

describe("a reorganisation of three blocks", () => {
  test("is nearer to the head than anything that was stored", () => {
    for (const chain of ["ethereum", "base"] as const) {
      const head = 1_000_000;
      const first = getStretch(chain, head);
      expect(first?.to_block).toBe(head - SCANNED[chain].confirmations);
      expect(SCANNED[chain].confirmations).toBeGreaterThan(3);
      // The head falls back by three and grows again: nothing is read twice, nothing is left out.
      expect(getStretch(chain, head - 3, first?.to_block)).toBeNull();
      expect(getStretch(chain, head + 3, first?.to_block)).toEqual({
        from_block: (first?.to_block ?? 0) + 1,
        to_block: head + 3 - SCANNED[chain].confirmations,
      });
    }
  });
});

describe("a scan that ends in the middle", () => {
  test("by a quota that is spent stores nothing, and the next one stores each transfer once", async () => {
    const node = createNode();
    const spent = withCalls(node.createContext(), (body, call) => {
      if (body.includes("eth_getLogs") && call > 4)
        throw new UpstreamError("upstream_rate_limited", "evm_rpc", "evm_rpc: the quota of this day is spent");
    });
    await expect(scanChain(spent, "base")).rejects.toThrow("quota of this day is spent");
    expect(await countRows(node)).toEqual({ transfers: 0, scans: 0 });
    await scanChain(node.createContext(), "base");
    const whole = await countRows(node);
    await scanChain(node.createContext(), "base");
    expect(await countRows(node)).toEqual(whole);
  });

  test("is a gap that is shown when the chain went too far in between", async () => {
    const node = createNode();
    await scanChain(node.createContext(), "base");
    node.clock.advance(20 * 60_000);
    await scanChain(node.createContext(), "base");
    const [second, first] = await node.table(scans).find({ where: { chain: "base" }, order: ["-to_block"] });
    expect((second?.from_block ?? 0) - (first?.to_block ?? 0)).toBeGreaterThan(1);
    expect((second?.to_block ?? 0) - (second?.from_block ?? 0) + 1).toBe(SCANNED.base.span);
  });
});

test("a range a node refuses for its size is asked for in halves, each log once", async () => {
  const [whole, halved] = [createNode(), createNode()];
  await scanChain(whole.createContext(), "ethereum");
  let refusals = 0;
  const capped = withCalls(halved.createContext(), (body) => {
    const [, from, to] = /"fromBlock":"(0x[0-9a-f]+)","toBlock":"(0x[0-9a-f]+)"/.exec(body) ?? [];
    if (from === undefined || Number(to) - Number(from) < 3) return;
    refusals += 1;
    throw new UpstreamError("upstream_unavailable", "evm_rpc", "status 413: response size exceeded");
  });
  await scanChain(capped, "ethereum");
  expect(refusals).toBeGreaterThan(0);
  expect(await halved.table(transfers).find({ limit: 10_000 })).toEqual(
    await whole.table(transfers).find({ limit: 10_000 }),
  );
});
