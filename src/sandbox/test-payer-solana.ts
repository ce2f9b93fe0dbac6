import type { PublicKey } from "@solana/web3.js";
import { sha256Hex } from "../core/hash.ts";

/** A wallet for tests and demonstrations on Solana. Its key follows from a public seed: never use it for real. */
export interface SolanaTestPayer {
  readonly address: string;
  /** The Ed25519 seed. */
  readonly secret: Uint8Array;
}

export interface TestAccount {
  readonly address: string;
  readonly signer?: boolean;
  readonly writable?: boolean;
}

export interface TestInstruction {
  readonly program: string;
  readonly accounts: readonly TestAccount[];
  readonly data: Uint8Array;
}

/** The terms that a payer signs. Amounts in the token's smallest unit. A test may set any of them wrong. */
export interface SolanaTestTransfer {
  readonly fee_payer: string;
  readonly mint: string;
  /** Owner of the receiving token account. */
  readonly to: string;
  readonly amount: bigint;
  readonly blockhash: string;
  readonly decimals?: number;
  readonly compute_units?: number;
  readonly micro_lamports?: bigint;
  /** One memo by default, as in the official version 2 client. */
  readonly memos?: readonly string[];
  /** Token accounts, if not the associated ones. */
  readonly source?: string;
  readonly destination?: string;
  /** Owner of the sent tokens, if not the payer. */
  readonly authority?: string;
  /** Changes the instructions before they are signed. */
  readonly change?: (instructions: readonly TestInstruction[]) => readonly TestInstruction[];
  readonly version?: 0 | "legacy";
}

const COMPUTE_BUDGET = "ComputeBudget111111111111111111111111111111";
const TOKEN = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const ASSOCIATED_TOKEN = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL";
const MEMO = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";

export async function createSolanaTestPayer(seed: string | Uint8Array): Promise<SolanaTestPayer> {
  const { Keypair } = await import("@solana/web3.js");
  const secret = typeof seed === "string" ? Buffer.from(sha256Hex(`sandbox payer ${seed}`), "hex") : seed;
  return { address: Keypair.fromSeed(secret).publicKey.toBase58(), secret };
}

/** The associated token account, by the program's own derivation. */
export async function findTestTokenAccount(owner: string, mint: string): Promise<string> {
  const { PublicKey: Key } = await import("@solana/web3.js");
  const seeds = [owner, TOKEN, mint].map((address) => new Key(address).toBuffer());
  return Key.findProgramAddressSync(seeds, new Key(ASSOCIATED_TOKEN))[0].toBase58();
}

/** Little-endian number with the discriminator of its instruction before it. */
function encodeData(discriminator: number, value: bigint, bytes: number): Buffer {
  const data = Buffer.alloc(bytes + 1);
  data.writeUInt8(discriminator);
  for (let index = 0; index < bytes; index++) data.writeUInt8(Number((value >> BigInt(8 * index)) & 0xffn), index + 1);
  return data;
}

/** The instructions that official clients write: compute limit, compute price, TransferChecked, memos. */
async function createInstructions(payer: SolanaTestPayer, transfer: SolanaTestTransfer): Promise<TestInstruction[]> {
  const { mint, to, amount, decimals = 6, compute_units = 20_000, micro_lamports = 1n, authority } = transfer;
  const { memos = [Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("hex")] } = transfer;
  const owner = authority ?? payer.address;
  const source = transfer.source ?? (await findTestTokenAccount(owner, mint));
  const destination = transfer.destination ?? (await findTestTokenAccount(to, mint));
  const accounts = [
    { address: source, writable: true },
    { address: mint },
    { address: destination, writable: true },
    { address: owner, signer: true },
  ];
  return [
    { program: COMPUTE_BUDGET, accounts: [], data: encodeData(2, BigInt(compute_units), 4) },
    { program: COMPUTE_BUDGET, accounts: [], data: encodeData(3, micro_lamports, 8) },
    { program: TOKEN, accounts, data: Buffer.concat([encodeData(12, amount, 8), Uint8Array.of(decimals)]) },
    ...memos.map((memo) => ({ program: MEMO, accounts: [], data: Buffer.from(memo) })),
  ];
}

/**
 * The `payload` of an `exact` payment on Solana, signed by the payer exactly with the given terms, right or wrong. It
 * uses another library than the node's own payment code, so that the two can disagree.
 */
export async function signSolanaTransfer(payer: SolanaTestPayer, transfer: SolanaTestTransfer) {
  const { Keypair, PublicKey: Key, TransactionMessage, VersionedTransaction } = await import("@solana/web3.js");
  const key = (address: string): PublicKey => new Key(address);
  const planned = await createInstructions(payer, transfer);
  const message = new TransactionMessage({
    payerKey: key(transfer.fee_payer),
    recentBlockhash: transfer.blockhash,
    instructions: (transfer.change?.(planned) ?? planned).map(({ program, accounts, data }) => ({
      programId: key(program),
      keys: accounts.map(({ address, signer = false, writable = false }) => {
        return { pubkey: key(address), isSigner: signer, isWritable: writable };
      }),
      data: Buffer.from(data),
    })),
  });
  const compiled = transfer.version === "legacy" ? message.compileToLegacyMessage() : message.compileToV0Message();
  const transaction = new VersionedTransaction(compiled);
  const signs = compiled.staticAccountKeys
    .slice(0, compiled.header.numRequiredSignatures)
    .some((one) => one.toBase58() === payer.address);
  if (signs) transaction.sign([Keypair.fromSeed(payer.secret)]);
  return { transaction: Buffer.from(transaction.serialize()).toString("base64") };
}
