import { afterEach, describe, expect, test } from "bun:test";
import { createSimulatedNode, type SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { UpstreamError } from "../../../core/errors.ts";
import { createWorld } from "../../../sandbox/world.ts";
import { NATIVE } from "../../../upstream/providers/dex-tokens.ts";
import { listSimulatedPayments } from "../../../upstream/providers/simulated-tokens/evm-payments.ts";
import { getStretch, STORED_MIN_USD } from "./chains.ts";
import { scanChain } from "./scan.ts";
import { dropWrapped, NATIVE_EVERY, scanNative } from "./scan-native.ts";
import { nativeScans, type TransferRow, transfers } from "./tables.ts";

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
/** A context whose answers to one method go through `change`. */
function withAnswers(context: Context, method: string, change: (answers: Record<string, unknown>[]) => unknown) {
  const get = async (provider: never, request: never) => {
    const { body, read } = request as { body?: unknown; read?: (value: unknown) => unknown };
    if (!JSON.stringify(body ?? "").includes(`"method":"${method}"`)) return context.get(provider, request);
    const plain = { ...(request as object), read: (value: unknown) => ({ value }) };
    const { value } = (await context.get(provider, plain as never)) as { value: Record<string, unknown>[] };
    const changed = read?.(change(structuredClone(value)));
    if (typeof changed === "string") throw new UpstreamError("upstream_bad_response", "evm_rpc", changed);
    return changed;
  };
  return { ...context, get: get as Context["get"] };
}
const listNative = (node: SimulatedNode, chain: string) =>
  node.table(transfers).find({ where: { chain, token: "native" }, order: ["block", "tx"], limit: 10_000 });

describe("what transactions move of ether", () => {
  test.each([
    ["ethereum", 1, 25],
    ["ethereum", NATIVE_EVERY.idle.ethereum, 5],
    ["base", NATIVE_EVERY.wanted.base, 30],
    ["base", NATIVE_EVERY.idle.base, 6],
  ] as const)("on %s, of every %d. block: those that went through, of the right size", async (chain, every, blocks) => {
    const node = createNode();
    await scanNative(node.createContext(), chain, every);
    const [scan] = await node.table(nativeScans).find({});
    expect(scan?.blocks).toBe(blocks);
    const world = createWorld("test", () => NOW_MS);
    const numbers = Array.from({ length: 200 }, (_, index) => (scan?.to_block ?? 0) - index).filter(
      (block) => block >= (scan?.from_block ?? 0) && block % every === 0,
    );
    const rows = await listNative(node, chain);
    expect(rows.length).toBeGreaterThan(0);
    const price = (rows[0]?.usd ?? 0) / (Number(rows[0]?.amount) / 1e18);
    // From the world itself: large successful payments; wrapping is not a movement.
    const wrapper = NATIVE[chain].address;
    const expected = numbers
      .flatMap((block) => listSimulatedPayments(world, chain, block))
      .filter(({ is_ok, value, to, from }) => {
        const is_large = (Number(value) / 1e18) * price >= STORED_MIN_USD;
        return is_ok && is_large && to !== wrapper && to?.toLowerCase() !== from.toLowerCase();
      });
    expect(rows.map(({ tx, amount }) => [tx, amount]).sort()).toEqual(
      expected.map(({ hash, value }) => [hash, String(value)]).sort(),
    );
    expect(rows.every(({ log_index, asset, at_ms }) => log_index === -1 && asset === "ETH" && at_ms < NOW_MS)).toBe(
      true,
    );
  });

  test("each once, whatever is read twice, and on where it stopped", async () => {
    const node = createNode();
    await scanNative(node.createContext(), "ethereum", 1);
    const before = await listNative(node, "ethereum");
    await scanNative(node.createContext(), "ethereum", 1);
    expect(await listNative(node, "ethereum")).toEqual(before);
    node.clock.advance(300_000);
    await scanNative(node.createContext(), "ethereum", 1);
    const [second, first] = await node.table(nativeScans).find({ order: ["-to_block"] });
    expect(second?.from_block).toBe((first?.to_block ?? 0) + 1);
    expect((await listNative(node, "ethereum")).length).toBeGreaterThan(before.length);
  });
});

describe("what is not to be believed stores nothing", () => {
  const countNative = async (node: SimulatedNode) => [
    await node.table(transfers).count({ token: "native" }),
    await node.table(nativeScans).count(),
  ];
  test("a block that does not follow the one before it", async () => {
    const node = createNode();
    const spoiled = withAnswers(node.createContext(), "eth_getBlockByNumber", (answers) => {
      if (!Array.isArray(answers)) return answers;
      for (const { result } of answers) Object.assign(result as object, { parentHash: `0x${"9".repeat(64)}` });
      return answers;
    });
    await expect(scanNative(spoiled, "ethereum", 1)).rejects.toThrow("does not follow the one before it");
    expect(await countNative(node)).toEqual([0, 0]);
  });

  test("a quota spent before the receipts came; the next run has it all, once", async () => {
    const [node, other] = [createNode(), createNode()];
    const spent = withAnswers(node.createContext(), "eth_getTransactionReceipt", () => {
      throw new UpstreamError("upstream_rate_limited", "evm_rpc", "evm_rpc: the quota of this day is spent");
    });
    await expect(scanNative(spent, "ethereum", 1)).rejects.toThrow("quota of this day is spent");
    expect(await countNative(node)).toEqual([0, 0]);
    await scanNative(node.createContext(), "ethereum", 1);
    await scanNative(other.createContext(), "ethereum", 1);
    expect(await listNative(node, "ethereum")).toEqual(await listNative(other, "ethereum"));
  });

  test("a payment whose receipt is in another block", async () => {
    const node = createNode();
    const moved = withAnswers(node.createContext(), "eth_getTransactionReceipt", (answers) => {
      for (const { result } of answers) Object.assign(result as object, { blockHash: `0x${"8".repeat(64)}` });
      return answers;
    });
    await scanNative(moved, "ethereum", 1);
    expect(await node.table(transfers).count({ token: "native" })).toBe(0);
  });
});

test("blocks that left the chain are taken back: payments of theirs, and no token's transfer", async () => {
  const node = createNode();
  await scanChain(node.createContext(), "ethereum");
  await scanNative(node.createContext(), "ethereum", 1);
  const before = await node.table(transfers).find({ order: ["tx", "log_index"], limit: 10_000 });
  const last = await node.table(nativeScans).first();
  if (!last) throw new Error("no scan");
  await node.table(nativeScans).remove({ chain: "ethereum" });
  await node.table(nativeScans).insert([{ ...last, to_hash: `0x${"1".repeat(64)}` }]);
  const row = before.find(({ token }) => token === "native") as TransferRow;
  await node.table(transfers).put([{ ...row, tx: `0x${"2".repeat(64)}` }]);
  await scanNative(node.createContext(), "ethereum", 1);
  expect(await node.table(transfers).find({ order: ["tx", "log_index"], limit: 10_000 })).toEqual(before);
  // Nothing is read that is not deep enough.
  expect(last.to_block).toBe(getStretch("ethereum", last.to_block + 12)?.to_block ?? 0);
});

test("ether that is passed on wrapped in the same transaction counts once", async () => {
  const node = createNode();
  await scanNative(node.createContext(), "ethereum", 1);
  const rows = await node.table(transfers).find({ where: { chain: "ethereum" }, limit: 10_000 });
  const [row] = rows;
  if (!row) throw new Error("no payment");
  const passed_on = { ...row, asset: "WETH", token: NATIVE.ethereum.address, log_index: 7 };
  expect(dropWrapped([...rows, passed_on])).toEqual([...rows.slice(1), passed_on]);
  // Another token's transfer, or another chain's, says nothing of it.
  for (const other of [
    { ...passed_on, asset: "USDC" },
    { ...passed_on, chain: "base" },
  ]) {
    expect(dropWrapped([...rows, other])).toHaveLength(rows.length + 1);
  }
});
