import { createHash } from "node:crypto";

/** A Bitcoin block given by the verifier, from a trusted node or explorer. */
export interface KnownBlock {
  readonly height: number;
  /** The bytes in the order of the header; explorers show them reversed. */
  readonly merkle_root: Uint8Array;
  /** Null if only the root was given. */
  readonly time_ms: number | null;
}

const GIVEN = /^(0|[1-9]\d{0,8}):([0-9a-f]{64}|[0-9a-f]{160})$/i;
const HEADER_HEX = 160;
const ROOT_AT = 36;
const TIME_AT = 68;
const BITS_AT = 72;
const HASH_BYTES = 32;
const MANTISSA = 0x1_00_00_00;
const SIGN = 0x80_00_00;
const SECOND_MS = 1_000;

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest();
const numberOf = (reversed: Uint8Array): bigint => BigInt(`0x${Buffer.from(reversed.toReversed()).toString("hex")}`);

/** Whether the header's hash is as low as the header itself demands, which rules out a typing error. */
function hasWork(header: Buffer): boolean {
  const bits = header.readUInt32LE(BITS_AT);
  const [size, mantissa] = [Math.floor(bits / MANTISSA), bits % MANTISSA];
  if (mantissa === 0 || mantissa >= SIGN || size > HASH_BYTES) return false;
  const target = size <= 3 ? BigInt(mantissa) >> BigInt(8 * (3 - size)) : BigInt(mantissa) << BigInt(8 * (size - 3));
  return numberOf(sha256(sha256(header))) <= target;
}

/**
 * Reads "358391:0200…", with a header of 80 bytes or with the Merkle root in the form of explorers.
 * @returns the reason if it is neither
 */
export function readKnownBlock(text: string): KnownBlock | string {
  const [, height, hex = ""] = GIVEN.exec(text) ?? [];
  if (height === undefined) return "a block is its height, a colon and its header (160 digits) or Merkle root (64)";
  const bytes = Buffer.from(hex, "hex");
  if (hex.length < HEADER_HEX) return { height: Number(height), merkle_root: bytes.toReversed(), time_ms: null };
  if (!hasWork(bytes)) return `no block has the header given for ${height}: its hash does not meet its own target`;
  const time_ms = bytes.readUInt32LE(TIME_AT) * SECOND_MS;
  return { height: Number(height), merkle_root: bytes.subarray(ROOT_AT, ROOT_AT + HASH_BYTES), time_ms };
}
