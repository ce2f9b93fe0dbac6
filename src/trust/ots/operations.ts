import { createHash } from "node:crypto";
import { keccak_256 } from "@noble/hashes/sha3.js";

/** A step from one message of a proof to the next. */
export interface OtsOperation {
  readonly tag: number;
  /** Argument of append and prepend; null for the others. */
  readonly argument: Uint8Array | null;
}

/** Largest message or argument in bytes, as in every implementation. */
const BYTES_MAX = 4_096;

export class OtsError extends Error {
  override readonly name = "OtsError";
}

type Unary = (message: Uint8Array) => Uint8Array;
const digest = (name: string): Unary => {
  return (message) => createHash(name).update(message).digest();
};
const APPEND = 0xf0;
const PREPEND = 0xf1;
export const SHA256 = 0x08;
const UNARY: ReadonlyMap<number, Unary> = new Map<number, Unary>([
  [0x02, digest("sha1")],
  [0x03, digest("ripemd160")],
  [SHA256, digest("sha256")],
  [0x67, keccak_256],
  [0xf2, (message) => message.toReversed()],
  [0xf3, (message) => Buffer.from(Buffer.from(message).toString("hex"), "latin1")],
]);
/** Hashes that may identify a file, with their lengths. */
export const FILE_HASHES: ReadonlyMap<number, number> = new Map([
  [0x02, 20],
  [0x03, 20],
  [SHA256, 32],
  [0x67, 32],
]);

export const takesArgument = (tag: number): boolean => tag === APPEND || tag === PREPEND;
export const sha256: OtsOperation = { tag: SHA256, argument: null };
export const append = (argument: Uint8Array): OtsOperation => ({ tag: APPEND, argument });
export const prepend = (argument: Uint8Array): OtsOperation => ({ tag: PREPEND, argument });

/** @throws OtsError for an unknown operation, or a message that is too long. */
export function apply({ tag, argument }: OtsOperation, message: Uint8Array): Uint8Array {
  const result = argument === null ? applyUnary(tag, message) : applyBinary(tag, message, argument);
  if (result.length === 0 || result.length > BYTES_MAX) throw new OtsError("a message is empty or too long");
  return result;
}

function applyUnary(tag: number, message: Uint8Array): Uint8Array {
  const run = UNARY.get(tag);
  if (run === undefined) throw new OtsError(`operation 0x${tag.toString(16)} is unknown`);
  return run(message);
}

function applyBinary(tag: number, message: Uint8Array, argument: Uint8Array): Uint8Array {
  if (argument.length === 0 || argument.length > BYTES_MAX) throw new OtsError("an argument is empty or too long");
  return Buffer.concat(tag === APPEND ? [message, argument] : [argument, message]);
}
