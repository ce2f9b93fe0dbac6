/** The parts of these packages that the sandbox uses. Lazy imports would load and bundle all of each package. */
export { getBase64Encoder, getCompiledTransactionMessageDecoder, getTransactionDecoder } from "@solana/kit";
export { SettlementCache } from "@x402/svm";
