import { createHash } from "node:crypto";
import type { SolanaBank, SolanaLanded } from "./bank.ts";
import { isRecent } from "./blocks.ts";

const COMPUTE_BUDGET = "ComputeBudget111111111111111111111111111111";
const TOKEN = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const MEMO = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";
const LIGHTHOUSE = "L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95";
const TRANSFER_CHECKED = 12;
const DECIMALS = 6;

/** Error numbers of the SPL Token program. */
const INSUFFICIENT_FUNDS = 1;
const MINT_MISMATCH = 3;
const OWNER_MISMATCH = 4;
const INVALID_INSTRUCTION = 12;
const ACCOUNT_FROZEN = 17;
const DECIMALS_MISMATCH = 18;

/** Result of running a transaction: an error in the words of a Solana node, or what it would move. */
export type SolanaExecution =
  | { readonly error: string | Readonly<Record<string, unknown>> }
  | { readonly error: null; readonly instructions: number; readonly landed: Unsigned | null };
/** A transaction with one transfer, not yet signed by the fee payer. */
export type Unsigned = Omit<SolanaLanded, "signature" | "wire" | "at_ms"> & { readonly message: Uint8Array };

export interface SolanaRun {
  readonly bank: SolanaBank;
  readonly mint: string;
  readonly height: number;
  /** Token account of a wallet. */
  readonly findAccount: (owner: string) => string;
  /** Same as `replaceRecentBlockhash` of a simulation. */
  readonly any_blockhash?: boolean;
}

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** The transaction as a Solana library decodes it, or null when it cannot. */
export async function decode(wire: string) {
  const { getBase64Encoder, getCompiledTransactionMessageDecoder, getTransactionDecoder } = await import(
    "./decoders.ts"
  );
  try {
    const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(wire));
    const bytes = Uint8Array.from(transaction.messageBytes);
    const message = getCompiledTransactionMessageDecoder().decode(bytes);
    return { bytes, message, signatures: transaction.signatures };
  } catch {
    // A real node gives no further reason either.
    return null;
  }
}

interface Step {
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: Uint8Array;
  readonly isSigner: (address: string) => boolean;
}
interface Transfer {
  readonly source: string;
  readonly destination: string;
  readonly payer: string;
  readonly amount: bigint;
}

/** The token program's result for one instruction: a transfer, its error number, or an error of the runtime. */
function runTransfer(step: Step, run: SolanaRun, moved: readonly Transfer[]): Transfer | number | "InvalidAccountData" {
  const { bank, mint, findAccount } = run;
  const { accounts, data } = step;
  const [source, given_mint, destination, payer] = accounts;
  if (data[0] !== TRANSFER_CHECKED || data.length < 10) return INVALID_INSTRUCTION;
  if (!source || !given_mint || !destination || !payer) return INVALID_INSTRUCTION;
  const amount = Buffer.from(data).readBigUInt64LE(1);
  const states = [source, destination].map(bank.accounts.stateOf);
  // An account that does not exist has no bytes to read.
  if (states.includes("missing")) return "InvalidAccountData";
  if (states.includes("frozen")) return ACCOUNT_FROZEN;
  if (given_mint !== mint) return MINT_MISMATCH;
  if (data[9] !== DECIMALS) return DECIMALS_MISMATCH;
  if (source !== findAccount(payer) || !step.isSigner(payer)) return OWNER_MISMATCH;
  const spent = moved.reduce((sum, one) => (one.source === source ? sum + one.amount : sum), 0n);
  if (bank.balanceOf(source) - spent < amount) return INSUFFICIENT_FUNDS;
  return { source, destination, payer, amount };
}

/** Runs a transaction against the bank without changing it. */
export async function execute(wire: string, run: SolanaRun): Promise<SolanaExecution> {
  const decoded = await decode(wire);
  if (!decoded) return { error: "SanitizeFailure" };
  const { bytes, message } = decoded;
  const accounts: readonly string[] = message.staticAccounts;
  const message_sha256 = sha256(bytes);
  if (!run.any_blockhash && !isRecent(message.lifetimeToken, run.height)) return { error: "BlockhashNotFound" };
  if (run.bank.hasLanded(message_sha256)) return { error: "AlreadyProcessed" };
  const signers = new Set(accounts.slice(0, message.header.numSignerAccounts));
  const moved: Transfer[] = [];
  const memos: string[] = [];
  for (const [at, instruction] of message.instructions.entries()) {
    const program = accounts[instruction.programAddressIndex] ?? "";
    const data = Uint8Array.from(instruction.data ?? []);
    if (program === MEMO) memos.push(`[${data.length}] ${Buffer.from(data).toString("utf8")}`);
    if (program === MEMO || program === COMPUTE_BUDGET || program === LIGHTHOUSE) continue;
    if (program !== TOKEN) return { error: "ProgramAccountNotFound" };
    const indexes = instruction.accountIndices ?? [];
    const named = indexes.flatMap((index) => accounts[index] ?? []);
    const step = { program, accounts: named, data, isSigner: (address: string) => signers.has(address) };
    const result = runTransfer(step, run, moved);
    if (typeof result === "number") return { error: { InstructionError: [at, { Custom: result }] } };
    if (typeof result === "string") return { error: { InstructionError: [at, result] } };
    moved.push(result);
  }
  const memo = memos.length > 0 ? memos.join("; ") : null;
  const [transfer] = moved;
  const landed = transfer && {
    ...transfer,
    amount: transfer.amount.toString(),
    message: bytes,
    message_sha256,
    memo,
    accounts: [...accounts],
  };
  return {
    error: null,
    instructions: message.instructions.length,
    landed: landed && moved.length === 1 ? landed : null,
  };
}
