import { type Static, Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { Whole } from "../../../catalog/rows.ts";
import { isUnusable, type Unusable, unusable } from "../../../catalog/unusable.ts";
import { UpstreamError } from "../../../core/errors.ts";
import { matches } from "../../read-answer.ts";
import { type ChainRpcError, RPC_STATUSES, renderRpcError } from "../json-rpc.ts";
import { createBatch, RpcBatchAnswer, sortBatch } from "../json-rpc-batch.ts";
import { evmRpc } from "./provider.ts";

const Quantity = Type.String({ pattern: "^0x(0|[1-9a-f][0-9a-f]{0,12})$" });
const Hash = Type.String({ pattern: "^0x[0-9a-f]{64}$" });

/** One log as nodes print it (execution-apis, eth_getLogs). */
const Log = Type.Object({
  address: Type.String({ pattern: "^0x[0-9a-fA-F]{40}$" }),
  topics: Whole("parts", Hash, { maxItems: 4 }),
  data: Type.String({ pattern: "^0x([0-9a-f]{2})*$", maxLength: 200_000 }),
  blockNumber: Quantity,
  blockHash: Hash,
  transactionHash: Hash,
  logIndex: Quantity,
  removed: Type.Optional(Type.Boolean()),
});
const Logs = Whole("sum", Log, { maxItems: 100_000 });

export interface EvmLog {
  /** Lower case. */
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly block_number: number;
  readonly block_hash: string;
  readonly transaction_hash: string;
  readonly log_index: number;
}

export interface LogsRequest {
  readonly chain: string;
  readonly address: string | readonly string[];
  /** By position: one topic, any of several, or null for whatever stands there. */
  readonly topics: readonly (string | readonly string[] | null)[];
  /** Both included. */
  readonly from_block: number;
  readonly to_block: number;
  /** Blocks asked for at once at first; nodes refuse what is too much for them, and then it is halved. */
  readonly span?: number;
  /** Requests in all; more is refused. */
  readonly calls_max?: number;
  readonly timeout_ms?: number;
}

const SPAN = 10_000;
const CALLS_MAX = 64;
/** Nodes share no code for it: -32005 is EIP-1474's "limit exceeded", others say -32602, -32000 or -32701. */
const TOO_MUCH = /range|limit|exceed|too (many|large|big|wide)|more than \d|result|response size|timed? ?out/i;

interface Range {
  readonly from: number;
  readonly to: number;
}

/** A node refused a range for its size; whatever it says, a smaller one may do. */
const isTooMuch = ({ code, message }: ChainRpcError): boolean => code === -32005 || TOO_MUCH.test(message);

/** Whether a failed call may have failed for the size of its answer. */
const mayBeTooMuch = (error: unknown): boolean =>
  error instanceof UpstreamError && (error.kind === "upstream_timeout" || /body over|status 413/.test(error.message));

const toHex = (value: number): string => `0x${value.toString(16)}`;
const toLog = (log: Static<typeof Log>): EvmLog => ({
  address: log.address.toLowerCase(),
  topics: log.topics,
  data: log.data,
  block_number: Number(log.blockNumber),
  block_hash: log.blockHash,
  transaction_hash: log.transactionHash,
  log_index: Number(log.logIndex),
});

function readLogs(result: unknown, { from, to }: Range): readonly EvmLog[] | Unusable {
  if (!matches(Logs, result)) return unusable("eth_getLogs: the result has another shape");
  if (result.some(({ removed }) => removed === true)) return unusable("eth_getLogs: a log was taken back");
  const logs = result.map(toLog);
  const is_inside = logs.every(({ block_number }) => block_number >= from && block_number <= to);
  return is_inside ? logs : unusable("eth_getLogs: a log lies outside the blocks that were asked for");
}

/**
 * Asks one node for its newest block and the logs of a range, in one batch: one that has not seen the whole range would
 * leave logs out without a word. "too_much" when the node refuses the range for its size.
 */
function fetchRange(context: Pick<FetchContext, "get">, request: LogsRequest, range: Range) {
  const { chain, address, topics, timeout_ms } = request;
  const filter = { address, topics, fromBlock: toHex(range.from), toBlock: toHex(range.to) };
  return context.get(evmRpc, {
    path: "",
    chain,
    body: createBatch([
      { method: "eth_blockNumber", params: [] },
      { method: "eth_getLogs", params: [filter] },
    ]),
    cost: 2,
    schema: RpcBatchAnswer,
    statuses: RPC_STATUSES,
    ttl_ms: 0,
    ...(timeout_ms === undefined ? {} : { timeout_ms }),
    read(answers) {
      const sorted = sortBatch(answers, 2);
      const [head, logs] = isUnusable(sorted) ? [] : sorted;
      if (typeof head !== "object" || typeof logs !== "object") return unusable("the batch was not answered whole");
      if (logs.error && isTooMuch(logs.error)) return { too_much: true as const };
      if (logs.error) return unusable(renderRpcError("eth_getLogs", logs.error));
      if (!matches(Quantity, head.result)) return unusable("eth_blockNumber: the result has another shape");
      if (Number(head.result) < range.to)
        return unusable(`the node is at block ${Number(head.result)}, before ${range.to}`);
      const read = readLogs(logs.result, range);
      return isUnusable(read) ? read : { too_much: false as const, logs: read };
    },
  });
}

/**
 * Logs of a range of blocks, in order, each once. A range a node refuses for its size, or cannot answer in time, is
 * halved until it does; the size that went through is kept for the rest.
 * @throws UpstreamError when a single block is too much, or the whole takes more than `calls_max` requests.
 */
export async function fetchLogs(context: Pick<FetchContext, "get">, request: LogsRequest): Promise<readonly EvmLog[]> {
  const { from_block, to_block, calls_max = CALLS_MAX } = request;
  if (!(from_block >= 0 && to_block >= from_block)) throw new RangeError(`blocks ${from_block} to ${to_block}`);
  const logs: EvmLog[] = [];
  let span = request.span ?? SPAN;
  let calls = 0;
  for (let from = from_block; from <= to_block; ) {
    const range = { from, to: Math.min(to_block, from + span - 1) };
    calls += 1;
    if (calls > calls_max) {
      const why = `${evmRpc.id}: the logs of ${from_block} to ${to_block} take more than ${calls_max} requests`;
      throw new UpstreamError("upstream_unavailable", evmRpc.id, why);
    }
    const size = range.to - range.from + 1;
    const answer = await fetchRange(context, request, range).catch((error: unknown) => {
      if (size > 1 && mayBeTooMuch(error)) return { too_much: true as const };
      throw error;
    });
    if (!answer.too_much) {
      logs.push(...answer.logs);
      from = range.to + 1;
    } else if (size === 1) {
      const why = `${evmRpc.id}: the logs of block ${from} alone are too much for the node`;
      throw new UpstreamError("upstream_bad_response", evmRpc.id, why);
    } else {
      span = Math.floor(size / 2);
    }
  }
  const unique = new Map(logs.map((log) => [`${log.block_number} ${log.log_index}`, log]));
  return [...unique.values()].sort((a, b) => a.block_number - b.block_number || a.log_index - b.log_index);
}
