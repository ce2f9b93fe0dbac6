/** What the sandbox uses of these: lazy imports of the packages would load, and pack, all of them. */
export { getBase64Encoder, getCompiledTransactionMessageDecoder, getTransactionDecoder } from "@solana/kit";
export { SettlementCache } from "@x402/svm";
