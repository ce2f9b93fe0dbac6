import { createHash, createPublicKey, verify, type webcrypto } from "node:crypto";

/** A key that may sign notes. */
export interface NoteKey {
  /** Its name, without blanks and plus signs. */
  readonly name: string;
  /** Raw key, base64url. */
  readonly public_key: string;
  /** Its algorithm; default: Ed25519. Only witnesses have another one. */
  readonly algorithm?: "ml-dsa-44";
}

/** Signs raw bytes with an Ed25519 key under a name. */
export interface NoteSigner extends NoteKey {
  /** @returns base64url */
  readonly sign: (bytes: Uint8Array) => string;
}

/** Kinds of signatures (C2SP signed-note): over the text, and a witness's over text and time, by two algorithms. */
const ED25519 = 1;
const COSIGNATURE = 4;
const ML_DSA_COSIGNATURE = 6;
type CosignatureKind = typeof COSIGNATURE | typeof ML_DSA_COSIGNATURE;
type SignatureKind = typeof ED25519 | CosignatureKind;
const KEY_BYTES: Readonly<Record<CosignatureKind, number>> = { [COSIGNATURE]: 32, [ML_DSA_COSIGNATURE]: 1_312 };
const cosignatureKindOf = ({ algorithm }: NoteKey): CosignatureKind =>
  algorithm === "ml-dsa-44" ? ML_DSA_COSIGNATURE : COSIGNATURE;
const KEY_ID_BYTES = 4;
const TIME_BYTES = 8;

const keyOf = ({ public_key }: NoteKey, kind: SignatureKind): Buffer =>
  Buffer.concat([Uint8Array.of(kind), Buffer.from(public_key, "base64url")]);

/** The first bytes of a hash over name and key. They distinguish signatures, but prove nothing. */
const keyIdOf = (signer: NoteKey, kind: SignatureKind): Buffer =>
  createHash("sha256").update(`${signer.name}\n`).update(keyOf(signer, kind)).digest().subarray(0, KEY_ID_BYTES);

const renderKey = (signer: NoteKey, kind: SignatureKind): string =>
  `${signer.name}+${keyIdOf(signer, kind).toString("hex")}+${keyOf(signer, kind).toString("base64")}`;
/** A key in the form for verifiers of notes. */
export const renderVerifierKey = (signer: NoteKey): string => renderKey(signer, ED25519);
/** A witness's key in the form for verifiers of cosignatures. */
export const renderWitnessKey = (signer: NoteKey): string => renderKey(signer, cosignatureKindOf(signer));

/** @param text whole lines */
export function signNote(text: string, signer: NoteSigner): string {
  const signature = Buffer.from(signer.sign(Buffer.from(text, "utf8")), "base64url");
  return `${text}\n${renderSignature(signer.name, [keyIdOf(signer, ED25519), signature])}`;
}

const renderSignature = (name: string, parts: readonly Uint8Array[]): string =>
  `— ${name} ${Buffer.concat(parts).toString("base64")}\n`;

/** The text that a witness signs for a checkpoint (C2SP tlog-cosignature). No other text of a node begins like it. */
const cosignedText = (text: string, time_s: number | bigint): string => `cosignature/v1\ntime ${time_s}\n${text}`;

const VERIFIER_KEY = /^([^\s+]{1,200})\+[0-9a-f]{8}\+([A-Za-z0-9+/]{44}|[A-Za-z0-9+/]{1751}=)$/u;

/** Reads the key of a witness in the form of `renderWitnessKey`; null for an invalid text. */
export function readWitnessKey(text: string): NoteKey | null {
  const [, name = "", packed = ""] = VERIFIER_KEY.exec(text) ?? [];
  const bytes = readBase64(packed) ?? Buffer.alloc(0);
  const own = { name, public_key: bytes.subarray(1).toString("base64url") };
  const key: NoteKey = bytes[0] === ML_DSA_COSIGNATURE ? { ...own, algorithm: "ml-dsa-44" } : own;
  if (name === "" || bytes.length !== 1 + KEY_BYTES[cosignatureKindOf(key)]) return null;
  return renderWitnessKey(key) === text ? key : null;
}

/**
 * Signs that, at a given time, a witness had seen this checkpoint and none of a longer log.
 * @returns a line to put below the checkpoint
 */
export function cosign(text: string, signer: NoteSigner, time_s: number): string {
  const time = Buffer.alloc(TIME_BYTES);
  time.writeBigUInt64BE(BigInt(time_s));
  const signature = Buffer.from(signer.sign(Buffer.from(cosignedText(text, time_s), "utf8")), "base64url");
  return renderSignature(signer.name, [keyIdOf(signer, COSIGNATURE), time, signature]);
}

/** A parsed, unverified note. */
export interface ReadNote {
  /** The signed text, in whole lines. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

interface NoteSignature {
  readonly name: string;
  /** Key id and signature. */
  readonly bytes: Buffer;
}

const NOTE_CHARS_MAX = 100_000;
/** Other kinds of signatures are longer; they are kept, but not verified here. */
const SIGNATURE_LINE = /^— ([^\s+]{1,200}) ([A-Za-z0-9+/]{8,8000}={0,2})$/u;
const SIGNATURES_MAX = 100;

/** The bytes of canonical base64 (RFC 4648, section 4); null for any other text. */
export function readBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : null;
}

/** Reads a signed note (C2SP signed-note); null for an invalid text. */
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

/** The signatures under a key's name and id, without the id. */
function listOwn({ signatures }: ReadNote, key: NoteKey, kind: SignatureKind): readonly Buffer[] {
  const key_id = keyIdOf(key, kind);
  return signatures
    .filter(({ name, bytes }) => name === key.name && key_id.equals(bytes.subarray(0, KEY_ID_BYTES)))
    .map(({ bytes }) => bytes.subarray(KEY_ID_BYTES));
}

/**
 * Whether a key signed a note: at least one line names the key, and every such line is valid. Signatures of other keys
 * do not matter.
 */
export function isNoteSignedBy(note: ReadNote, key: NoteKey): boolean {
  const own = listOwn(note, key, ED25519);
  return own.length > 0 && own.every((signature) => isSigned(note.text, signature, key.public_key));
}

/** The latest time at which a witness cosigned a note, in seconds; null without one, or if a line of it is invalid. */
export function readCosignedAt(note: ReadNote, key: NoteKey): number | null {
  const times = listOwn(note, key, cosignatureKindOf(key)).map((bytes) => {
    if (bytes.length <= TIME_BYTES) return null;
    const time_s = bytes.readBigUInt64BE(0);
    return isCosigned(note.text, key, { time_s, signature: bytes.subarray(TIME_BYTES) }) ? time_s : null;
  });
  if (times.length === 0 || times.includes(null)) return null;
  return Math.max(...times.map(Number));
}

interface TimedSignature {
  readonly time_s: bigint;
  readonly signature: Buffer;
}

function isCosigned(text: string, key: NoteKey, { time_s, signature }: TimedSignature): boolean {
  if (key.algorithm === undefined) return isSigned(cosignedText(text, time_s), signature, key.public_key);
  const message = renderCosignedMessage(text, key.name, time_s);
  if (message === null) return false;
  const jwk = { kty: "AKP", alg: "ML-DSA-44", pub: key.public_key };
  return isVerified(message, signature, jwk);
}

const SUBTREE_LABEL = "subtree/v1\n\0";
const SIZE = /^(?:0|[1-9]\d{0,14})$/;
const ROOT_BYTES = 32;
const TIME_MAX = 2n ** 63n - 1n;

/**
 * The message that a witness signs with ML-DSA-44 for a checkpoint (C2SP tlog-cosignature, `cosigned_message`): the
 * tree and the witness's own name, but not the lines that a log may add. Null for an invalid checkpoint, and without a
 * time, because such a signature would say nothing about longer trees.
 */
function renderCosignedMessage(text: string, cosigner: string, time_s: bigint): Buffer | null {
  const [origin = "", size = "", hash = ""] = text.split("\n");
  const root = readBase64(hash);
  if (!SIZE.test(size) || root?.length !== ROOT_BYTES || time_s < 1n || time_s > TIME_MAX) return null;
  const [name, log] = [cosigner, origin].map((one) => Buffer.from(one, "utf8"));
  if (!name || !log || [name, log].some(({ length }) => length < 1 || length > 255)) return null;
  const numbers = Buffer.alloc(3 * TIME_BYTES);
  numbers.writeBigUInt64BE(time_s, 0);
  numbers.writeBigUInt64BE(BigInt(size), 2 * TIME_BYTES);
  const time = numbers.subarray(0, TIME_BYTES);
  const named = [Uint8Array.of(name.length), name, time, Uint8Array.of(log.length), log];
  return Buffer.concat([Buffer.from(SUBTREE_LABEL, "utf8"), ...named, numbers.subarray(TIME_BYTES), root]);
}

const isSigned = (text: string, signature: Buffer, x: string): boolean =>
  isVerified(Buffer.from(text, "utf8"), signature, { kty: "OKP", crv: "Ed25519", x });

/** ML-DSA keys have their bytes in `pub`. */
type PublicJWK = webcrypto.JsonWebKey & { readonly pub?: string };

function isVerified(bytes: Buffer, signature: Buffer, jwk: PublicJWK): boolean {
  try {
    return verify(null, bytes, createPublicKey({ key: jwk, format: "jwk" }), signature);
  } catch (error) {
    // Bytes of the right length may still not be a valid key.
    if (error instanceof Error) return false;
    throw error;
  }
}
