import { keccak_256 } from "@noble/hashes/sha3.js";
import canonicalize from "canonicalize";

/** Lower-case hex SHA-256. In one step: no object is made of it that would have to be collected. */
export const sha256Hex = (data: string | Uint8Array): string => Bun.SHA256.hash(data, "hex");

/** Lower-case hex Keccak-256 of a text, as Ethereum hashes. */
export const keccak256Hex = (text: string): string =>
  Buffer.from(keccak_256(new TextEncoder().encode(text))).toString("hex");

/** Canonical JSON (RFC 8785): equal values give equal text. Throws on NaN and Infinity. */
export function canonicalJSON(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("value has no JSON form");
  return text;
}
