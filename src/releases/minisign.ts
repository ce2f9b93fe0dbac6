import { createHash, createPublicKey, verify } from "node:crypto";

/** A public key as minisign prints it: "Ed", an id of 8 bytes, 32 bytes of Ed25519. */
export interface ReleaseKey {
  readonly id: string;
  readonly raw: Buffer;
}

const KEY_BYTES = 42;
const SIGNATURE_BYTES = 74;
const ID = { start: 2, end: 10 } as const;
/** DER of an Ed25519 key (RFC 8410, section 4), before its 32 bytes. */
const SPKI = Buffer.from("302a300506032b6570032100", "hex");
const TRUSTED = "trusted comment: ";

/** @throws Error when the text is no minisign public key. */
export function parseReleaseKey(text: string): ReleaseKey {
  const line = text.trim().split("\n").at(-1)?.trim() ?? "";
  const bytes = Buffer.from(line, "base64");
  if (bytes.length !== KEY_BYTES || bytes.toString("latin1", 0, 2) !== "Ed") {
    throw new Error("this is no minisign public key");
  }
  return { id: bytes.toString("hex", ID.start, ID.end), raw: bytes.subarray(ID.end) };
}

const isSigned = (key: ReleaseKey, bytes: Uint8Array, signature: Uint8Array): boolean =>
  verify(null, bytes, createPublicKey({ key: Buffer.concat([SPKI, key.raw]), format: "der", type: "spki" }), signature);

/**
 * Checks a file against its minisign signature (jedisct1.github.io/minisign, "Signature format"): the prehashed form
 * "ED" that minisign makes today, and the older "Ed". The trusted comment is signed together with the signature.
 * @returns the trusted comment.
 * @throws Error that says why the file is not to be trusted.
 */
export function checkMinisign(file: Uint8Array, signature_text: string, key: ReleaseKey): string {
  const [, encoded = "", comment = "", global = ""] = signature_text.split("\n").map((line) => line.trimEnd());
  const bytes = Buffer.from(encoded, "base64");
  if (bytes.length !== SIGNATURE_BYTES || !comment.startsWith(TRUSTED)) throw new Error("the signature is malformed");
  const algorithm = bytes.toString("latin1", 0, 2);
  if (algorithm !== "ED" && algorithm !== "Ed") throw new Error(`the signature is of an unknown kind`);
  const id = bytes.toString("hex", ID.start, ID.end);
  if (id !== key.id) throw new Error(`it is signed with another key (${id}, not ${key.id})`);
  const signature = bytes.subarray(ID.end);
  const signed = algorithm === "ED" ? createHash("blake2b512").update(file).digest() : file;
  if (!isSigned(key, signed, signature)) throw new Error("the signature does not fit the file");
  const trusted = comment.slice(TRUSTED.length);
  if (!isSigned(key, Buffer.concat([signature, Buffer.from(trusted)]), Buffer.from(global, "base64"))) {
    throw new Error("the trusted comment is not signed");
  }
  return trusted;
}
