import { Type } from "@sinclair/typebox";
import { sha256Hex } from "../../../core/hash.ts";
import { createReader } from "../../../payments/codec.ts";
import type { Network } from "../../../payments/networks/table.ts";
import type { Booked, Usdc } from "./usdc.ts";

const AUTHORIZATION_USED = "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5";
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const BALANCE_OF = "0x70a08231";
const AUTHORIZATION_STATE = "0xe94a0102";
const BLOCK_MS = 2_000;
/** Block 0 of the simulated chain, some years back. */
const GENESIS_MS = Date.UTC(2024, 0, 1);

const readRequest = createReader(
  Type.Object({
    id: Type.Optional(Type.Unknown()),
    method: Type.String(),
    params: Type.Optional(Type.Array(Type.Unknown())),
  }),
);
const readCall = createReader(
  Type.Object({ to: Type.String(), data: Type.Optional(Type.String()), input: Type.Optional(Type.String()) }),
);
const readFilter = createReader(
  Type.Object({
    address: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
    fromBlock: Type.Optional(Type.String()),
    toBlock: Type.Optional(Type.String()),
    topics: Type.Optional(Type.Array(Type.Union([Type.Null(), Type.String(), Type.Array(Type.String())]))),
  }),
);

const hex = (value: number | bigint): string => `0x${value.toString(16)}`;
const word = (value: string | bigint): string =>
  (typeof value === "bigint" ? value.toString(16) : value.replace(/^0x/, "").toLowerCase()).padStart(64, "0");
const heightAt = (ms: number): number => Math.max(0, Math.floor((ms - GENESIS_MS) / BLOCK_MS));
const blockHash = (height: number): string => `0x${sha256Hex(`block ${height}`)}`;

/** The two events FiatTokenV2 emits for one transferWithAuthorization. */
function logsOf(row: Booked, asset: string) {
  const height = heightAt(row.at_ms);
  const common = {
    address: asset.toLowerCase(),
    transactionHash: row.transaction,
    blockNumber: hex(height),
    blockHash: blockHash(height),
    transactionIndex: "0x0",
    removed: false,
  };
  const [payer, pay_to] = [`0x${word(row.payer)}`, `0x${word(row.pay_to)}`];
  return [
    { ...common, topics: [AUTHORIZATION_USED, payer, row.nonce], data: "0x", logIndex: "0x0" },
    { ...common, topics: [TRANSFER, payer, pay_to], data: `0x${word(BigInt(row.amount_atomic))}`, logIndex: "0x1" },
  ];
}

class RPCError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** The few JSON-RPC methods that reading a payment back needs. */
export function createEvmRPC(options: { network: Network; usdc: Usdc; now_ms: () => number }) {
  const { network, usdc, now_ms } = options;
  const asset = network.asset.toLowerCase();

  const readBlock = (tag: unknown): number => {
    if (tag === undefined || typeof tag !== "string" || !tag.startsWith("0x")) return heightAt(now_ms());
    return Number(tag);
  };
  const call = (params: readonly unknown[]): string => {
    const request = readCall(params[0]);
    const data = request?.data ?? request?.input ?? "0x";
    if (request?.to.toLowerCase() !== asset) return "0x";
    if (data.startsWith(BALANCE_OF)) return `0x${word(usdc.balanceOf(`0x${data.slice(34, 74)}`))}`;
    if (data.startsWith(AUTHORIZATION_STATE)) {
      const used = usdc.isUsed(`0x${data.slice(34, 74)}`, `0x${data.slice(74, 138)}`);
      return `0x${word(used ? 1n : 0n)}`;
    }
    throw new RPCError(3, "execution reverted");
  };
  const getLogs = (params: readonly unknown[]) => {
    const filter = readFilter(params[0]);
    if (!filter) throw new RPCError(-32602, "invalid filter");
    const [from, to] = [readBlock(filter.fromBlock ?? "0x0"), readBlock(filter.toBlock)];
    const topics = filter.topics ?? [];
    const fits = (log: { topics: readonly string[] }) =>
      topics.every((wanted, index) => {
        if (wanted === null) return true;
        const list = typeof wanted === "string" ? [wanted] : wanted;
        return list.some((one) => one.toLowerCase() === log.topics[index]?.toLowerCase());
      });
    return usdc.booked
      .filter((row) => heightAt(row.at_ms) >= from && heightAt(row.at_ms) <= to)
      .flatMap((row) => logsOf(row, asset))
      .filter(fits);
  };
  const getReceipt = (hash: unknown) => {
    const row = usdc.booked.find((one) => one.transaction === hash);
    if (!row) return null;
    const height = heightAt(row.at_ms);
    return {
      transactionHash: row.transaction,
      transactionIndex: "0x0",
      blockNumber: hex(height),
      blockHash: blockHash(height),
      from: row.payer,
      to: asset,
      status: "0x1",
      type: "0x2",
      contractAddress: null,
      cumulativeGasUsed: "0x15f90",
      gasUsed: "0x15f90",
      effectiveGasPrice: "0x1",
      logsBloom: `0x${"0".repeat(512)}`,
      logs: logsOf(row, asset),
    };
  };
  const getBlock = (tag: unknown) => {
    const height = readBlock(tag);
    const seconds = Math.floor((GENESIS_MS + height * BLOCK_MS) / 1000);
    return { number: hex(height), hash: blockHash(height), timestamp: hex(seconds), transactions: [] };
  };
  const answer = (method: string, params: readonly unknown[]): unknown => {
    switch (method) {
      case "eth_chainId":
        return hex(network.eip712?.chain_id ?? 0);
      case "eth_blockNumber":
        return hex(heightAt(now_ms()));
      case "eth_getBlockByNumber":
        return getBlock(params[0]);
      case "eth_call":
        return call(params);
      case "eth_getLogs":
        return getLogs(params);
      case "eth_getTransactionReceipt":
        return getReceipt(params[0]);
      case "eth_getCode":
        return String(params[0]).toLowerCase() === asset ? "0x01" : "0x";
      default:
        throw new RPCError(-32601, `${method.slice(0, 60)} is not simulated`);
    }
  };

  return (given: unknown): unknown => {
    const request = readRequest(given);
    const id = request?.id ?? null;
    if (!request) return { jsonrpc: "2.0", id, error: { code: -32600, message: "invalid request" } };
    try {
      return { jsonrpc: "2.0", id, result: answer(request.method, request.params ?? []) };
    } catch (error) {
      if (!(error instanceof RPCError)) throw error;
      return { jsonrpc: "2.0", id, error: { code: error.code, message: error.message } };
    }
  };
}
