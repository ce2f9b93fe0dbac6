import { base58 } from "@scure/base";
import { Type } from "@sinclair/typebox";
import { canonicalJSON, sha256Hex } from "../../../core/hash.ts";
import { USDC_DECIMALS } from "../../../core/money.ts";
import { decodeSolanaAddress } from "../../../core/solana-address.ts";
import { createReader } from "../../codec.ts";
import { type PaymentRefusal, refuse } from "../../refusal.ts";
import type { NetworkFamily, Requirement, SignedPayment } from "../../types.ts";
import { COMPUTE_BUDGET_PROGRAM, LIGHTHOUSE_PROGRAM, MEMO_PROGRAM, TOKEN_PROGRAM } from "./programs.ts";
import { findTokenAccount } from "./token-account.ts";
import { parseBase64Transaction, type SolanaInstruction, type SolanaTransaction } from "./transaction.ts";

const readPayload = createReader(
  Type.Object({ transaction: Type.String({ maxLength: 2_048 }) }, { additionalProperties: false }),
);

/**
 * A block hash is good for 150 blocks, 60-90 s. So however new it was when the payment arrived, this much later the
 * payment can land no more.
 */
export const LIFETIME_MS = 90_000;
/** Fee payer and payer. Wallets that need more signatures (multisig) are not offered. */
const SIGNATURES = 2;
const INSTRUCTIONS_MIN = 3;
const INSTRUCTIONS_MAX = 7;
/** Ten times what a transfer with a memo and a wallet's assertions takes: the facilitator pays for what is asked. */
const COMPUTE_UNITS_MAX = 400_000;
/** Cap of the reference facilitator. */
const MICRO_LAMPORTS_MAX = 5_000_000n;

/** First byte of an instruction's data says which one it is. */
const SET_COMPUTE_UNIT_LIMIT = 2;
const SET_COMPUTE_UNIT_PRICE = 3;
const TRANSFER_CHECKED = 12;

const keyOf = (address: string): string => Buffer.from(decodeSolanaAddress(address) ?? []).toString("hex");
const [COMPUTE_BUDGET, TOKEN, MEMO, LIGHTHOUSE] = [
  keyOf(COMPUTE_BUDGET_PROGRAM),
  keyOf(TOKEN_PROGRAM),
  keyOf(MEMO_PROGRAM),
  keyOf(LIGHTHOUSE_PROGRAM),
];
const addressOf = (key: string): string => base58.encode(Buffer.from(key, "hex"));

/** A payment whose signers and transfer are known. Accounts are keys in hex. */
export interface SolanaPayment {
  readonly transaction: SolanaTransaction;
  readonly payer_signature: Uint8Array;
  readonly fee_payer: string;
  readonly payer: string;
  readonly source: string;
  readonly mint: string;
  readonly destination: string;
  readonly amount: bigint;
  readonly decimals: number;
}

const wrong = (reason: string, hint: string): PaymentRefusal => refuse("invalid_payment", reason, hint);
const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/**
 * Reads the one kind of payment that is offered: a transaction that holds an SPL TransferChecked as its third
 * instruction, signed by the fee payer and the payer and nobody else.
 * @throws PaymentRefusal
 */
export function readSolanaPayment(payload: Readonly<Record<string, unknown>>): SolanaPayment {
  const given = readPayload(payload);
  if (!given) throw wrong("unsupported_payload_type", "The payload must be a Solana transaction, and nothing else.");
  const transaction = parseBase64Transaction(given.transaction);
  if (!transaction) throw wrong("transaction_could_not_be_decoded", "This is no Solana transaction (legacy or v0).");
  if (transaction.lookup_tables > 0) {
    throw wrong("address_lookup_tables", "Write every account into the transaction: lookup tables are not taken.");
  }
  const { accounts, instructions, signatures } = transaction;
  const transfer = instructions[2];
  const is_transfer =
    transfer !== undefined &&
    accounts[transfer.program] === TOKEN &&
    transfer.data.length === 10 &&
    transfer.data[0] === TRANSFER_CHECKED &&
    transfer.accounts.length === 4;
  if (!is_transfer) {
    throw wrong("no_transfer_instruction", "Instruction 3 must be TransferChecked of the SPL Token program.");
  }
  const [source = "", mint = "", destination = "", payer = ""] = transfer.accounts.map((index) => accounts[index]);
  const fee_payer = accounts[0] ?? "";
  if (payer === fee_payer) {
    throw wrong("fee_payer_transferring_funds", "The fee payer must not be the one whose tokens are sent.");
  }
  if (signatures.length > SIGNATURES) {
    throw wrong("excessive_signers", "Nobody but the fee payer and the owner of the tokens may have to sign.");
  }
  if (signatures.length < SIGNATURES || payer !== accounts[1]) {
    throw wrong("payer_not_signing", "The owner of the tokens must be the second signer.");
  }
  const { data } = transfer;
  const terms = { amount: view(data).getBigUint64(1, true), decimals: data[9] ?? 0 };
  const payer_signature = signatures[1] ?? new Uint8Array();
  return { transaction, payer_signature, fee_payer, payer, source, mint, destination, ...terms };
}

/** The transaction in its one canonical text, with the fee payer's slot empty: who pays the fee overwrites it. */
const renderTransaction = ({ transaction, payer_signature }: SolanaPayment): string =>
  Buffer.concat([Uint8Array.of(SIGNATURES), new Uint8Array(64), payer_signature, transaction.message]).toString(
    "base64",
  );

export const identifySolanaPayment: NetworkFamily["identify"] = ({ network, payload, now_ms }): SignedPayment => {
  const payment = readSolanaPayment(payload);
  const { message } = payment.transaction;
  return {
    replay_key: `svm:${network.id.slice(network.id.indexOf(":") + 1)}:${sha256Hex(message)}`,
    // The slot of the fee payer is left out: it can hold anything, and it is the same payment.
    payload_hash: sha256Hex(Buffer.concat([payment.payer_signature, message])),
    payload_json: canonicalJSON({ transaction: renderTransaction(payment) }),
    payer: addressOf(payment.payer),
    fee_payer: addressOf(payment.fee_payer),
    valid_until_ms: now_ms + LIFETIME_MS,
  };
};

/** The compute budget, which says what the facilitator has to pay for. */
function checkBudget(limit: SolanaInstruction | undefined, price: SolanaInstruction | undefined, accounts: string[]) {
  const isBudget = (one: SolanaInstruction | undefined, kind: number, length: number) =>
    one !== undefined &&
    accounts[one.program] === COMPUTE_BUDGET &&
    one.data[0] === kind &&
    one.data.length === length &&
    one.accounts.length === 0;
  if (!limit || !isBudget(limit, SET_COMPUTE_UNIT_LIMIT, 5)) {
    throw wrong("compute_limit_instruction", "Instruction 1 must be SetComputeUnitLimit.");
  }
  if (view(limit.data).getUint32(1, true) > COMPUTE_UNITS_MAX) {
    throw wrong("compute_limit_too_high", `The compute unit limit must be at most ${COMPUTE_UNITS_MAX}.`);
  }
  if (!price || !isBudget(price, SET_COMPUTE_UNIT_PRICE, 9)) {
    throw wrong("compute_price_instruction", "Instruction 2 must be SetComputeUnitPrice.");
  }
  if (view(price.data).getBigUint64(1, true) > MICRO_LAMPORTS_MAX) {
    throw wrong("compute_price_too_high", `The price of a compute unit must be at most ${MICRO_LAMPORTS_MAX}.`);
  }
}

/** What is moved, and where to. */
function checkTransfer(payment: SolanaPayment, requirement: Requirement): void {
  if (payment.mint !== keyOf(requirement.asset)) {
    throw wrong("mint_mismatch", `The tokens sent must be of mint ${requirement.asset}.`);
  }
  const account = findTokenAccount(requirement.payTo, requirement.asset);
  if (payment.destination !== keyOf(account)) {
    throw wrong("recipient_mismatch", `The tokens must go to ${account}, the token account of payTo.`);
  }
  if (payment.source === payment.destination) {
    throw wrong("self_transfer", "The tokens are sent to the account they come from, so nothing would be paid.");
  }
  if (payment.amount !== BigInt(requirement.amount)) {
    const hint = `The transfer must be over exactly ${requirement.amount}.`;
    throw refuse("amount_mismatch", "amount_mismatch", hint);
  }
  if (payment.decimals !== USDC_DECIMALS) {
    throw wrong("decimals_mismatch", `TransferChecked must name ${USDC_DECIMALS} decimals.`);
  }
}

/** Checks 1-4 of the Solana `exact` scheme: layout, fee payer, recipient, amount. */
export const checkSolanaPayment: NetworkFamily["check"] = ({ requirement, payload, fee_payers }) => {
  const payment = readSolanaPayment(payload);
  const { instructions } = payment.transaction;
  const accounts = [...payment.transaction.accounts];
  if (instructions.length < INSTRUCTIONS_MIN || instructions.length > INSTRUCTIONS_MAX) {
    const hint = `A payment has ${INSTRUCTIONS_MIN} to ${INSTRUCTIONS_MAX} instructions.`;
    throw wrong("instructions_length", hint);
  }
  checkBudget(instructions[0], instructions[1], accounts);
  for (const { program } of instructions.slice(INSTRUCTIONS_MIN)) {
    if (accounts[program] !== MEMO && accounts[program] !== LIGHTHOUSE) {
      throw wrong("unknown_instruction", "After the transfer only Memo and Lighthouse instructions are taken.");
    }
  }
  if (!fee_payers.includes(addressOf(payment.fee_payer))) {
    throw wrong("fee_payer_mismatch", "The fee payer is not one of the facilitator's: fetch a fresh 402.");
  }
  if (instructions.some((one) => one.accounts.includes(0))) {
    throw wrong("fee_payer_in_instruction", "The fee payer must not be an account of any instruction.");
  }
  const own = keyOf(findTokenAccount(addressOf(payment.fee_payer), requirement.asset));
  if (fee_payers.includes(addressOf(payment.payer)) || payment.source === own) {
    throw wrong("fee_payer_transferring_funds", "The facilitator's own tokens cannot be sent.");
  }
  checkTransfer(payment, requirement);
};
