import { type Static, Type } from "@sinclair/typebox";
import { canonicalJSON } from "../../core/hash.ts";
import { parseBoundedJSON } from "../../core/json-cost.ts";
import { createReader } from "../codec.ts";
import { refuse } from "../refusal.ts";
import type { EchoedChallenge, IncomingPayment } from "../types.ts";
import { findMppMethod } from "./methods/table.ts";

/** The field for buyers whose Authorization is taken, by the draft's name. */
export const PAYMENT_AUTHORIZATION = "Payment-Authorization";
/** Longer ones are refused before they are decoded; the draft asks for 4 kB at least. */
const CREDENTIAL_CHARS_MAX = 12_288;

const SCHEME = /^payment(?: |$)/i;
const BASE64URL = /^[A-Za-z0-9_-]+={0,2}$/;

const Text = Type.String({ maxLength: 256 });
const Credential = Type.Object(
  {
    challenge: Type.Object(
      {
        id: Text,
        realm: Text,
        method: Text,
        intent: Text,
        request: Type.String({ maxLength: 4_096 }),
        expires: Type.Optional(Text),
        digest: Type.Optional(Text),
        opaque: Type.Optional(Text),
        header: Type.Optional(Text),
      },
      { additionalProperties: true },
    ),
    payload: Type.Record(Type.String(), Type.Unknown()),
    source: Type.Optional(Type.String({ maxLength: 512 })),
  },
  { additionalProperties: true },
);
const readCredential: (value: unknown) => Static<typeof Credential> | null = createReader(Credential);

const malformed = (reason: string, hint: string) => refuse("invalid_payment", reason, hint);

/** A credential and the field it came in. */
export interface SentCredential {
  readonly field: "authorization" | "payment-authorization";
  readonly text: string;
}

/**
 * The credential a call brings, or null. Any other scheme of Authorization is somebody else's. Of two in one call
 * neither is taken: which of them was meant is not for us to say.
 */
export function findCredential(headers: Headers): SentCredential | null {
  const alternate = headers.get("payment-authorization");
  const usual = headers.get("authorization");
  const in_usual = usual !== null && SCHEME.test(usual) ? usual : null;
  if (alternate === null) return in_usual === null ? null : { field: "authorization", text: in_usual };
  const text = in_usual === null ? alternate : `${alternate}, ${in_usual}`;
  return { field: "payment-authorization", text };
}

/**
 * Reads a credential: the payment in it, as the gate knows it, and the challenge that it answers.
 * @throws PaymentRefusal
 */
export function decodeCredential({ field, text }: SentCredential): IncomingPayment {
  const { challenge, payload } = parseCredential(text);
  const { id, realm, method, intent, request, expires, digest, opaque, header } = challenge;
  const asked_in = header === undefined ? "authorization" : header.toLowerCase();
  if (asked_in !== field) {
    throw refuse("invalid_payment", "wrong_header", `The challenge asks for its credential in ${asked_in}.`);
  }
  const known = findMppMethod(method, intent);
  if (!known) {
    const shown = `${method}/${intent}`.slice(0, 60);
    throw refuse("invalid_payment", "invalid_challenge", `No challenge of "${shown}" is given out here.`);
  }
  const { scheme, network, payload: signed } = known.read(parseRequest(request), payload);
  const echoed: EchoedChallenge = { id, realm, method, intent, request, expires, digest, opaque, header };
  return { protocol: "mpp", scheme, network, accepted: null, payload: signed, identifier: null, challenge: echoed };
}

function parseCredential(text: string): Static<typeof Credential> {
  if (text.length > CREDENTIAL_CHARS_MAX) {
    throw malformed("header_too_long", `The credential is over ${CREDENTIAL_CHARS_MAX} characters.`);
  }
  const encoded = text.replace(SCHEME, "").trim();
  if (!SCHEME.test(text) || !BASE64URL.test(encoded)) {
    throw malformed("invalid_base64", 'The credential must be "Payment", a space and one base64url text.');
  }
  let parsed: unknown;
  try {
    parsed = parseBoundedJSON(Buffer.from(encoded, "base64url"));
  } catch {
    throw malformed("invalid_json", "The credential does not decode to JSON.");
  }
  const credential = readCredential(parsed);
  if (credential) return credential;
  throw malformed("invalid_payload", "The credential must hold the challenge and a payload, as objects.");
}

function parseRequest(request: string): unknown {
  try {
    return parseBoundedJSON(Buffer.from(request, "base64url"));
  } catch {
    throw malformed("invalid_json", "The challenge's request does not decode to JSON.");
  }
}

/**
 * The header of a credential that came as JSON, through a door without headers: there the request is an object.
 * @throws TypeError when it cannot be written.
 */
export function encodeCredential(credential: object): string {
  const { challenge } = credential as { readonly challenge?: unknown };
  const is_object = typeof challenge === "object" && challenge !== null && "request" in challenge;
  const request = is_object ? challenge.request : undefined;
  const named =
    typeof request === "object" && request !== null
      ? { ...credential, challenge: { ...(challenge as object), request: encodeRequest(request) } }
      : credential;
  return `Payment ${Buffer.from(JSON.stringify(named), "utf8").toString("base64url")}`;
}

/** A request as a challenge carries it: canonical, so that both sides write the same text. */
export const encodeRequest = (request: object): string =>
  Buffer.from(canonicalJSON(request), "utf8").toString("base64url");
