/** What is used of viem where payments are checked: a lazy import of the package itself would load all of it. */
export {
  domainSeparator,
  encodeFunctionData,
  hashMessage,
  hashTypedData,
  parseAbi,
  parseErc6492Signature,
  recoverTypedDataAddress,
} from "viem";
