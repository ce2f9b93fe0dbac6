import { modelsv2 } from "algosdk";

/** What the sandbox uses of algosdk: a lazy import of the package itself would load, and pack, all of it. */
export {
  assignGroupID,
  computeGroupID,
  decodeMsgpack,
  decodeSignedTransaction,
  decodeUnsignedTransaction,
  encodeMsgpack,
  encodeUnsignedTransaction,
  IntDecoding,
  makeAssetTransferTxnWithSuggestedParamsFromObject,
  makePaymentTxnWithSuggestedParamsFromObject,
  mnemonicFromSeed,
  mnemonicToSecretKey,
  msgpackRawDecode,
  msgpackRawEncode,
  verifyMultisig,
} from "algosdk";

export const SimulateRequest = modelsv2.SimulateRequest;
