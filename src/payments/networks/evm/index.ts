import { isAddress } from "../../../core/eth-address.ts";
import type { NetworkFamily } from "../../types.ts";
import { askEvmChain } from "./ask-chain.ts";
import { askPermitChain } from "./ask-permit.ts";
import { askEvmSignature } from "./ask-signature.ts";
import { checkEvmSeller } from "./check-seller.ts";
import { checkEvmSignature, readMessage } from "./check-signature.ts";
import { toKeySignature } from "./key-signature.ts";
import { listEvmIncoming } from "./list-incoming.ts";
import { checkEvmPayment, describeEvmPayment, identifyEvmPayment, renderKeySigned } from "./read.ts";
import { readPermit2 } from "./read-permit2.ts";
import { evmTextSigning } from "./sign-in.ts";

/** EVM networks: scheme `exact` by EIP-3009, scheme `upto` by Permit2. */
export const evmFamily: NetworkFamily = {
  warmUp: async () => {
    await import("./viem.ts");
  },
  isAddress,
  canonicalAddress: (address) => address.toLowerCase(),
  requirementExtra: (network) => ({ name: network.eip712?.name ?? "", version: network.eip712?.version ?? "" }),
  identify: identifyEvmPayment,
  check: checkEvmPayment,
  describe: describeEvmPayment,
  // Any other spelling may be a contract wallet's, with another meaning.
  isKeySigned: (payload) => {
    const { signature } = readMessage(payload) ?? {};
    return signature !== undefined && toKeySignature(signature) === signature;
  },
  renderKeySigned,
  checkSignature: checkEvmSignature,
  askSignature: askEvmSignature,
  text_signing: evmTextSigning,
  askChain: (question) => (readPermit2(question.payload) === null ? askEvmChain : askPermitChain)(question),
  listIncoming: listEvmIncoming,
  checkSeller: checkEvmSeller,
};
