import { Type } from "@sinclair/typebox";
import { sha256Hex } from "../../../core/hash.ts";
import { createReader } from "../../../payments/codec.ts";
import type { Network } from "../../../payments/networks/table.ts";
import { PERMIT2, UPTO_PROXY } from "../../../payments/upto/contract.ts";
import type { USDCBooked, Usdc } from "./usdc.ts";

const AUTHORIZATION_USED = "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5";
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const BALANCE_OF = "0x70a08231";
const AUTHORIZATION_STATE = "0xe94a0102";
const NONCE_BITMAP = "0x4fe02b44";
const BLOCK_MS = 2_000;
const LOGS_MAX = 10_000;
/** Block 0 of the simulated chain, some years back. */
const GENESIS_MS = Date.UTC(2024, 0, 1);

const readRequest = createReader(
  Type.Object({
    id: Type.Optional(Type.Union([Type.Null(), Type.Number(), Type.String({ maxLength: 100 })])),
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
const blockHashAt = (height: number): string => `0x${sha256Hex(`block ${height}`)}`;

/** The position of a settlement on the chain. */
const placeOf = ({ at_ms, transaction }: USDCBooked, index: number) => {
  const height = heightAt(at_ms);
  const blockHash = blockHashAt(height);
  return { transactionHash: transaction, transactionIndex: hex(index), blockNumber: hex(height), blockHash };
};

/**
 * The two events that FiatTokenV2 emits for one transferWithAuthorization, the `index`-th of its block. A transfer by a
 * permit has only one.
 */
function logsOf(row: USDCBooked, index: number, asset: string) {
  const common = { ...placeOf(row, index), address: asset, removed: false };
  const [payer, pay_to] = [`0x${word(row.payer)}`, `0x${word(row.pay_to)}`];
  const used = { topics: [AUTHORIZATION_USED, payer, row.nonce], data: "0x", logIndex: hex(2 * index) };
  const data = `0x${word(BigInt(row.amount_atomic))}`;
  const moved = { topics: [TRANSFER, payer, pay_to], data, logIndex: hex(2 * index + 1) };
  return row.permit === undefined
    ? [
        { ...common, ...used },
        { ...common, ...moved },
      ]
    : [{ ...common, ...moved }];
}

class RPCError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

function renderReceipt(row: USDCBooked, index: number, asset: string) {
  return {
    ...placeOf(row, index),
    from: row.payer,
    to: row.permit === undefined ? asset : UPTO_PROXY.toLowerCase(),
    status: "0x1",
    type: "0x2",
    contractAddress: null,
    cumulativeGasUsed: "0x15f90",
    gasUsed: "0x15f90",
    effectiveGasPrice: "0x1",
    logsBloom: `0x${"0".repeat(512)}`,
    logs: logsOf(row, index, asset),
  };
}

/** Further members of a transaction, none of which is simulated. */
const SENT = { type: "0x2", nonce: "0x0", value: "0x0", gas: "0x15f90", gasPrice: "0x1", input: "0x" } as const;

/** The few JSON-RPC methods needed to read a payment back. */
export function createEvmRPC(options: { network: Network; usdc: Usdc; now_ms: () => number }) {
  const { network, usdc, now_ms } = options;
  const asset = network.asset.toLowerCase();

  const readBlock = (tag: unknown): number => {
    if (tag === "earliest") return 0;
    // This chain has no reorganisations, so the newest block is also the safe and the finalized one.
    if (typeof tag !== "string" || !/^0x[0-9a-fA-F]{1,13}$/.test(tag)) return heightAt(now_ms());
    return Number(tag);
  };
  /** The settlements of a range of blocks, each with its index in its block. */
  function* getBooked(from: number, to: number): Generator<readonly [row: USDCBooked, index: number]> {
    const counts = new Map<number, number>();
    for (const row of usdc.booked) {
      const height = heightAt(row.at_ms);
      if (height < from || height > to) continue;
      const index = counts.get(height) ?? 0;
      counts.set(height, index + 1);
      yield [row, index];
    }
  }
  /** One word of the bitmap of a payer's used nonces. */
  const readNonces = (data: string): string => {
    const [payer, place] = [`0x${data.slice(34, 74)}`.toLowerCase(), BigInt(`0x${data.slice(74, 138)}`)];
    let bits = 0n;
    for (const row of usdc.booked) {
      const { nonce } = row.permit ?? {};
      if (nonce !== undefined && row.payer === payer && nonce >> 8n === place) bits |= 1n << (nonce & 0xffn);
    }
    return `0x${word(bits)}`;
  };
  const call = (params: readonly unknown[]): string => {
    const request = readCall(params[0]);
    const data = request?.data ?? request?.input ?? "0x";
    if (request?.to.toLowerCase() === PERMIT2.toLowerCase() && data.startsWith(NONCE_BITMAP)) return readNonces(data);
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
    const [from, to] = [readBlock(filter.fromBlock), readBlock(filter.toBlock)];
    const { topics = [], address = asset } = filter;
    if (![address].flat().some((one) => one.toLowerCase() === asset)) return [];
    const fits = (log: { topics: readonly string[] }) =>
      topics.every((wanted, index) => {
        if (wanted === null) return true;
        const list = typeof wanted === "string" ? [wanted] : wanted;
        return list.some((one) => one.toLowerCase() === log.topics[index]?.toLowerCase());
      });
    const found: ReturnType<typeof logsOf> = [];
    for (const [row, index] of getBooked(from, to)) {
      found.push(...logsOf(row, index, asset).filter(fits));
      if (found.length > LOGS_MAX) throw new RPCError(-32005, `query returned more than ${LOGS_MAX} results`);
    }
    return found;
  };
  const find = (hash: unknown) => {
    const wanted = String(hash).toLowerCase();
    const row = usdc.booked.findLast((one) => one.transaction === wanted);
    if (!row) return null;
    const height = heightAt(row.at_ms);
    for (const [one, index] of getBooked(height, height)) if (one === row) return { row, index };
    return null;
  };
  const getReceipt = (hash: unknown) => {
    const found = find(hash);
    return found && renderReceipt(found.row, found.index, asset);
  };
  const getTransaction = (hash: unknown) => {
    const found = find(hash);
    if (!found) return null;
    const { transactionHash, ...place } = placeOf(found.row, found.index);
    const chainId = hex(network.eip712?.chain_id ?? 0);
    const { permit } = found.row;
    const sent = permit ? { to: UPTO_PROXY.toLowerCase(), input: permit.input } : { to: asset };
    return { hash: transactionHash, ...place, ...SENT, chainId, from: found.row.payer, ...sent };
  };
  const getBlock = (tag: unknown) => {
    const height = readBlock(tag);
    if (height > heightAt(now_ms())) return null;
    const seconds = Math.floor((GENESIS_MS + height * BLOCK_MS) / 1000);
    const transactions = [...getBooked(height, height)].map(([row]) => row.transaction);
    return { number: hex(height), hash: blockHashAt(height), timestamp: hex(seconds), transactions };
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
      case "eth_getTransactionByHash":
        return getTransaction(params[0]);
      case "eth_getCode":
        return String(params[0]).toLowerCase() === asset ? "0x01" : "0x";
      default:
        throw new RPCError(-32601, `${method.slice(0, 60)} is not simulated`);
    }
  };

  return (given: unknown): unknown => {
    if (given === undefined) return { jsonrpc: "2.0", id: null, error: { code: -32700, message: "parse error" } };
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
