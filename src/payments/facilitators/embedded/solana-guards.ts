import { base58 } from "@scure/base";
import type { FacilitatorSvmSigner } from "@x402/svm";
import { LIGHTHOUSE_PROGRAM, TOKEN_PROGRAM } from "../../networks/solana/programs.ts";
import { readSolanaPayment } from "../../networks/solana/read.ts";

/**
 * Lets the official scheme take wallets' guards (Lighthouse) before the transfer too. Its first look wants the transfer
 * as third instruction; the second, made for smart wallets, looks for one transfer wherever it stands, but only in
 * transactions of known programs (specs/schemes/exact/scheme_exact_svm.md, 2.2.2 and 3.2).
 */
export const GUARD_OPTIONS = {
  enableSmartWalletVerification: true,
  smartWalletAllowedPrograms: [TOKEN_PROGRAM, LIGHTHOUSE_PROGRAM],
};

type InnerInstructions = Awaited<
  ReturnType<NonNullable<FacilitatorSvmSigner["getConfirmedTransactionInnerInstructions"]>>
>;

const addressOf = (key: string): string => base58.encode(Buffer.from(key, "hex"));

/**
 * The transfer of a confirmed transaction as a node shows parsed instructions. After a settlement on its second look
 * the official scheme searches for it among the instructions that other programs called, so not where wallets with
 * guards have it: at the top. That it was executed is known, because a transaction that failed is not confirmed.
 * @throws PaymentRefusal when it is no payment
 */
export function renderConfirmedTransfer(transaction: string): InnerInstructions {
  const { mint, destination, payer, amount } = readSolanaPayment({ transaction });
  const info = {
    mint: addressOf(mint),
    destination: addressOf(destination),
    authority: addressOf(payer),
    tokenAmount: { amount: amount.toString() },
  };
  const parsed = { programId: TOKEN_PROGRAM, parsed: { type: "transferChecked", info } };
  // The type names the compiled form only; the scheme reads both.
  return { innerInstructions: [{ index: 0, instructions: [parsed] }] } as unknown as InnerInstructions;
}
