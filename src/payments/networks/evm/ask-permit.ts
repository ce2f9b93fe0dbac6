import { Type } from "@sinclair/typebox";
import { createReader } from "../../codec.ts";
import { type ChainVerdict, type NetworkFamily, OTHER_AMOUNT } from "../../types.ts";
import { PERMIT2 } from "../../upto/contract.ts";
import { createJSONRPC, type JSONRPC } from "../json-rpc.ts";
import type { Network } from "../table.ts";
import {
  FINAL_MARGIN_S,
  type Head,
  hexOf,
  need,
  readBlock,
  readLogs,
  readReceipt,
  readWord,
  spanOf,
  TRANSFER,
  topic,
  word,
} from "./ask-chain.ts";
import { readPermit2 } from "./read-permit2.ts";

/** First four bytes of keccak256("nonceBitmap(address,uint256)"), and the event of a nonce its owner took back. */
const NONCE_BITMAP = "0x4fe02b44";
const NONCES_INVALIDATED = "0x3704902f963766a4e561bbaab6e6cdc1b1dd12f6e9e99648da8843b3f46b918d";
/** A payer may send us many transfers in these minutes; those of the amount are read first. */
const TRANSACTIONS_MAX = 20;

const readSent = createReader(
  Type.Object({
    found: Type.Union([Type.Null(), Type.Object({ input: Type.String({ pattern: "^0x[0-9a-fA-F]*$" }) })]),
  }),
);

interface PermitSearch {
  readonly rpc: JSONRPC;
  readonly network: Network;
  readonly from: string;
  readonly nonce: bigint;
  readonly amount: bigint;
  readonly pay_to: string;
}

/**
 * What a transaction did with a permit: "paid" moved the amount to us, "other_amount" moved something else to us, "no"
 * was not about this permit. Null when it cannot be determined.
 */
type Deed = "paid" | "other_amount" | "no" | null;

type TokenLog = NonNullable<ReturnType<typeof readLogs>>[number];

const wordOf = (value: bigint): string => word(value.toString(16));

/** Permit2 emits nothing about a nonce it takes: the nonce of a transaction is in its call data. */
async function readDeed(search: PermitSearch, transaction: string): Promise<Deed> {
  const { rpc, network, from, nonce, amount, pay_to } = search;
  const [receipt, sent] = await Promise.all([
    rpc("eth_getTransactionReceipt", [transaction]),
    rpc("eth_getTransactionByHash", [transaction]),
  ]);
  const { found } = need(readReceipt({ found: receipt ?? null }), "eth_getTransactionReceipt");
  const call = need(readSent({ found: sent ?? null }), "eth_getTransactionByHash").found;
  if (!found || !call) return null;
  const input = call.input.toLowerCase();
  if (!input.includes(wordOf(nonce)) || !input.includes(word(from))) return "no";
  if (BigInt(found.status) !== 1n) return "no";
  const moved = found.logs.filter((log) => isTransferToUs(log, { network, from, pay_to }));
  if (moved.length === 0) return "no";
  return moved.some(({ data }) => word(data) === wordOf(amount)) ? "paid" : "other_amount";
}

const isTransferToUs = (
  { address, topics }: TokenLog,
  { network, from, pay_to }: Pick<PermitSearch, "network" | "from" | "pay_to">,
): boolean =>
  address.toLowerCase() === network.asset.toLowerCase() &&
  [TRANSFER, topic(from), topic(pay_to)].every((wanted, index) => topics[index]?.toLowerCase() === wanted);

type Span = ReturnType<typeof spanOf>;

/** Transactions that moved the token from the payer to us, those of the very amount first. */
async function listTransfers(search: PermitSearch, span: Span): Promise<readonly string[]> {
  const { rpc, network, from, pay_to, amount } = search;
  const filter = { address: network.asset, ...span, topics: [TRANSFER, topic(from), topic(pay_to)] };
  const logs = need(readLogs(await rpc("eth_getLogs", [filter])), "eth_getLogs").filter((log) =>
    isTransferToUs(log, search),
  );
  const of_amount = logs.filter(({ data }) => word(data) === wordOf(amount));
  const names = [...of_amount, ...logs].map(({ transactionHash }) => transactionHash.toLowerCase());
  return [...new Set(names)];
}

/** Whether its owner took the nonce back. One that was used before may be taken back too: transfers are read first. */
async function isTakenBack({ rpc, from, nonce }: PermitSearch, span: Span): Promise<boolean> {
  const filter = { address: PERMIT2, ...span, topics: [NONCES_INVALIDATED, topic(from)] };
  const logs = need(readLogs(await rpc("eth_getLogs", [filter])), "eth_getLogs");
  const place = wordOf(nonce >> 8n);
  return logs.some(({ address, topics, data }) => {
    const is_own = address.toLowerCase() === PERMIT2.toLowerCase() && topics[1]?.toLowerCase() === topic(from);
    if (!is_own || topics[0]?.toLowerCase() !== NONCES_INVALIDATED || data.length !== 2 + 128) return false;
    const mask = BigInt(`0x${data.slice(66)}`);
    return data.slice(2, 66).toLowerCase() === place && ((mask >> (nonce & 0xffn)) & 1n) === 1n;
  });
}

/** What used a permit whose nonce is taken. */
async function findUse(search: PermitSearch, span: Span): Promise<ChainVerdict> {
  const names = await listTransfers(search, span);
  let is_whole = names.length <= TRANSACTIONS_MAX;
  let took_other = false;
  for (const name of names.slice(0, TRANSACTIONS_MAX)) {
    const deed = await readDeed(search, name);
    if (deed === "paid") return { paid: true, transaction: name };
    took_other ||= deed === "other_amount";
    is_whole &&= deed !== null;
  }
  // Never a sale at another price than the one that was written down: somebody has to look at it.
  if (took_other) return { paid: false, final: false, reason: OTHER_AMOUNT };
  if (is_whole && (await isTakenBack(search, span))) return { paid: false, final: true, reason: "canceled_by_payer" };
  return { paid: false, final: false, reason: "used_but_not_found" };
}

/**
 * Reads from the chain whether a Permit2 signature was used to pay us. Paid means: the payer's nonce is taken, and a
 * chain transaction that succeeded named it and holds a Transfer of the amount to our address. A transaction that was
 * named is read first.
 */
export const askPermitChain: NetworkFamily["askChain"] = async (question): Promise<ChainVerdict> => {
  const { network, payload, amount, pay_to, since_ms, hint_transaction: hint, rpc_urls } = question;
  const { from, nonce: digits, deadline } = need(readPermit2(payload), "the stored payload").permit2Authorization;
  const nonce = BigInt(digits);
  const search: PermitSearch = { rpc: createJSONRPC(rpc_urls), network, from, nonce, amount, pay_to };
  const { rpc } = search;
  if (hint !== undefined && network.transaction_pattern.test(hint) && (await readDeed(search, hint)) === "paid") {
    return { paid: true, transaction: hint.toLowerCase() };
  }
  const latest = need(readBlock(await rpc("eth_getBlockByNumber", ["latest", false])), "eth_getBlockByNumber");
  const head: Head = { height: Number(latest.number), time_s: Number(latest.timestamp) };
  const data = `${NONCE_BITMAP}${word(from)}${wordOf(nonce >> 8n)}`;
  // As of that very block: behind one address may stand servers of which some lag.
  const bits = need(readWord(await rpc("eth_call", [{ to: PERMIT2, data }, hexOf(head.height)])), "eth_call");
  const valid_before_s = Number(deadline);
  if (((BigInt(bits) >> (nonce & 0xffn)) & 1n) === 0n) {
    const final = head.time_s > valid_before_s + FINAL_MARGIN_S;
    return { paid: false, final, reason: final ? "expired_unused" : "not_used_yet" };
  }
  return findUse(search, spanOf(head, { since_ms, valid_before_s }));
};
