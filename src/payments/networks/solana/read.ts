import { base58 } from "@scure/base";
import { Type } from "@sinclair/typebox";
import { canonicalJSON, sha256Hex } from "../../../core/hash.ts";
import { USDC_DECIMALS } from "../../../core/money.ts";
import { decodeSolanaAddress } from "../../../core/solana-address.ts";
import { createReader } from "../../codec.ts";
import { type PaymentRefusal, refuse } from "../../refusal.ts";
import type { NetworkFamily, Requirement, SignedPayment } from "../../types.ts";
import { COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "./programs.ts";
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
/** Ten times what a transfer with a memo and a wallet's assertions takes: the facilitator pays for what is asked. */
const COMPUTE_UNITS_MAX = 400_000;
/** Cap of the reference facilitator. */
const MICRO_LAMPORTS_MAX = 5_000_000n;

/** First byte of an instruction's data says which one it is. */
const SET_COMPUTE_UNIT_LIMIT = 2;
const SET_COMPUTE_UNIT_PRICE = 3;
const TRANSFER_CHECKED = 12;
const ADVANCE_NONCE_ACCOUNT = 4;

const keyOf = (address: string): string => Buffer.from(decodeSolanaAddress(address) ?? []).toString("hex");
const [COMPUTE_BUDGET, SYSTEM, TOKEN, TOKEN_2022] = [
  keyOf(COMPUTE_BUDGET_PROGRAM),
  keyOf(SYSTEM_PROGRAM),
  keyOf(TOKEN_PROGRAM),
  keyOf(TOKEN_2022_PROGRAM),
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
 * The one instruction that moves tokens. Wherever it stands: wallets write their guards before and after it.
 * @throws PaymentRefusal
 */
function findTransfer({ accounts, instructions }: SolanaTransaction): SolanaInstruction {
  const token_calls = instructions.filter(({ program }) => [TOKEN, TOKEN_2022].includes(accounts[program] ?? ""));
  const transfer = token_calls.find(
    ({ program, data, accounts: named }) =>
      accounts[program] === TOKEN && data.length === 10 && data[0] === TRANSFER_CHECKED && named.length === 4,
  );
  if (!transfer) {
    throw wrong("no_transfer_instruction", "A payment holds one TransferChecked of the SPL Token program.");
  }
  if (token_calls.length > 1) {
    throw wrong("multiple_transfers", "Nothing but the one TransferChecked may call a token program.");
  }
  return transfer;
}

/**
 * Reads the one kind of payment that is offered: a transaction that holds one SPL TransferChecked, signed by the fee
 * payer and the payer and nobody else.
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
  const { accounts, signatures } = transaction;
  const transfer = findTransfer(transaction);
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

/** The compute budget says what the facilitator has to pay for. Bytes after the number are ignored by a validator. */
function checkBudget({ accounts, instructions }: SolanaTransaction): void {
  for (const { program, data } of instructions) {
    if (accounts[program] !== COMPUTE_BUDGET) continue;
    const [kind] = data;
    if (kind === SET_COMPUTE_UNIT_LIMIT && data.length >= 5 && view(data).getUint32(1, true) > COMPUTE_UNITS_MAX) {
      throw wrong("compute_limit_too_high", `The compute unit limit must be at most ${COMPUTE_UNITS_MAX}.`);
    }
    if (kind === SET_COMPUTE_UNIT_PRICE && data.length >= 9 && view(data).getBigUint64(1, true) > MICRO_LAMPORTS_MAX) {
      throw wrong("compute_price_too_high", `The price of a compute unit must be at most ${MICRO_LAMPORTS_MAX}.`);
    }
  }
}

/**
 * A transaction on a durable nonce never grows old. It could land long after it was given up as expired, and take the
 * money for nothing.
 */
function checkLifetime({ accounts, instructions }: SolanaTransaction): void {
  if (instructions.some(({ program, data }) => accounts[program] === SYSTEM && data[0] === ADVANCE_NONCE_ACCOUNT)) {
    throw wrong("durable_nonce", "Sign on a recent block hash: a durable nonce is not taken.");
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

/**
 * Checks what concerns the money: what is paid and to whom, and that the fee payer's signature pays the fee and nothing
 * else. A fee payer that no instruction names cannot be made to spend (specs/schemes/exact/scheme_exact_svm.md, 2.1.1).
 * Which other instructions it pays for is the facilitator's own policy.
 */
export const checkSolanaPayment: NetworkFamily["check"] = ({ requirement, payload, fee_payers }) => {
  const payment = readSolanaPayment(payload);
  checkBudget(payment.transaction);
  checkLifetime(payment.transaction);
  if (!fee_payers.includes(addressOf(payment.fee_payer))) {
    throw wrong("fee_payer_mismatch", "The fee payer is not one of the facilitator's: fetch a fresh 402.");
  }
  if (payment.transaction.instructions.some((one) => one.accounts.includes(0))) {
    throw wrong("fee_payer_in_instruction", "The fee payer must not be an account of any instruction.");
  }
  const own = keyOf(findTokenAccount(addressOf(payment.fee_payer), requirement.asset));
  if (fee_payers.includes(addressOf(payment.payer)) || payment.source === own) {
    throw wrong("fee_payer_transferring_funds", "The facilitator's own tokens cannot be sent.");
  }
  checkTransfer(payment, requirement);
};
