/** The exports of "intel-node/chains" for plugins: JSON-RPC calls, and the coding of contract calls and answers. */
export { type ContractAbi, loadAbi } from "./abi.ts";
export { type EvmLog, fetchLogs, type LogsRequest } from "./providers/evm-rpc/logs.ts";
export { evmRpc } from "./providers/evm-rpc/provider.ts";
export { fetchRPC, type RpcCall } from "./providers/json-rpc.ts";
export { fetchRPCBatch, type RpcBatch } from "./providers/json-rpc-batch.ts";
