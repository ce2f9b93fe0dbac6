import { bech32, bech32m, createBase58check } from "@scure/base";
import type { BitcoinInput } from "./bitcoin-block.ts";

const sha256 = (data: Uint8Array): Uint8Array => new Bun.CryptoHasher("sha256").update(data).digest();
const hash160 = (data: Uint8Array): Uint8Array => new Bun.CryptoHasher("ripemd160").update(sha256(data)).digest();
const base58check = createBase58check(sha256);

const OP = {
  DUP: 0x76,
  HASH160: 0xa9,
  EQUAL: 0x87,
  EQUALVERIFY: 0x88,
  CHECKSIG: 0xac,
  ONE: 0x51,
  SIXTEEN: 0x60,
} as const;
const PUSHDATA = { ONE: 0x4c, TWO: 0x4d } as const;

const toKeyHash = (hash: Uint8Array): string => base58check.encode(Uint8Array.of(0x00, ...hash));
const toScriptHash = (hash: Uint8Array): string => base58check.encode(Uint8Array.of(0x05, ...hash));
/** Version 0 is bech32 (BIP 173), later ones bech32m (BIP 350). */
const toWitness = (version: number, program: Uint8Array): string =>
  (version === 0 ? bech32 : bech32m).encode("bc", [version, ...bech32.toWords(program)]);

const startsWith = (bytes: Uint8Array, ...head: readonly number[]): boolean =>
  head.every((byte, index) => bytes[index] === byte);

/** The address of an output's script on Bitcoin's main network; null for a bare key, data, and whatever has none. */
export function readAddress(script: Uint8Array): string | null {
  const [first = 0, length = 0] = script;
  if (script.length === 25 && startsWith(script, OP.DUP, OP.HASH160, 20)) {
    return startsWith(script.subarray(23), OP.EQUALVERIFY, OP.CHECKSIG) ? toKeyHash(script.subarray(3, 23)) : null;
  }
  if (script.length === 23 && startsWith(script, OP.HASH160, 20)) {
    return script[22] === OP.EQUAL ? toScriptHash(script.subarray(2, 22)) : null;
  }
  const version = first === 0 ? 0 : first >= OP.ONE && first <= OP.SIXTEEN ? first - OP.ONE + 1 : null;
  const is_program = version !== null && length >= 2 && length <= 40 && script.length === length + 2;
  // Version 0 has programs of 20 and 32 bytes only.
  if (!is_program || (version === 0 && length !== 20 && length !== 32)) return null;
  return toWitness(version, script.subarray(2));
}

/** What a script pushes, if it does nothing else; null otherwise. */
function listPushes(script: Uint8Array): readonly Uint8Array[] | null {
  const pushes: Uint8Array[] = [];
  for (let at = 0; at < script.length; ) {
    const op = script[at] ?? 0;
    const [head, length] =
      op < PUSHDATA.ONE
        ? [1, op]
        : op === PUSHDATA.ONE
          ? [2, script[at + 1] ?? 0]
          : [3, (script[at + 1] ?? 0) + 256 * (script[at + 2] ?? 0)];
    if (op > PUSHDATA.TWO || at + head + length > script.length) return null;
    pushes.push(script.subarray(at + head, at + head + length));
    at += head + length;
  }
  return pushes;
}

const isKey = (bytes: Uint8Array): boolean =>
  (bytes.length === 33 && (bytes[0] === 2 || bytes[0] === 3)) || (bytes.length === 65 && bytes[0] === 4);
const isSignature = (bytes: Uint8Array): boolean => bytes[0] === 0x30 && bytes.length >= 67 && bytes.length <= 73;
/** The last item of a Taproot script path (BIP 341): it names a script of the output, not the output's address. */
const isControlBlock = (bytes: Uint8Array): boolean =>
  bytes.length >= 33 && (bytes.length - 33) % 32 === 0 && ((bytes[0] ?? 0) & 0xfe) === 0xc0;

function readWitnessSender(witness: readonly Uint8Array[]): string | null {
  const last = witness.at(-1);
  if (!last || witness.length < 2 || isControlBlock(last) || last[0] === 0x50) return null;
  return witness.length === 2 && isKey(last) ? toWitness(0, hash160(last)) : toWitness(0, sha256(last));
}

/**
 * The address an input spends from, where the input itself proves it by the key or the script it shows; null for
 * Taproot and bare keys, where only the earlier block tells.
 */
export function readSender({ script, witness }: BitcoinInput): string | null {
  if (script.length === 0) return readWitnessSender(witness);
  const pushes = listPushes(script);
  const last = pushes?.at(-1);
  if (!pushes || !last || last.length === 0) return null;
  if (witness.length === 0 && pushes.length === 2 && isKey(last)) return toKeyHash(hash160(last));
  // Bare keys are spent by signatures alone: nothing says whose they were.
  if (witness.length === 0 && (pushes.length === 1 || isSignature(last))) return null;
  return toScriptHash(hash160(last));
}
