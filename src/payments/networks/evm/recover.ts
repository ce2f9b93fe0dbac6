import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { keccak_256 } from "@noble/hashes/sha3.js";
// The package lets nobody import this file, and its own loader finds it in a folder only, never in our binary.
import wasm_path from "../../../../node_modules/tiny-secp256k1/lib/secp256k1.wasm" with { type: "file" };
import { once } from "../../../core/once.ts";

/** r, s and v. */
const SIGNATURE = /^0x[0-9a-fA-F]{128}(?:00|01|1[bB]|1[cC])$/;
const DIGEST = /^0x[0-9a-fA-F]{64}$/;
const DIGEST_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** 0x04, x and y. */
const KEY_BYTES = 65;
const ADDRESS_BYTES = 20;
const ZERO = "0".repeat(64);
/** Of the curve, in hex. */
const ORDER = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";

/** What is used of libsecp256k1: buffers at fixed places of its memory, and one function. */
interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly HASH_INPUT: WebAssembly.Global<"i32">;
  readonly SIGNATURE_INPUT: WebAssembly.Global<"i32">;
  readonly PUBLIC_KEY_INPUT: WebAssembly.Global<"i32">;
  initializeContext(): void;
  recover(key_bytes: number, parity: number): number;
}

/** Recovers public keys. */
interface Library {
  /** @returns the uncompressed key, good until the next call; null when the signature is no key's. */
  recover(digest: Uint8Array, signature: Uint8Array, parity: number): Uint8Array | null;
}

async function load(): Promise<Library> {
  const { instance } = await WebAssembly.instantiate(readFileSync(wasm_path), {
    // Noise against side channels when it signs, which is not done here.
    "./rand.js": { generateInt32: () => randomBytes(4).readInt32BE(0) },
    "./validate_error.js": {
      throwError: (code: number): never => {
        throw new Error(`libsecp256k1 refuses its input: ${code}`);
      },
    },
  });
  const library = instance.exports as unknown as Exports;
  library.initializeContext();
  const view = (at: WebAssembly.Global<"i32">, bytes: number) =>
    new Uint8Array(library.memory.buffer, Number(at.value), bytes);
  return {
    recover(digest, signature, parity) {
      view(library.HASH_INPUT, DIGEST_BYTES).set(digest);
      view(library.SIGNATURE_INPUT, SIGNATURE_BYTES).set(signature);
      return library.recover(KEY_BYTES, parity) === 1 ? view(library.PUBLIC_KEY_INPUT, KEY_BYTES) : null;
    },
  };
}

// Loaded with the first signature: a node that is never paid on such a network does without it.
const loadOnce = once(load);

/** Whether 64 digits in lower case are a number that a signature may hold: above 0, below the curve's order. */
const isScalar = (digits: string): boolean => digits > ZERO && digits < ORDER;

/**
 * Whose key made a signature (ecrecover), by libsecp256k1: every stranger can make the node do it, and every voucher of
 * a channel does. In JavaScript it costs five times as much.
 *
 * @param digest what was signed: 0x and 64 hex digits
 * @param signature r, s and v (0, 1, 27 or 28) in hex. Either half of s will do: a caller that accepts only one half
 * checks that itself
 * @returns the address, in lower case; null when no key made it
 */
export async function recoverSigner(digest: string, signature: string): Promise<string | null> {
  if (!DIGEST.test(digest) || !SIGNATURE.test(signature)) return null;
  const [r, s, v] = [signature.slice(2, 66), signature.slice(66, 130), signature.slice(130)];
  // Beyond these the library would not answer but throw, and leave its stack as it was.
  if (!isScalar(r.toLowerCase()) || !isScalar(s.toLowerCase())) return null;
  const { recover } = await loadOnce();
  const parity = v === "01" || v.toLowerCase() === "1c" ? 1 : 0;
  const key = recover(Buffer.from(digest.slice(2), "hex"), Buffer.from(`${r}${s}`, "hex"), parity);
  if (key === null) return null;
  const hash = keccak_256(key.subarray(1));
  return `0x${Buffer.from(hash.subarray(-ADDRESS_BYTES)).toString("hex")}`;
}
