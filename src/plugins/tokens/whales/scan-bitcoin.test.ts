import { afterEach, expect, test } from "bun:test";
import { createSimulatedNode, type SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import type { JobContext } from "../../../catalog/context.ts";
import { readAddress } from "../../../upstream/providers/bitcoin-address.ts";
import type { BitcoinTransaction } from "../../../upstream/providers/bitcoin-block.ts";
import { getSimulatedBlock } from "../../../upstream/providers/simulated-bitcoin-blocks.ts";
import { createRowTally } from "../../../upstream/sift-rows.ts";
import { findLabel } from "./labels.ts";
import { readMovement, scanBitcoin } from "./scan-bitcoin.ts";
import { scanNotes, scans, transfers } from "./tables.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const BLOCK_MS = 600_000;
const nodes: SimulatedNode[] = [];
afterEach(() => {
  for (const node of nodes.splice(0)) node.close();
});
function createNode(): SimulatedNode {
  const node = createSimulatedNode({ now_ms: NOW_MS });
  nodes.push(node);
  return node;
}

interface Listed {
  readonly id: string;
  readonly height: number;
  readonly timestamp: number;
}
/** Both explorers after a reorganisation: from a height on there are other blocks, with other transactions. */
function withFork(context: JobContext, from_height: number, only?: string): JobContext {
  const other = { now: () => NOW_MS, price: () => 100_000, noise: (key: string) => Bun.hash.xxHash32(key) / 2 ** 32 };
  const blocks = new Map<string, Uint8Array>();
  const get: JobContext["get"] = async (provider, request) => {
    const [, hash = ""] = /([0-9a-f]{64})\/raw$/.exec(request.path) ?? [];
    const forked = blocks.get(hash);
    // biome-ignore lint/suspicious/noExplicitAny: replaces every provider's answers.
    const read = (value: any) =>
      // biome-ignore lint/suspicious/noExplicitAny: likewise.
      request.read?.(value, { status: 200, bytes: 0 } as any, createRowTally().eachRow) as any;
    if (forked) return read(forked);
    if (!request.path.endsWith("/blocks") || (only !== undefined && provider.id !== only)) {
      return context.get(provider, request);
    }
    const { read: _, ...plain } = request;
    const listed = (await context.get(provider, plain)) as readonly Listed[];
    return read(
      listed.map((one) => {
        if (one.height < from_height) return one;
        const { hash: id, bytes } = getSimulatedBlock(other, one.height, one.timestamp);
        blocks.set(id, bytes);
        return { ...one, id };
      }),
    );
  };
  return { ...context, get, first: async (_, [attempt]) => attempt?.run() ?? Promise.reject(new Error("nobody")) };
}
const heightsOf = async (node: SimulatedNode) =>
  (await node.table(scans).find({ where: { chain: "bitcoin" }, order: ["to_block"] })).map(({ to_block }) => to_block);
const notesOf = async (node: SimulatedNode) => (await node.table(scanNotes).find()).map(({ what }) => what);

test("each block is read once, whole, one below the newest; the labels' addresses are Bitcoin's", async () => {
  const node = createNode();
  await scanBitcoin(node.createContext());
  const first = await heightsOf(node);
  const count = await node.table(transfers).count({ chain: "bitcoin" });
  expect(first).toHaveLength(3);
  expect(count).toBeGreaterThan(3);
  await scanBitcoin(node.createContext());
  expect(await heightsOf(node)).toEqual(first);
  node.clock.advance(BLOCK_MS);
  await scanBitcoin(node.createContext());
  expect(await heightsOf(node)).toEqual([...first, (first.at(-1) ?? 0) + 1]);
  const rows = await node.table(transfers).find({ where: { chain: "bitcoin" } });
  expect(new Set(rows.map(({ tx, log_index }) => `${tx} ${log_index}`)).size).toBe(rows.length);
  expect(rows.some(({ to }) => findLabel(to)?.name === "Binance")).toBe(true);
});

test("a reorganisation of three blocks is seen by hashes: taken back, read again, noted, nothing twice", async () => {
  const [node, fresh] = [createNode(), createNode()];
  await scanBitcoin(node.createContext());
  const heights = await heightsOf(node);
  const before = await node.table(transfers).find({ where: { chain: "bitcoin" } });
  const fork = heights[0] ?? 0;
  await scanBitcoin(withFork(node.createContext(), fork));
  expect(await heightsOf(node)).toEqual(heights);
  const after = await node.table(transfers).find({ where: { chain: "bitcoin" }, limit: 1_000 });
  await scanBitcoin(withFork(fresh.createContext(), fork));
  expect(after).toEqual(await fresh.table(transfers).find({ where: { chain: "bitcoin" }, limit: 1_000 }));
  expect(after.some(({ tx }) => before.some((one) => one.tx === tx))).toBe(false);
  expect(await notesOf(node)).toEqual(
    heights.toReversed().map((height) => `blocks ${height} to ${height} left the chain and were read anew`),
  );
});

test("where two explorers name different blocks, that block and those after it wait", async () => {
  const node = createNode();
  const [, second = 0] = await (async () => {
    const whole = createNode();
    await scanBitcoin(whole.createContext());
    return heightsOf(whole);
  })();
  const lying = withFork(node.createContext(), second, "mempool_space");
  await expect(scanBitcoin(lying)).rejects.toThrow(`two explorers name different blocks ${second}`);
  expect(await heightsOf(node)).toEqual([second - 1]);
});

test("one explorer is enough, and it can be either", async () => {
  for (const id of ["blockstream", "mempool_space"]) {
    const node = createNode();
    node.upstreams.setFault(id, "http500");
    await scanBitcoin(node.createContext());
    expect(await heightsOf(node)).toHaveLength(3);
  }
});

test("what pays back an address the inputs prove is change; of the rest the largest output counts", () => {
  const key = Uint8Array.of(2, ...Array(32).fill(9));
  const program = new Bun.CryptoHasher("ripemd160")
    .update(new Bun.CryptoHasher("sha256").update(key).digest())
    .digest();
  const own = Uint8Array.of(0, 20, ...program);
  const script = (byte: number) => Uint8Array.of(0, 20, ...Array(20).fill(byte));
  const input = (last: Uint8Array) => ({ script: new Uint8Array(), witness: [new Uint8Array(71), last] });
  const spend = (changes: Partial<BitcoinTransaction>): BitcoinTransaction => ({
    txid: "a",
    is_coinbase: false,
    inputs: [input(key)],
    outputs: [
      { sats: 500_000_000_000, script: own },
      { sats: 300_000_000, script: script(1) },
      { sats: 900_000_000, script: script(2) },
    ],
    ...changes,
  });
  expect(readMovement(spend({}), 100_000)).toMatchObject({
    amount: "900000000",
    usd: 900_000,
    total_usd: 501_200_000,
    log_index: 2,
    from: readAddress(own),
    to: readAddress(script(2)),
  });
  // All of it back to where it came from: nothing moved.
  expect(readMovement(spend({ outputs: [{ sats: 500_000_000_000, script: own }] }), 100_000)).toBeNull();
  // Two senders, or one who is not shown: no sender is named.
  const taproot = { script: new Uint8Array(), witness: [new Uint8Array(64)] };
  const other = Uint8Array.of(3, ...Array(32).fill(8));
  for (const more of [taproot, input(other)]) {
    expect(readMovement(spend({ inputs: [input(key), more] }), 100_000)?.from).toBe("");
  }
  expect(readMovement(spend({ is_coinbase: true }), 100_000)).toBeNull();
});
