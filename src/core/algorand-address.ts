import { createHash } from "node:crypto";
import { base32nopad } from "@scure/base";

const FORM = /^[A-Z2-7]{58}$/;
const KEY_BYTES = 32;
const CHECKSUM_BYTES = 4;

/** SHA-512/256, the hash of Algorand. */
export const sha512_256 = (...parts: readonly (string | Uint8Array)[]): Buffer => {
  const hash = createHash("sha512-256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/**
 * The 32-byte key in an Algorand address, or null when the text is not an address: base32 of the key and of the last 4
 * bytes of its SHA-512/256.
 */
export function decodeAlgorandAddress(text: string): Uint8Array | null {
  if (!FORM.test(text)) return null;
  let bytes: Uint8Array;
  try {
    bytes = base32nopad.decode(text);
  } catch {
    // The two bits left over at the end must be 0: otherwise one key would have four spellings.
    return null;
  }
  const key = bytes.subarray(0, KEY_BYTES);
  return sha512_256(key).subarray(-CHECKSUM_BYTES).equals(bytes.subarray(KEY_BYTES)) ? key : null;
}

/** The address of a 32-byte key. */
export const encodeAlgorandAddress = (key: Uint8Array): string =>
  base32nopad.encode(Buffer.concat([key, sha512_256(key).subarray(-CHECKSUM_BYTES)]));

export const isAlgorandAddress = (text: string): boolean => decodeAlgorandAddress(text) !== null;
