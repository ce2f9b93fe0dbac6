import { Type } from "@sinclair/typebox";
import { createReader } from "../../codec.ts";
import type { ChainVerdict, NetworkFamily } from "../../types.ts";
import { readEip3009 } from "./read.ts";

/** First four bytes of keccak256("authorizationState(address,bytes32)"), and event topics of FiatTokenV2. */
const AUTHORIZATION_STATE = "0xe94a0102";
const AUTHORIZATION_USED = "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5";
const AUTHORIZATION_CANCELED = "0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81";
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/** Base makes a block every 2 s. Logs are searched from some minutes before the attempt. */
const BLOCK_S = 2;
const SEARCH_MARGIN_BLOCKS = 300;
/** "Not paid" is final only when the chain is this far past validBefore (public endpoints may lag). */
const FINAL_MARGIN_S = 30;
const RPC_TIMEOUT_MS = 5_000;

const Log = Type.Object({
  address: Type.String(),
  topics: Type.Array(Type.String()),
  data: Type.String(),
  transactionHash: Type.String({ pattern: "^0x[0-9a-fA-F]{64}$" }),
});
const readHex = createReader(Type.String({ pattern: "^0x[0-9a-fA-F]*$" }));
const readLogs = createReader(Type.Array(Log, { maxItems: 1_000 }));
const readReceipt = createReader(Type.Object({ status: Type.String(), logs: Type.Array(Log, { maxItems: 2_000 }) }));
const readBlock = createReader(Type.Object({ number: Type.String(), timestamp: Type.String() }));
const readReply = createReader(Type.Object({ result: Type.Unknown() }));

const word = (hex: string): string => hex.replace(/^0x/, "").toLowerCase().padStart(64, "0");
const topic = (hex: string): string => `0x${word(hex)}`;

/** One JSON-RPC call, the endpoints in order. Throws when none gives a result. */
async function callRPC(urls: readonly string[], method: string, params: unknown[]): Promise<unknown> {
  let last: unknown = new Error("no RPC endpoint is configured");
  for (const url of urls) {
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
        signal: AbortSignal.timeout(RPC_TIMEOUT_MS),
        redirect: "manual",
      });
      const reply = readReply(await response.json());
      if (reply) return reply.result;
      last = new Error(`${method}: the endpoint answered ${response.status} without a result`);
    } catch (error) {
      last = error;
    }
  }
  throw last;
}

const need = <T>(value: T | null, what: string): T => {
  if (value === null) throw new Error(`unexpected answer to ${what}`);
  return value;
};

/**
 * Reads from the chain whether an EIP-3009 authorization was used to pay us. Paid means: the authorization is used and
 * the chain transaction that used it holds a Transfer of the amount to our address and succeeded.
 */
export const askEvmChain: NetworkFamily["askChain"] = async (question): Promise<ChainVerdict> => {
  const { network, payload, amount, pay_to, since_ms, rpc_urls } = question;
  const signed = need(readEip3009(payload), "the stored payload");
  const { from, nonce, validBefore } = signed.authorization;
  const rpc = (method: string, params: unknown[]) => callRPC(rpc_urls, method, params);

  const latest = need(readBlock(await rpc("eth_getBlockByNumber", ["latest", false])), "eth_getBlockByNumber");
  const data = `${AUTHORIZATION_STATE}${word(from)}${word(nonce)}`;
  const state = need(readHex(await rpc("eth_call", [{ to: network.asset, data }, "latest"])), "eth_call");
  const used = state !== "0x" && BigInt(state) === 1n;
  const chain_time_s = Number(latest.timestamp);
  if (!used) {
    const final = chain_time_s > Number(validBefore) + FINAL_MARGIN_S;
    return { paid: false, final, reason: final ? "expired_unused" : "not_used_yet" };
  }

  const age_blocks = Math.max(0, Math.ceil((chain_time_s - since_ms / 1000) / BLOCK_S));
  const from_block = Math.max(0, Number(latest.number) - age_blocks - SEARCH_MARGIN_BLOCKS);
  const filter = {
    address: network.asset,
    fromBlock: `0x${from_block.toString(16)}`,
    toBlock: latest.number,
    topics: [[AUTHORIZATION_USED, AUTHORIZATION_CANCELED], topic(from), topic(nonce)],
  };
  const logs = need(readLogs(await rpc("eth_getLogs", [filter])), "eth_getLogs");
  const log = logs[0];
  if (!log) return { paid: false, final: false, reason: "used_but_not_found" };
  if (log.topics[0] === AUTHORIZATION_CANCELED) return { paid: false, final: true, reason: "canceled_by_payer" };

  const raw = await rpc("eth_getTransactionReceipt", [log.transactionHash]);
  const receipt = need(readReceipt(raw), "eth_getTransactionReceipt");
  const transferred = receipt.logs.some(
    (entry) =>
      entry.address.toLowerCase() === network.asset.toLowerCase() &&
      entry.topics[0] === TRANSFER &&
      entry.topics[1]?.toLowerCase() === topic(from) &&
      entry.topics[2]?.toLowerCase() === topic(pay_to) &&
      BigInt(entry.data) === amount,
  );
  if (BigInt(receipt.status) === 1n && transferred) return { paid: true, transaction: log.transactionHash };
  return { paid: false, final: true, reason: "used_without_paying_us" };
};
