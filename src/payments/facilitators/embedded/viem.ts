/** What is used of viem where payments are settled: a lazy import of the package itself would load all of it. */
export {
  AbiDecodingZeroDataError,
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  concat,
  createPublicClient,
  ExecutionRevertedError,
  encodeFunctionData,
  fallback,
  http,
  keccak256,
  parseAbi,
} from "viem";
