import { modelsv2 } from "algosdk";

/** The parts of algosdk that the sandbox uses. A lazy import of the package itself would load and bundle all of it. */
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
