/** What plugins import as "intel-node/chains": calls of JSON-RPC nodes, coding of contract calls and answers. */
export { type ContractAbi, loadAbi } from "./abi.ts";
export { type EvmLog, fetchLogs, type LogsRequest } from "./providers/evm-rpc/logs.ts";
export { evmRpc } from "./providers/evm-rpc/provider.ts";
export { fetchRPC, type RpcCall } from "./providers/json-rpc.ts";
export { fetchRPCBatch, type RpcBatch } from "./providers/json-rpc-batch.ts";
