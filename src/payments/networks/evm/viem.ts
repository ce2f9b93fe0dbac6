/** What is used of viem where payments are checked: a lazy import of the package itself would load all of it. */
export {
  encodeFunctionData,
  hashTypedData,
  parseAbi,
  parseErc6492Signature,
  recoverMessageAddress,
  recoverTypedDataAddress,
} from "viem";
