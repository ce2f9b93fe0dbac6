/**
 * Reading of a Solana wire transaction, legacy or version 0, from the format the Solana documentation gives
 * (solana.com/docs/core/transactions). Everything a validator would refuse as malformed is refused here, and so is
 * every byte left over, so that two texts are the same payment exactly when their messages are equal.
 */

/** What a network packet holds (1280) less its headers. */
const TRANSACTION_BYTES_MAX = 1_232;
const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const BASE64_CHARS_MAX = Math.ceil(TRANSACTION_BYTES_MAX / 3) * 4;

export interface SolanaInstruction {
  /** Index into `accounts`. */
  readonly program: number;
  /** Indexes into `accounts`. */
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
}

export interface SolanaTransaction {
  /** One slot per required signature, in the order of `accounts`; slot 0 is the fee payer's. */
  readonly signatures: readonly Uint8Array[];
  /** What is signed: everything after the signatures. */
  readonly message: Uint8Array;
  /** Keys in lower-case hex. Account 0 pays the network fee. */
  readonly accounts: readonly string[];
  readonly blockhash: Uint8Array;
  readonly instructions: readonly SolanaInstruction[];
  /** Address tables a version 0 message takes more accounts from; unread, because nothing we take may use them. */
  readonly lookup_tables: number;
}

class Malformed extends Error {}

/** A cursor that never reads past the end. */
function createCursor(bytes: Uint8Array) {
  let at = 0;
  const take = (count: number): Uint8Array => {
    if (at + count > bytes.length) throw new Malformed("too short");
    at += count;
    return bytes.subarray(at - count, at);
  };
  const byte = (): number => take(1)[0] ?? 0;
  /** Length of a list: 7 bits a byte, low ones first, at most 16 bits; like a validator, only the shortest spelling. */
  const length = (): number => {
    let value = 0;
    for (let index = 0; index < 3; index++) {
      const next = byte();
      value |= (next & 0x7f) << (7 * index);
      if (next >= 0x80) continue;
      if ((next === 0 && index > 0) || value > 0xffff) break;
      return value;
    }
    throw new Malformed("bad length");
  };
  return { take, byte, length, rest: () => bytes.subarray(at), isDone: () => at === bytes.length };
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const VERSIONED = 0x80;

function readInstruction(cursor: ReturnType<typeof createCursor>, accounts_count: number): SolanaInstruction {
  const program = cursor.byte();
  const accounts = [...cursor.take(cursor.length())];
  const data = cursor.take(cursor.length());
  // Account 0 pays and is no program. With lookup tables an index may point beyond the keys that are in the message.
  if (program === 0 || program >= accounts_count) throw new Malformed("bad program");
  return { program, accounts, data };
}

function readMessage(message: Uint8Array): Omit<SolanaTransaction, "signatures"> & { signers: number } {
  const cursor = createCursor(message);
  const first = cursor.byte();
  const versioned = first >= VERSIONED;
  if (first > VERSIONED) throw new Malformed("unknown version");
  const signers = versioned ? cursor.byte() : first;
  const [readonly_signers, readonly_others] = [cursor.byte(), cursor.byte()];
  const count = cursor.length();
  const accounts = Array.from({ length: count }, () => hex(cursor.take(KEY_BYTES)));
  if (readonly_signers >= signers || signers + readonly_others > count) throw new Malformed("bad header");
  if (new Set(accounts).size !== count) throw new Malformed("an account twice");
  const blockhash = cursor.take(KEY_BYTES);
  const instructions = Array.from({ length: cursor.length() }, () => readInstruction(cursor, count));
  const lookup_tables = versioned ? cursor.length() : 0;
  if (lookup_tables === 0) {
    if (!cursor.isDone()) throw new Malformed("bytes left over");
    if (instructions.some((one) => one.accounts.some((index) => index >= count))) throw new Malformed("bad account");
  }
  return { signers, message, accounts, blockhash, instructions, lookup_tables };
}

/** Reads the bytes of a transaction, or null when a validator could not. */
export function parseTransaction(bytes: Uint8Array): SolanaTransaction | null {
  if (bytes.length > TRANSACTION_BYTES_MAX) return null;
  try {
    const cursor = createCursor(bytes);
    const signatures = Array.from({ length: cursor.length() }, () => cursor.take(SIGNATURE_BYTES));
    const { signers, ...rest } = readMessage(cursor.rest());
    return signers === signatures.length ? { ...rest, signatures } : null;
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
}

/** The same from base64, in any of its spellings. */
export function parseBase64Transaction(text: string): SolanaTransaction | null {
  if (text.length > BASE64_CHARS_MAX || !BASE64.test(text)) return null;
  return parseTransaction(Buffer.from(text, "base64"));
}
