import { type Static, type TSchema, Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { isUnusable, type Unusable, unusable } from "../../../catalog/unusable.ts";
import { matches } from "../../read-answer.ts";
import { CLOCK_SKEW_MAX_MS } from "../clock-skew.ts";
import { RPC_STATUSES, renderRpcError } from "../json-rpc.ts";
import { createBatch, RpcBatchAnswer, sortBatch } from "../json-rpc-batch.ts";
import { evmRpc } from "./provider.ts";

/** An account as it stands at the newest block. */
export interface EvmAccount {
  readonly chain: string;
  readonly balance_wei: bigint;
  /** How many transactions it has sent; of a contract, how many contracts it made. */
  readonly nonce: number;
  readonly type: "eoa" | "contract" | "eip7702";
  /** Where an EIP-7702 account sends what it is called with, lower case; null for all others. */
  readonly delegate: string | null;
  readonly block_number: number;
  readonly block_at_ms: number;
}

const Quantity = Type.String({ pattern: "^0x(0|[1-9a-fA-F][0-9a-fA-F]{0,63})$" });
const Code = Type.String({ pattern: "^0x([0-9a-fA-F]{2})*$", maxLength: 200_000 });
const Block = Type.Object({ number: Quantity, timestamp: Quantity });

/** EIP-7702: the code of a delegating account is these three bytes and an address. */
const DELEGATION = /^0xef0100([0-9a-f]{40})$/;
const BLOCK_AGE_MAX_MS = 600_000;
const TTL_MS = 15_000;

type Answers = Static<typeof RpcBatchAnswer>;

function readResult<S extends TSchema>(answer: Answers[number] | undefined, method: string, schema: S) {
  if (answer?.error) return { fault: renderRpcError(method, answer.error) };
  const result = answer?.result;
  return matches(schema, result) ? { value: result } : { fault: `${method}: the result has another shape` };
}

function readAccount(chain: string, answers: Answers, now_ms: number): EvmAccount | Unusable {
  const balance = readResult(answers[0], "eth_getBalance", Quantity);
  const code = readResult(answers[1], "eth_getCode", Code);
  const nonce = readResult(answers[2], "eth_getTransactionCount", Quantity);
  const block = readResult(answers[3], "eth_getBlockByNumber", Block);
  const fault = balance.fault ?? code.fault ?? nonce.fault ?? block.fault;
  if (fault !== undefined || !balance.value || !code.value || !nonce.value || !block.value) {
    return unusable(fault ?? "no result");
  }
  const block_at_ms = Number(block.value.timestamp) * 1000;
  if (block_at_ms > now_ms + CLOCK_SKEW_MAX_MS) return unusable("the newest block lies in the future");
  if (now_ms - block_at_ms > BLOCK_AGE_MAX_MS) return unusable("the newest block is older than 10 minutes");
  const bytes = code.value.toLowerCase();
  const [, delegate] = DELEGATION.exec(bytes) ?? [];
  return {
    chain,
    balance_wei: BigInt(balance.value),
    nonce: Number(nonce.value),
    type: delegate !== undefined ? "eip7702" : bytes === "0x" ? "eoa" : "contract",
    delegate: delegate === undefined ? null : `0x${delegate}`,
    block_number: Number(block.value.number),
    block_at_ms,
  };
}

/**
 * Balance, code, nonce and the newest block of one node, in one request: a node that lags behind is refused.
 * @throws UpstreamError
 */
export function fetchEvmAccount(
  context: Pick<FetchContext, "get" | "now_ms">,
  { chain, address, timeout_ms = 4_000 }: { chain: string; address: string; timeout_ms?: number },
): Promise<EvmAccount> {
  const calls = [
    { method: "eth_getBalance", params: [address, "latest"] },
    { method: "eth_getCode", params: [address, "latest"] },
    { method: "eth_getTransactionCount", params: [address, "latest"] },
    { method: "eth_getBlockByNumber", params: ["latest", false] },
  ];
  return context.get(evmRpc, {
    path: "",
    chain,
    body: createBatch(calls),
    cost: calls.length,
    schema: RpcBatchAnswer,
    statuses: RPC_STATUSES,
    ttl_ms: TTL_MS,
    timeout_ms,
    read(answers) {
      const sorted = sortBatch(answers, calls.length);
      return isUnusable(sorted) ? sorted : readAccount(chain, sorted, context.now_ms);
    },
  });
}
