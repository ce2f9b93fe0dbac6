import { Type } from "@sinclair/typebox";
import { createReader } from "../../codec.ts";
import type { IncomingQuestion, IncomingTransfer, NetworkFamily } from "../../types.ts";
import { createJSONRPC, type JSONRPC } from "../json-rpc.ts";
import { BLOCK_S, hexOf, need, SEARCH_BLOCKS_GOOD, TRANSFER, topic } from "./ask-chain.ts";

/** Transfers in one answer; an endpoint refuses to list more, or the range is asked for in halves. */
const LOGS_MAX = 10_000;
/** About 45 days of Base. */
const SEARCHES_MAX = 1_000;

const Quantity = Type.String({ pattern: "^0x[0-9a-fA-F]{1,13}$" });
const readHead = createReader(Type.Object({ number: Quantity, timestamp: Quantity }));
const readLogs = createReader(
  Type.Array(
    Type.Object({
      address: Type.String({ maxLength: 66 }),
      topics: Type.Array(Type.String({ maxLength: 66 }), { maxItems: 4 }),
      data: Type.String({ pattern: "^0x[0-9a-fA-F]{64}$" }),
      transactionHash: Type.String({ pattern: "^0x[0-9a-fA-F]{64}$" }),
      blockNumber: Quantity,
      removed: Type.Optional(Type.Boolean()),
    }),
    { maxItems: LOGS_MAX },
  ),
);

interface Span {
  readonly first: number;
  readonly last: number;
}

/** The blocks of a period: they come at an even pace, and a margin of some is cut off by their time. */
function spanOf({ from_ms, until_ms }: IncomingQuestion, head: { height: number; time_s: number }): Span {
  const heightAt = (ms: number): number => head.height - Math.ceil((head.time_s - ms / 1000) / BLOCK_S);
  return { first: Math.max(0, heightAt(from_ms) - 1), last: Math.min(head.height, heightAt(until_ms) + 1) };
}

async function listLogs(rpc: JSONRPC, { network, pay_to }: IncomingQuestion, { first, last }: Span) {
  const filter = {
    address: network.asset,
    fromBlock: hexOf(first),
    toBlock: hexOf(last),
    topics: [TRANSFER, null, topic(pay_to)],
  };
  const found = need(readLogs(await rpc("eth_getLogs", [filter])), "eth_getLogs");
  // An endpoint may ignore the filter: only what answers the question counts.
  return found.filter(
    ({ address, topics, removed }) =>
      removed !== true &&
      address.toLowerCase() === network.asset.toLowerCase() &&
      topics[0]?.toLowerCase() === TRANSFER &&
      topics[2]?.toLowerCase() === topic(pay_to),
  );
}

/**
 * What came in a range of blocks. One that holds more than an endpoint lists, as anybody can fill it with dust, is
 * asked for in halves.
 */
async function listSpan(rpc: JSONRPC, question: IncomingQuestion, span: Span): ReturnType<typeof listLogs> {
  try {
    return await listLogs(rpc, question, span);
  } catch (error) {
    if (span.first === span.last) throw error;
    const middle = Math.floor((span.first + span.last) / 2);
    const earlier = await listSpan(rpc, question, { first: span.first, last: middle });
    return [...earlier, ...(await listSpan(rpc, question, { first: middle + 1, last: span.last }))];
  }
}

/** Transfers of the asset to an address, by the token's own events (ERC-20 `Transfer`), a range of blocks at a time. */
export const listEvmIncoming: NetworkFamily["listIncoming"] = async (question): Promise<IncomingTransfer[]> => {
  const { from_ms, until_ms, rpc_urls } = question;
  const rpc = createJSONRPC(rpc_urls);
  const latest = need(readHead(await rpc("eth_getBlockByNumber", ["latest", false])), "eth_getBlockByNumber");
  const head = { height: Number(latest.number), time_s: Number(latest.timestamp) };
  const { first, last } = spanOf(question, head);
  if ((last - first) / SEARCH_BLOCKS_GOOD > SEARCHES_MAX) throw new Error("the period is too long for this chain");
  const transfers: IncomingTransfer[] = [];
  for (let from = first; from <= last; from += SEARCH_BLOCKS_GOOD) {
    const span = { first: from, last: Math.min(last, from + SEARCH_BLOCKS_GOOD - 1) };
    for (const { topics, data, transactionHash, blockNumber } of await listSpan(rpc, question, span)) {
      const at_ms = (head.time_s - (head.height - Number(blockNumber)) * BLOCK_S) * 1000;
      // A transfer of nothing costs its sender nothing but gas, and is no money.
      if (at_ms < from_ms || at_ms >= until_ms || BigInt(data) === 0n) continue;
      const from = `0x${topics[1]?.slice(-40) ?? ""}`;
      transfers.push({ transaction: transactionHash.toLowerCase(), from, amount: BigInt(data), at_ms });
    }
  }
  return transfers;
};
