import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { Whole } from "../../../catalog/rows.ts";
import { UpstreamError } from "../../../core/errors.ts";
import { fetchRPCBatch } from "../json-rpc-batch.ts";
import { evmRpc } from "./provider.ts";

const Quantity = Type.String({ pattern: "^0x[0-9a-f]{1,12}$" });
const Hash = Type.String({ pattern: "^0x[0-9a-f]{64}$" });
const Address = Type.String({ pattern: "^0x[0-9a-fA-F]{40}$" });

/** A block with its transactions as nodes print it (execution-apis, eth_getBlockByNumber), as far as it is read. */
const Block = Type.Object({
  number: Quantity,
  hash: Hash,
  parentHash: Hash,
  timestamp: Quantity,
  transactions: Whole(
    "sum",
    Type.Object({
      hash: Hash,
      from: Address,
      to: Type.Optional(Type.Union([Address, Type.Null()])),
      value: Type.String({ pattern: "^0x[0-9a-f]{1,64}$" }),
    }),
    { maxItems: 20_000 },
  ),
});
const Receipt = Type.Object({
  transactionHash: Hash,
  blockHash: Hash,
  status: Type.Union([Type.Literal("0x0"), Type.Literal("0x1")]),
});

/** What a transaction itself moves of the chain's coin; what contracts pay out inside of it stands nowhere here. */
export interface NativePayment {
  readonly tx: string;
  /** Lower case. */
  readonly from: string;
  /** Lower case; empty where a contract was made. */
  readonly to: string;
  /** In wei. */
  readonly value: bigint;
}

export interface FullBlock {
  readonly number: number;
  readonly hash: string;
  readonly parent_hash: string;
  readonly at_ms: number;
  /** Transactions of at least the value that was asked for. */
  readonly payments: readonly NativePayment[];
}

interface BlockQuery {
  readonly chain: string;
  readonly blocks: readonly number[];
  /** Least value of a payment that is wanted, wei. */
  readonly least: bigint;
  /** Blocks in one request: a whole one takes half a megabyte and more. */
  readonly batch_max: number;
}

const refuse = (why: string) => new UpstreamError("upstream_bad_response", evmRpc.id, `${evmRpc.id}: ${why}`);
const BODY_MAX = 24_000_000;
const RECEIPTS_AT_ONCE = 50;

/** Blocks with their larger payments, in the order asked for. @throws UpstreamError when one is not to be had. */
export async function fetchFullBlocks(
  context: Pick<FetchContext, "get">,
  { chain, blocks, least, batch_max }: BlockQuery,
): Promise<readonly FullBlock[]> {
  const asked = await fetchRPCBatch(context, evmRpc, {
    chain,
    method: "eth_getBlockByNumber",
    result: Block,
    batch_max,
    ttl_ms: 0,
    timeout_ms: 15_000,
    body_bytes_max: BODY_MAX,
    calls: blocks.map((block) => [`0x${block.toString(16)}`, true]),
    read: ({ number, hash, parentHash, timestamp, transactions }): FullBlock => ({
      number: Number(number),
      hash,
      parent_hash: parentHash,
      at_ms: Number(timestamp) * 1000,
      payments: transactions.flatMap(({ hash: tx, from, to, value }) => {
        const wei = BigInt(value);
        return wei < least ? [] : [{ tx, from: from.toLowerCase(), to: to?.toLowerCase() ?? "", value: wei }];
      }),
    }),
  });
  return asked.map((one, index) => {
    if (!one.ok) throw one.error;
    if (one.value.number !== blocks[index]) throw refuse(`block ${one.value.number} instead of ${blocks[index]}`);
    return one.value;
  });
}

/**
 * Transactions that went through, with the block they stand in: a failed one stands in its block with its value, which
 * moved nowhere. @throws UpstreamError when one of them is not told.
 */
export async function fetchSucceeded(
  context: Pick<FetchContext, "get">,
  { chain, hashes }: { readonly chain: string; readonly hashes: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  const asked = await fetchRPCBatch(context, evmRpc, {
    chain,
    method: "eth_getTransactionReceipt",
    result: Receipt,
    batch_max: RECEIPTS_AT_ONCE,
    ttl_ms: 0,
    calls: hashes.map((hash) => [hash]),
    read: (receipt) => receipt,
  });
  const blocks = new Map<string, string>();
  for (const [index, one] of asked.entries()) {
    if (!one.ok) throw one.error;
    const { transactionHash, blockHash, status } = one.value;
    if (transactionHash !== hashes[index]) throw refuse("a receipt of another transaction");
    if (status === "0x1") blocks.set(transactionHash, blockHash);
  }
  return blocks;
}
