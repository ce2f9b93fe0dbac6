import { type Static, Type } from "@sinclair/typebox";
import { createReader } from "../../codec.ts";
import type { ChainVerdict, NetworkFamily } from "../../types.ts";
import { createJSONRPC, type JSONRPC } from "../json-rpc.ts";
import type { Network } from "../table.ts";
import { readEip3009 } from "./read.ts";

/** First four bytes of keccak256("authorizationState(address,bytes32)"), and event topics of FiatTokenV2. */
const AUTHORIZATION_STATE = "0xe94a0102";
const AUTHORIZATION_USED = "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5";
const AUTHORIZATION_CANCELED = "0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81";
export const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/** Base makes a block every 2 s. Logs are searched from some minutes before the attempt. */
export const BLOCK_S = 2;
const SEARCH_MARGIN_BLOCKS = 300;
/** Endpoints refuse to search more blocks at once; nothing is left out of a shorter search. */
export const SEARCH_BLOCKS_GOOD = 2_000;
/** "Not paid" is final only when the chain is this far past validBefore (public endpoints may lag). */
export const FINAL_MARGIN_S = 30;

const Quantity = Type.String({ pattern: "^0x[0-9a-fA-F]{1,13}$" });
const Log = Type.Object({
  address: Type.String(),
  topics: Type.Array(Type.String({ maxLength: 66 }), { maxItems: 4 }),
  data: Type.String(),
  transactionHash: Type.String({ pattern: "^0x[0-9a-fA-F]{64}$" }),
});
type Log = Static<typeof Log>;
export const readWord = createReader(Type.String({ pattern: "^0x[0-9a-fA-F]{64}$" }));
export const readLogs = createReader(Type.Array(Log, { maxItems: 1_000 }));
const Receipt = Type.Object({ status: Quantity, logs: Type.Array(Log, { maxItems: 2_000 }) });
export const readReceipt = createReader(Type.Object({ found: Type.Union([Type.Null(), Receipt]) }));
export const readBlock = createReader(Type.Object({ number: Quantity, timestamp: Quantity }));

export const word = (hex: string): string => hex.replace(/^0x/, "").toLowerCase().padStart(64, "0");
export const topic = (hex: string): string => `0x${word(hex)}`;
export const hexOf = (value: number): string => `0x${value.toString(16)}`;

export const need = <T>(value: T | null, what: string): T => {
  if (value === null) throw new Error(`unexpected answer to ${what}`);
  return value;
};

interface Search {
  readonly rpc: JSONRPC;
  readonly network: Network;
  readonly from: string;
  readonly nonce: string;
  readonly amount: bigint;
  readonly pay_to: string;
}

/** Whether a chain transaction used this very authorization to pay us. Null when it is not there. */
async function paidBy(search: Search, transaction: string): Promise<boolean | null> {
  const { rpc, network, from, nonce, amount, pay_to } = search;
  const raw = await rpc("eth_getTransactionReceipt", [transaction]);
  const { found } = need(readReceipt({ found: raw ?? null }), "eth_getTransactionReceipt");
  if (!found) return null;
  const has = (wanted: readonly string[], data?: bigint) =>
    found.logs.some(
      ({ address, topics, data: given }: Log) =>
        address.toLowerCase() === network.asset.toLowerCase() &&
        wanted.every((one, index) => topics[index]?.toLowerCase() === one) &&
        (data === undefined || word(given) === word(data.toString(16))),
    );
  return (
    BigInt(found.status) === 1n &&
    has([AUTHORIZATION_USED, topic(from), topic(nonce)]) &&
    has([TRANSFER, topic(from), topic(pay_to)], amount)
  );
}

/** The newest block an endpoint knows. */
export interface Head {
  readonly height: number;
  readonly time_s: number;
}

/** When a payment was taken in, and when what was signed ends. */
export interface SignedTimes {
  readonly since_ms: number;
  readonly valid_before_s: number;
}

/** The blocks in which a payment can have landed, as a filter of logs says them. */
export function spanOf(head: Head, times: SignedTimes): { readonly fromBlock: string; readonly toBlock: string } {
  const blocksSince = (time_s: number) => Math.ceil((head.time_s - time_s) / BLOCK_S);
  const age = Math.max(0, blocksSince(times.since_ms / 1000));
  const first = Math.max(0, head.height - age - SEARCH_MARGIN_BLOCKS);
  const end = head.height - Math.max(0, blocksSince(times.valid_before_s) - SEARCH_MARGIN_BLOCKS);
  const last = head.height - first <= SEARCH_BLOCKS_GOOD ? head.height : Math.max(first, end);
  return { fromBlock: hexOf(first), toBlock: hexOf(last) };
}

/** The event that ended the authorization, among the blocks it can be in. */
async function findEnd(search: Search, head: Head, times: SignedTimes): Promise<Log[]> {
  const { rpc, network, from, nonce } = search;
  const filter = {
    address: network.asset,
    ...spanOf(head, times),
    topics: [[AUTHORIZATION_USED, AUTHORIZATION_CANCELED], topic(from), topic(nonce)],
  };
  const found = need(readLogs(await rpc("eth_getLogs", [filter])), "eth_getLogs");
  // An endpoint may ignore the filter: only what answers the question counts.
  return found.filter(
    ({ address, topics }) =>
      address.toLowerCase() === network.asset.toLowerCase() &&
      topics[1]?.toLowerCase() === topic(from) &&
      topics[2]?.toLowerCase() === topic(nonce),
  );
}

/**
 * Reads from the chain whether an EIP-3009 authorization was used to pay us. Paid means: a chain transaction that
 * succeeded used it and holds a Transfer of the amount to our address. A transaction that was named is read first.
 */
export const askEvmChain: NetworkFamily["askChain"] = async (question): Promise<ChainVerdict> => {
  const { network, payload, amount, pay_to, since_ms, hint_transaction: hint, rpc_urls } = question;
  const { from, nonce, validBefore } = need(readEip3009(payload), "the stored payload").authorization;
  const rpc = createJSONRPC(rpc_urls);
  const search: Search = { rpc, network, from, nonce, amount, pay_to };
  if (hint !== undefined && network.transaction_pattern.test(hint) && (await paidBy(search, hint))) {
    return { paid: true, transaction: hint.toLowerCase() };
  }

  const latest = need(readBlock(await rpc("eth_getBlockByNumber", ["latest", false])), "eth_getBlockByNumber");
  const head: Head = { height: Number(latest.number), time_s: Number(latest.timestamp) };
  const data = `${AUTHORIZATION_STATE}${word(from)}${word(nonce)}`;
  // As of that very block: behind one address may stand servers of which some lag.
  const state = need(readWord(await rpc("eth_call", [{ to: network.asset, data }, hexOf(head.height)])), "eth_call");
  const used = BigInt(state) === 1n;
  const valid_before_s = Number(validBefore);
  if (!used) {
    const final = head.time_s > valid_before_s + FINAL_MARGIN_S;
    return { paid: false, final, reason: final ? "expired_unused" : "not_used_yet" };
  }

  const [log] = await findEnd(search, head, { since_ms, valid_before_s });
  if (!log) return { paid: false, final: false, reason: "used_but_not_found" };
  if (log.topics[0]?.toLowerCase() === AUTHORIZATION_CANCELED) {
    return { paid: false, final: true, reason: "canceled_by_payer" };
  }
  const paid = await paidBy(search, log.transactionHash);
  if (paid === null) return { paid: false, final: false, reason: "used_but_not_found" };
  if (paid) return { paid: true, transaction: log.transactionHash.toLowerCase() };
  return { paid: false, final: true, reason: "used_without_paying_us" };
};
