import { isAlgorandAddress } from "../../../core/algorand-address.ts";
import type { NetworkFamily } from "../../types.ts";
import { askAlgorandChain } from "./ask-chain.ts";
import { algorandBlamesSeller, checkAlgorandSeller } from "./check-seller.ts";
import { checkAlgorandSignature } from "./check-signature.ts";
import { listAlgorandIncoming } from "./list-incoming.ts";
import { checkAlgorandPayment, describeAlgorandPayment, identifyAlgorandPayment, readAlgorandPayment } from "./read.ts";

const TAG_CHARS_MAX = 64;

/** Algorand networks, scheme `exact` by an asset transfer. Needs no library, so there is nothing to warm up. */
export const algorandFamily: NetworkFamily = {
  warmUp: async () => undefined,
  isAddress: isAlgorandAddress,
  // The last character of an address has one form only, so each key has one spelling.
  canonicalAddress: (address) => address,
  requirementExtra: (_network, { feePayer, tag }) => ({
    ...(typeof feePayer === "string" && isAlgorandAddress(feePayer) ? { feePayer } : {}),
    ...(typeof tag === "string" && tag !== "" && tag.length <= TAG_CHARS_MAX ? { tag } : {}),
  }),
  identify: identifyAlgorandPayment,
  check: checkAlgorandPayment,
  isKeySigned: (payload) => readAlgorandPayment(payload).payment.signature.kind !== "other",
  checkSignature: checkAlgorandSignature,
  describe: describeAlgorandPayment,
  askChain: askAlgorandChain,
  listIncoming: listAlgorandIncoming,
  checkSeller: checkAlgorandSeller,
  blamesSeller: algorandBlamesSeller,
};
