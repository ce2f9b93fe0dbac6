import { type Unusable, unusable } from "../../catalog/unusable.ts";
/** One output: an amount and the script that says who may spend it. */
export interface BitcoinOutput {
  readonly sats: number;
  readonly script: Uint8Array;
}

/** The facts about the spender in an input. The spent output is in an earlier block. */
export interface BitcoinInput {
  readonly script: Uint8Array;
  readonly witness: readonly Uint8Array[];
}

export interface BitcoinTransaction {
  readonly txid: string;
  /** The block's own reward: it spends nothing. */
  readonly is_coinbase: boolean;
  readonly inputs: readonly BitcoinInput[];
  readonly outputs: readonly BitcoinOutput[];
}

export interface BitcoinBlock {
  /** As explorers print it. */
  readonly hash: string;
  readonly previous_hash: string;
  /** The miner's clock. */
  readonly at_ms: number;
  readonly transactions: readonly BitcoinTransaction[];
}

const HEADER_BYTES = 80;
/** Most satoshis there will ever be. */
const SATS_MAX = 21_000_000 * 100_000_000;
const OUTPOINT_NONE = 0xffff_ffff;
/** Fewest bytes of a transaction, an input, an output: a count that promises more than the bytes left is a lie. */
const LEAST = { transaction: 60, input: 41, output: 9, item: 1 } as const;

/** SHA-256 twice over some pieces in a row. */
export function hashTwice(...pieces: readonly Uint8Array[]): Uint8Array {
  const hasher = new Bun.CryptoHasher("sha256");
  for (const piece of pieces) hasher.update(piece);
  return new Bun.CryptoHasher("sha256").update(hasher.digest()).digest();
}

/** Hashes are printed with their bytes turned round. */
export const renderHash = (hash: Uint8Array): string => Buffer.from(hash).reverse().toString("hex");

interface Cursor {
  at(): number;
  take(length: number): Uint8Array;
  u32(): number;
  /** @throws RangeError above 2^53. */
  u64(): number;
  size(): number;
  /** A count of things that take at least so many bytes each. */
  count(least_bytes: number): number;
}

/** Reads forward. Every step @throws RangeError at the end of the bytes. */
function createCursor(bytes: Uint8Array): Cursor {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let position = 0;
  const step = (length: number): number => {
    const from = position;
    if (from + length > bytes.length) throw new RangeError("the bytes end early");
    position += length;
    return from;
  };
  const u64 = (): number => {
    const value = view.getBigUint64(step(8), true);
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError("a number is out of range");
    return Number(value);
  };
  const u32 = (): number => view.getUint32(step(4), true);
  const size = (): number => {
    const first = view.getUint8(step(1));
    if (first === 0xff) return u64();
    if (first === 0xfe) return u32();
    return first === 0xfd ? view.getUint16(step(2), true) : first;
  };
  return {
    at: () => position,
    take(length) {
      const from = step(length);
      return bytes.subarray(from, from + length);
    },
    u32,
    u64,
    size,
    count(least_bytes) {
      const count = size();
      if (count * least_bytes > bytes.length - position) throw new RangeError("a count goes beyond the bytes");
      return count;
    },
  };
}

const times = <T>(count: number, read: () => T): T[] => Array.from({ length: count }, read);

function readInput(cursor: Cursor) {
  cursor.take(32);
  const is_none = cursor.u32() === OUTPOINT_NONE;
  const script = cursor.take(cursor.size());
  cursor.u32();
  return { is_none, script };
}

function readOutput(cursor: Cursor): BitcoinOutput {
  const sats = cursor.u64();
  if (sats > SATS_MAX) throw new RangeError("an output holds more than there is");
  return { sats, script: cursor.take(cursor.size()) };
}

const readWitness = (cursor: Cursor): Uint8Array[] => times(cursor.count(LEAST.item), () => cursor.take(cursor.size()));

/** One transaction; its id leaves the witness out (BIP 141, BIP 144). */
function readTransaction(cursor: Cursor, bytes: Uint8Array) {
  const start = cursor.at();
  const version = cursor.take(4);
  const is_segwit = bytes[cursor.at()] === 0;
  if (is_segwit && cursor.take(2)[1] !== 1) throw new RangeError("a transaction has unknown flags");
  const body = cursor.at();
  const spent = times(cursor.count(LEAST.input), () => readInput(cursor));
  const outputs = times(cursor.count(LEAST.output), () => readOutput(cursor));
  const body_end = cursor.at();
  const witnesses = is_segwit ? spent.map(() => readWitness(cursor)) : [];
  const lock_time = cursor.take(4);
  const hash = is_segwit
    ? hashTwice(version, bytes.subarray(body, body_end), lock_time)
    : hashTwice(bytes.subarray(start, cursor.at()));
  const transaction: BitcoinTransaction = {
    txid: renderHash(hash),
    is_coinbase: spent.length === 1 && spent[0]?.is_none === true,
    inputs: spent.map(({ script }, index) => ({ script, witness: witnesses[index] ?? [] })),
    outputs,
  };
  return { hash, transaction };
}

/** Root of the tree of transaction ids; an odd one out is paired with itself. */
export function getMerkleRoot(hashes: readonly Uint8Array[]): Uint8Array {
  let level = hashes;
  while (level.length > 1) {
    level = Array.from({ length: Math.ceil(level.length / 2) }, (_, index) => {
      const left = level[index * 2] ?? new Uint8Array(32);
      return hashTwice(left, level[index * 2 + 1] ?? left);
    });
  }
  return level[0] ?? new Uint8Array(32);
}

function readBlock(bytes: Uint8Array): BitcoinBlock | Unusable {
  const cursor = createCursor(bytes);
  const header = cursor.take(HEADER_BYTES);
  const read = times(cursor.count(LEAST.transaction), () => readTransaction(cursor, bytes));
  if (cursor.at() !== bytes.length) return unusable("bytes follow the last transaction");
  const transactions = read.map(({ transaction }) => transaction);
  // A list with its end repeated has the same root (CVE-2012-2459): amounts would count twice.
  if (new Set(transactions.map(({ txid }) => txid)).size !== transactions.length)
    return unusable("a transaction comes twice");
  const root = getMerkleRoot(read.map(({ hash }) => hash));
  if (!Buffer.from(root).equals(header.subarray(36, 68)))
    return unusable("the transactions are not those of the header");
  return {
    hash: renderHash(hashTwice(header)),
    previous_hash: renderHash(header.subarray(4, 36)),
    at_ms: new DataView(header.buffer, header.byteOffset).getUint32(68, true) * 1000,
    transactions,
  };
}

/**
 * Reads a whole block of Bitcoin from its bytes, or says why it cannot be one: what it returns hashes to `hash`, and
 * its transactions to the root in its header, so whoever sent the bytes can have changed nothing of a block that is
 * asked for by its hash. The work behind the hash is not looked at.
 * Layout: https://developer.bitcoin.org/reference/block_chain.html, BIP 144.
 */
export function parseBitcoinBlock(bytes: Uint8Array): BitcoinBlock | Unusable {
  try {
    return readBlock(bytes);
  } catch (error) {
    if (error instanceof RangeError) return unusable(error.message);
    throw error;
  }
}
