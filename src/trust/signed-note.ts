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

/** Kinds of signatures (C2SP signed-note): over the text itself, and a witness' over it and a time. */
const ED25519 = 1;
const COSIGNATURE = 4;
type SignatureKind = typeof ED25519 | typeof COSIGNATURE;
const KEY_ID_BYTES = 4;
const TIME_BYTES = 8;

const keyOf = ({ public_key }: NoteKey, kind: SignatureKind): Buffer =>
  Buffer.concat([Uint8Array.of(kind), Buffer.from(public_key, "base64url")]);

/** The first bytes of a hash over name and key: it tells signatures apart, and proves nothing. */
const keyIdOf = (signer: NoteKey, kind: SignatureKind): Buffer =>
  createHash("sha256").update(`${signer.name}\n`).update(keyOf(signer, kind)).digest().subarray(0, KEY_ID_BYTES);

const renderKey = (signer: NoteKey, kind: SignatureKind): string =>
  `${signer.name}+${keyIdOf(signer, kind).toString("hex")}+${keyOf(signer, kind).toString("base64")}`;
/** As verifiers of notes are told a key. */
export const renderVerifierKey = (signer: NoteKey): string => renderKey(signer, ED25519);
/** As verifiers of cosignatures are told a witness' key. */
export const renderWitnessKey = (signer: NoteKey): string => renderKey(signer, COSIGNATURE);

/** @param text whole lines */
export function signNote(text: string, signer: NoteSigner): string {
  const signature = Buffer.from(signer.sign(Buffer.from(text, "utf8")), "base64url");
  return `${text}\n${renderSignature(signer.name, [keyIdOf(signer, ED25519), signature])}`;
}

const renderSignature = (name: string, parts: readonly Uint8Array[]): string =>
  `— ${name} ${Buffer.concat(parts).toString("base64")}\n`;

/** What a witness signs of a checkpoint (C2SP tlog-cosignature): nothing else that a node signs begins so. */
const cosignedText = (text: string, time_s: number | bigint): string => `cosignature/v1\ntime ${time_s}\n${text}`;

const VERIFIER_KEY = /^([^\s+]{1,200})\+[0-9a-f]{8}\+([A-Za-z0-9+/]{44})$/u;

/** Reads the key of a witness, as `renderWitnessKey` writes it; null when the text is none. */
export function readWitnessKey(text: string): NoteKey | null {
  const [, name = "", packed = ""] = VERIFIER_KEY.exec(text) ?? [];
  const key = { name, public_key: (readBase64(packed) ?? Buffer.alloc(0)).subarray(1).toString("base64url") };
  return name !== "" && renderWitnessKey(key) === text ? key : null;
}

/**
 * That a witness saw this checkpoint, and none of a longer log, at a time.
 * @returns a line to put below the checkpoint
 */
export function cosign(text: string, signer: NoteSigner, time_s: number): string {
  const time = Buffer.alloc(TIME_BYTES);
  time.writeBigUInt64BE(BigInt(time_s));
  const signature = Buffer.from(signer.sign(Buffer.from(cosignedText(text, time_s), "utf8")), "base64url");
  return renderSignature(signer.name, [keyIdOf(signer, COSIGNATURE), time, signature]);
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

/** What is signed under a key's name and id, without the id. */
function listOwn({ signatures }: ReadNote, key: NoteKey, kind: SignatureKind): readonly Buffer[] {
  const key_id = keyIdOf(key, kind);
  return signatures
    .filter(({ name, bytes }) => name === key.name && key_id.equals(bytes.subarray(0, KEY_ID_BYTES)))
    .map(({ bytes }) => bytes.subarray(KEY_ID_BYTES));
}

/**
 * Whether a key signed a note: one line names it, and no line that does is wrong. Signatures of others count for
 * nothing, and against nothing.
 */
export function isNoteSignedBy(note: ReadNote, key: NoteKey): boolean {
  const own = listOwn(note, key, ED25519);
  return own.length > 0 && own.every((signature) => isSigned(note.text, signature, key.public_key));
}

/** When a witness cosigned a note at the latest, in seconds; null where it did not, or a line of its own is wrong. */
export function readCosignedAt(note: ReadNote, key: NoteKey): number | null {
  const times = listOwn(note, key, COSIGNATURE).map((bytes) => {
    if (bytes.length <= TIME_BYTES) return null;
    const time_s = bytes.readBigUInt64BE(0);
    return isSigned(cosignedText(note.text, time_s), bytes.subarray(TIME_BYTES), key.public_key) ? time_s : null;
  });
  if (times.length === 0 || times.includes(null)) return null;
  return Math.max(...times.map(Number));
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
