/** What is used of these where payments are settled: lazy imports of the packages would load, and pack, all of them. */
export { createKeyPairSignerFromBytes } from "@solana/kit";
export { SettlementCache, toFacilitatorSvmSigner } from "@x402/svm";
