import { isSolanaAddress } from "../../../core/solana-address.ts";
import type { NetworkFamily } from "../../types.ts";
import { askSolanaChain } from "./ask-chain.ts";
import { checkSolanaSeller, solanaBlamesSeller } from "./check-seller.ts";
import { checkSolanaSignature } from "./check-signature.ts";
import { listSolanaIncoming } from "./list-incoming.ts";
import { checkSolanaPayment, identifySolanaPayment } from "./read.ts";
import { solanaTextSigning } from "./sign-in.ts";

/** Solana networks, scheme `exact` by an SPL TransferChecked. Needs no library, so there is nothing to warm up. */
export const solanaFamily: NetworkFamily = {
  warmUp: async () => undefined,
  isAddress: isSolanaAddress,
  // Base58 has one spelling for each key.
  canonicalAddress: (address) => address,
  // No memo and no block hash: a fixed memo makes two payments one, and a block hash of ours would age before signing.
  requirementExtra: (_network, { feePayer }) => (typeof feePayer === "string" ? { feePayer } : {}),
  identify: identifySolanaPayment,
  check: checkSolanaPayment,
  isKeySigned: () => true,
  checkSignature: checkSolanaSignature,
  text_signing: solanaTextSigning,
  askChain: askSolanaChain,
  listIncoming: listSolanaIncoming,
  checkSeller: checkSolanaSeller,
  blamesSeller: solanaBlamesSeller,
  // Without one, official clients make no payment at all.
  whyUnusable: ({ feePayer }) =>
    typeof feePayer === "string" && isSolanaAddress(feePayer)
      ? null
      : "its facilitator names no account to pay the fee",
};
