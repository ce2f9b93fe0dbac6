import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { compileSchema } from "../core/compile-schema.ts";
import { isCompactJWS, isSignedBy, readJWS } from "./jws.ts";
import { OFFER_RECEIPT } from "./receipts.ts";

const text = Type.String({ minLength: 1, maxLength: 400 });
const hash = Type.Union([Type.String({ pattern: "^[0-9a-f]{64}$" }), Type.Null()]);
const version = Type.Literal(1);
const Official = Type.Object({
  version,
  network: text,
  resourceUrl: text,
  payer: text,
  issuedAt: Type.Integer({ minimum: 0 }),
  transaction: text,
});
const Own = Type.Object({
  version,
  node_id: text,
  receipt_id: text,
  network: text,
  transaction: text,
  asset: text,
  amount_atomic: Type.String({ pattern: "^[1-9][0-9]{0,30}$" }),
  payer: text,
  pay_to: text,
  product: text,
  resource_url: text,
  settled_at: text,
  label: text,
  request_sha256: hash,
  response_sha256: hash,
});
const NoCharge = Type.Object({
  version,
  node_id: text,
  charged: Type.Literal(false),
  at: text,
  request_id: text,
  code: text,
  path: text,
  replay_key: Type.Optional(text),
});
export type OfficialReceipt = Static<typeof Official>;
export type OwnReceipt = Static<typeof Own>;
export type NoChargeStatement = Static<typeof NoCharge>;

/** Something a node signs for a buyer. */
export type Proof =
  | { readonly kind: "x402_receipt"; readonly payload: OfficialReceipt }
  | { readonly kind: "receipt"; readonly payload: OwnReceipt }
  | { readonly kind: "no_charge"; readonly payload: NoChargeStatement };

const createCheck = <S extends TSchema>(schema: S) => {
  const check = compileSchema(schema);
  return (value: unknown): value is Static<S> => check.Check(value);
};
const isOfficial = createCheck(Official);
const isOwn = createCheck(Own);
const isNoCharge = createCheck(NoCharge);

function readProof(payload: unknown): Proof | null {
  if (isOfficial(payload)) return { kind: "x402_receipt", payload };
  if (isOwn(payload)) return { kind: "receipt", payload };
  return isNoCharge(payload) ? { kind: "no_charge", payload } : null;
}

/** A signed text, and the fields around it. */
interface Found {
  readonly jws: string;
  readonly beside: unknown;
}

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

/** The most envelopes around a signed text. */
const DEPTH_MAX = 4;
const HEADER_CHARS_MAX = 16_384;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Finds the signed text in a buyer's file: the text itself, a PAYMENT-RESPONSE header, the JSON of `/receipts/<id>`, or
 * the body of a failed call.
 */
function findSigned(given: unknown, depth = 0): Found | null {
  if (depth > DEPTH_MAX) return null;
  if (typeof given === "string") {
    const word = given.trim();
    if (isCompactJWS(word)) return { jws: word, beside: null };
    const header = word.length <= HEADER_CHARS_MAX && BASE64.test(word) ? parseHeader(word) : null;
    return header === null ? null : findSigned(header, depth + 1);
  }
  const own = member(member(member(given, "signed"), "node"), "signature");
  if (typeof own === "string") return { jws: own, beside: given };
  const inner =
    member(member(member(member(given, "extensions"), OFFER_RECEIPT), "info"), "receipt") ??
    member(given, "no_charge") ??
    member(given, "receipt") ??
    member(given, "signature");
  return inner === undefined ? null : findSigned(inner, depth + 1);
}

function parseHeader(word: string): unknown {
  try {
    const value: unknown = JSON.parse(Buffer.from(word, "base64").toString("utf8"));
    return typeof value === "object" ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** A field beside the signature that contradicts the signed text. */
function findChanged(beside: unknown, payload: Readonly<Record<string, unknown>>): string | undefined {
  const shown = { ...payload, id: payload.receipt_id };
  return Object.entries(shown).find(([name, signed]) => {
    const other = member(beside, name);
    return other !== undefined && other !== signed;
  })?.[0];
}

/** The reasons why a text proves nothing. */
export type Doubt = "no_signature_found" | "unknown_statement" | "wrong_signature" | "fields_changed";

export interface ProofCheck {
  /** Null if the proof is valid. */
  readonly doubt: Doubt | null;
  /** For people. */
  readonly reason: string | null;
  readonly proof: Proof | null;
  /** The key named in its header, as written by the signer. */
  readonly key_id: string | null;
}

/** The raw Ed25519 key (base64url) with a key id, or null. */
export type FindKey = (key_id: string) => string | null;

/** Checks a buyer's proof against a node's key. Any value is safe to check. */
export async function checkProof(given: unknown, findKey: FindKey): Promise<ProofCheck> {
  const found = findSigned(given);
  const read = found && readJWS(found.jws);
  if (!found || !read) return doubt("no_signature_found", "There is no signed receipt or statement in it.");
  const { key_id, payload } = read;
  const proof = readProof(payload);
  if (!proof) return doubt("unknown_statement", "It is signed text of some other kind.", { key_id });
  const key = findKey(key_id);
  const is_signed = key !== null && (await isSignedBy(found.jws, key));
  if (!is_signed) {
    return doubt("wrong_signature", "The key it was checked with did not sign it.", { key_id, proof });
  }
  const changed = findChanged(found.beside, payload);
  if (changed !== undefined) {
    const reason = `"${changed}" beside the signature is not what was signed.`;
    return doubt("fields_changed", reason, { key_id, proof });
  }
  return { doubt: null, reason: null, proof, key_id };
}

const doubt = (why: Doubt, reason: string, known: { key_id?: string; proof?: Proof } = {}): ProofCheck => ({
  doubt: why,
  reason,
  proof: known.proof ?? null,
  key_id: known.key_id ?? null,
});

/**
 * Whether a receipt is for these bytes of an answer. A bought key is not part of the hash: "withheld" replaces it.
 */
export function isAnswerOf(receipt: OwnReceipt, bytes: Uint8Array): boolean {
  const sha256 = (data: string | Uint8Array) => new Bun.CryptoHasher("sha256").update(data).digest("hex");
  if (receipt.response_sha256 === null) return false;
  if (sha256(bytes) === receipt.response_sha256) return true;
  const plain = Buffer.from(bytes).toString("utf8").replace(API_KEY, '"api_key":"withheld"');
  return sha256(plain) === receipt.response_sha256;
}

const API_KEY = /"api_key":"ink_[A-Za-z0-9]+"/;
