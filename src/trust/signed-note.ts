import { createHash, createPublicKey, verify } from "node:crypto";

/** Whose signature a note may carry. */
export interface NoteKey {
  /** No blank and no plus in it. */
  readonly name: string;
  /** Raw Ed25519 key, base64url. */
  readonly public_key: string;
}

/** Signs raw bytes with an Ed25519 key under a name. */
export interface NoteSigner extends NoteKey {
  /** @returns base64url */
  readonly sign: (bytes: Uint8Array) => string;
}

/** The only kind of signature written here (C2SP signed-note). */
const ED25519 = 1;
const KEY_ID_BYTES = 4;

const keyOf = ({ public_key }: NoteKey): Buffer =>
  Buffer.concat([Uint8Array.of(ED25519), Buffer.from(public_key, "base64url")]);

/** The first bytes of a hash over name and key: it tells signatures apart, and proves nothing. */
const keyIdOf = (signer: NoteKey): Buffer =>
  createHash("sha256").update(`${signer.name}\n`).update(keyOf(signer)).digest().subarray(0, KEY_ID_BYTES);

/** As verifiers of notes are told a key. */
export const renderVerifierKey = (signer: NoteKey): string =>
  `${signer.name}+${keyIdOf(signer).toString("hex")}+${keyOf(signer).toString("base64")}`;

/** @param text whole lines */
export function signNote(text: string, signer: NoteSigner): string {
  const signature = Buffer.from(signer.sign(Buffer.from(text, "utf8")), "base64url");
  const signed = Buffer.concat([keyIdOf(signer), signature]).toString("base64");
  return `${text}\n— ${signer.name} ${signed}\n`;
}

/** A note as it was read; nothing of it is verified. */
export interface ReadNote {
  /** What was signed: whole lines. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

interface NoteSignature {
  readonly name: string;
  /** Key id and signature. */
  readonly bytes: Buffer;
}

const NOTE_CHARS_MAX = 100_000;
/** Other kinds of signatures are longer; they are carried, and not verified here. */
const SIGNATURE_LINE = /^— ([^\s+]{1,200}) ([A-Za-z0-9+/]{8,8000}={0,2})$/u;
const SIGNATURES_MAX = 100;

/** The bytes of base64 (RFC 4648, section 4) in its one spelling; null for every other text. */
export function readBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : null;
}

/** Reads a signed note (C2SP signed-note); null when the text is none. */
export function readNote(note: string): ReadNote | null {
  const end = note.lastIndexOf("\n\n");
  if (end < 1 || note.length > NOTE_CHARS_MAX || !note.endsWith("\n")) return null;
  const lines = note.slice(end + 2, -1).split("\n");
  if (lines.length > SIGNATURES_MAX) return null;
  const signatures: NoteSignature[] = [];
  for (const line of lines) {
    const [, name, packed = ""] = SIGNATURE_LINE.exec(line) ?? [];
    const bytes = readBase64(packed);
    if (name === undefined || bytes === null) return null;
    signatures.push({ name, bytes });
  }
  return { text: note.slice(0, end + 1), signatures };
}

/**
 * Whether a key signed a note: one line names it, and no line that does is wrong. Signatures of others count for
 * nothing, and against nothing.
 */
export function isNoteSignedBy({ text, signatures }: ReadNote, key: NoteKey): boolean {
  const key_id = keyIdOf(key);
  const own = signatures.filter(
    ({ name, bytes }) => name === key.name && key_id.equals(bytes.subarray(0, KEY_ID_BYTES)),
  );
  return own.length > 0 && own.every(({ bytes }) => isSigned(text, bytes.subarray(KEY_ID_BYTES), key.public_key));
}

function isSigned(text: string, signature: Buffer, x: string): boolean {
  try {
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    return verify(null, Buffer.from(text, "utf8"), key, signature);
  } catch (error) {
    // Not every 32 bytes are a point of the curve.
    if (error instanceof Error) return false;
    throw error;
  }
}
