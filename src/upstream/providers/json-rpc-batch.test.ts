import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { createRecordedContext } from "../../../test/helpers/product-harness.ts";
import { unusable } from "../../catalog/unusable.ts";
import { UpstreamError } from "../../core/errors.ts";
import { fetchLogs } from "./evm-rpc/logs.ts";
import { evmRpc } from "./evm-rpc/provider.ts";
import { fetchRPCBatch } from "./json-rpc-batch.ts";

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly never[];
}
const isBatch = (body: unknown): body is readonly Call[] => Array.isArray(body);

/** A node that answers call by call; `refuses` batches it takes none of. */
function createNode(answer: (call: Call) => object, refuses = false) {
  const bodies: unknown[] = [];
  const context = createRecordedContext({
    now_ms: 1_790_000_000_000,
    bodies: {
      "evm_rpc POST base": ({ body }: { body: unknown }) => {
        bodies.push(body);
        if (!isBatch(body)) return { jsonrpc: "2.0", id: 1, ...answer(body as Call) };
        if (refuses) return { jsonrpc: "2.0", id: null, error: { code: -32600, message: "batches are off" } };
        return body.map((call) => ({ jsonrpc: "2.0", id: call.id, ...answer(call) })).reverse();
      },
    },
  });
  return { context, bodies };
}

describe("a batch", () => {
  const ask = (node: ReturnType<typeof createNode>, count: number) =>
    fetchRPCBatch(node.context, evmRpc, {
      chain: "base",
      method: "eth_getBalance",
      calls: Array.from({ length: count }, (_, n) => [n]),
      result: Type.Number(),
      read: (value) => (value === 3 ? unusable("three is refused") : { value }),
      ttl_ms: 0,
      batch_max: 4,
    });
  const answer = ({ params: [n] }: Call) =>
    n === 1 ? { error: { code: -32000, message: "no" } } : { result: n === 2 ? "x" : (n ?? -1) };
  const expected = ["0", "error -32000: no", "another shape", "three is refused", "4", "5"];
  const render = (outcomes: Awaited<ReturnType<typeof ask>>) =>
    outcomes.map((one, index) =>
      one.ok ? String(one.value.value) : String(one.error).includes(expected[index] ?? "") && expected[index],
    );

  test("is answered in the order of the calls, each for itself, whatever order the node sends", async () => {
    const node = createNode(answer);
    expect(render(await ask(node, 6))).toEqual(expected);
    expect(node.bodies.map((body) => isBatch(body) && body.length)).toEqual([4, 2]);
  });

  test("a node that takes none is asked one by one", async () => {
    const node = createNode(answer, true);
    expect(await ask(node, 2)).toMatchObject([{ ok: true, value: { value: 0 } }, { ok: false }]);
    expect(node.bodies.length).toBe(3);
  });
});

describe("logs", () => {
  const hash = (n: number) => `0x${n.toString(16).padStart(64, "0")}`;
  const logAt = (block: number, index = 0) => ({
    address: "0x000000000000000000000000000000000000aAaA",
    topics: [hash(1)],
    data: "0x",
    blockNumber: `0x${block.toString(16)}`,
    blockHash: hash(block),
    transactionHash: hash(block),
    logIndex: `0x${index.toString(16)}`,
  });
  const ADDRESS = "0x000000000000000000000000000000000000aaaa";
  const request = { chain: "base", address: ADDRESS, topics: [hash(1)], from_block: 100, to_block: 1_099, span: 1_000 };

  /** A node with a log in every tenth block that refuses ranges over `blocks_max`. */
  function createChain(options: { blocks_max: number; head?: number; refusal?: { code: number; message: string } }) {
    const ranges: number[] = [];
    const { refusal = { code: -32602, message: "block range is too wide" }, head = 5_000 } = options;
    const node = createNode(({ method, params: [filter] }) => {
      if (method === "eth_blockNumber") return { result: `0x${head.toString(16)}` };
      const { fromBlock, toBlock } = filter as unknown as { fromBlock: string; toBlock: string };
      const [from, to] = [Number(fromBlock), Number(toBlock)];
      ranges.push(to - from + 1);
      if (to - from + 1 > options.blocks_max) return { error: refusal };
      const blocks = Array.from({ length: to - from + 1 }, (_, n) => from + n).filter((block) => block % 10 === 0);
      return { result: blocks.map((block) => logAt(block)) };
    });
    return { ...node, ranges };
  }

  test("a range that is too wide is halved, and the width that went through is kept", async () => {
    const { context, ranges } = createChain({ blocks_max: 300 });
    const logs = await fetchLogs(context, request);
    expect(logs.map(({ block_number }) => block_number)).toEqual(Array.from({ length: 100 }, (_, n) => 100 + n * 10));
    expect(logs[0]?.address).toBe(ADDRESS);
    expect(ranges).toEqual([1_000, 500, 250, 250, 250, 250]);
  });

  test("a cap on results is halved as well; a single block that is too much is an error", async () => {
    const refusal = { code: -32005, message: "query returned more than 10000 results" };
    const { context, ranges } = createChain({ blocks_max: 0, refusal });
    const error = await fetchLogs(context, { ...request, to_block: 103 }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UpstreamError);
    expect(String(error)).toContain("block 100 alone");
    expect(ranges).toEqual([4, 2, 1]);
  });

  test("any other error is not tried again, and requests are counted", async () => {
    const broken = createChain({ blocks_max: 0, refusal: { code: -32601, message: "method not found" } });
    expect(String(await fetchLogs(broken.context, request).catch(String))).toContain("method not found");
    expect(broken.ranges.length).toBe(1);
    const slow = createChain({ blocks_max: 10 });
    const error = await fetchLogs(slow.context, { ...request, calls_max: 20 }).catch(String);
    expect(error).toContain("take more than 20 requests");
  });

  test("a node that has not seen the whole range is refused: it would leave logs out without a word", async () => {
    const { context } = createChain({ blocks_max: 10_000, head: 1_000 });
    expect(await fetchLogs(context, request).catch(String)).toContain("at block 1000, before 1099");
  });

  test("logs from outside the range, taken back, or of another shape are refused", async () => {
    for (const bad of [logAt(99), { ...logAt(100), removed: true }, { ...logAt(100), topics: ["0x1"] }]) {
      const { context } = createNode(({ method }) => ({ result: method === "eth_blockNumber" ? "0xffff" : [bad] }));
      expect(await fetchLogs(context, request).catch(String)).toContain("eth_getLogs");
    }
  });
});
