import { type Static, Type } from "@sinclair/typebox";
import { compileSchema } from "../core/compile-schema.ts";
import { canonicalJSON } from "../core/hash.ts";
import type { NodeIdentity } from "../core/identity.ts";
import { CostlyJSONError, parseBoundedJSON } from "../core/json-cost.ts";

/** Longer texts are not read. A node's signed texts have about 1.5 kB. */
const JWS_CHARS_MAX = 8_192;

const COMPACT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

export const isCompactJWS = (text: string): boolean => text.length <= JWS_CHARS_MAX && COMPACT.test(text);

const base64url = (text: string): string => Buffer.from(text, "utf8").toString("base64url");

/** Signs values as compact JWS (RFC 7515, EdDSA of RFC 8037). Equal values give equal bytes, every time. */
export type SignJWS = (payload: unknown) => string;

/**
 * Header and payload are written as in the official offer-receipt package: members of the header in the order alg, kid;
 * the payload as canonical JSON (RFC 8785).
 */
export function createJWSSigner(identity: Pick<NodeIdentity, "sign">, key_id: string): SignJWS {
  const header = base64url(JSON.stringify({ alg: "EdDSA", kid: key_id }));
  return (payload) => {
    const signed = `${header}.${base64url(canonicalJSON(payload))}`;
    return `${signed}.${identity.sign(Buffer.from(signed))}`;
  };
}

const Header = Type.Object({ alg: Type.Literal("EdDSA"), kid: Type.String({ maxLength: 400 }) });
const Payload = Type.Record(Type.String(), Type.Unknown());
const checkHeader = compileSchema(Header);
const checkPayload = compileSchema(Payload);

export interface ReadJWS {
  readonly key_id: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The content of a JWS, of which only the form is checked. Null for an invalid JWS. */
export function readJWS(jws: string): ReadJWS | null {
  const [head = "", body = ""] = jws.split(".");
  const header = isCompactJWS(jws) ? parsePart(head) : null;
  const payload = header === null ? null : parsePart(body);
  if (!checkHeader.Check(header) || !checkPayload.Check(payload)) return null;
  const { kid }: Static<typeof Header> = header;
  return { key_id: kid, payload };
}

function parsePart(part: string): unknown {
  try {
    return parseBoundedJSON(Buffer.from(part, "base64url"));
  } catch (error) {
    const is_text = error instanceof SyntaxError || error instanceof TypeError || error instanceof CostlyJSONError;
    if (is_text) return null;
    throw error;
  }
}

/** Whether an Ed25519 key (raw, base64url) signed a compact JWS. Any text is safe to check. */
export async function isSignedBy(jws: string, public_key: string): Promise<boolean> {
  const { compactVerify, errors } = await import("jose");
  try {
    const key = { kty: "OKP", crv: "Ed25519", x: public_key, alg: "EdDSA" };
    await compactVerify(jws, key, { algorithms: ["EdDSA"] });
    return true;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError || error instanceof DOMException) return false;
    throw error;
  }
}
