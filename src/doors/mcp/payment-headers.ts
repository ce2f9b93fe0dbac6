import { isApiKeyForm } from "../../core/api-key.ts";
import { NodeError } from "../../core/errors.ts";
import { sha256Hex } from "../../core/hash.ts";
import { refuseTwoKeys } from "../../http/shown-key.ts";
import { encodeHeader, PAYMENT_IDENTIFIER, readMember } from "../../payments/codec.ts";
import { encodeCredential, findCredential } from "../../payments/mpp/credential.ts";

/** What a call may bring over HTTP; nothing else of a POST reaches the gate. */
const TAKEN = [
  ...["payment-signature", "x-payment", "payment-authorization"],
  ...["x-api-key", "x-coupon", "idempotency-key", "x-allow-duplicate"],
];
/** Those that hold a signed payment; Authorization is one of them when it is of the scheme Payment. */
const SIGNED = ["payment-signature", "x-payment", "payment-authorization", "authorization"];
/** The member of `_meta` that holds a credential of MPP. */
export const MPP_CREDENTIAL = "org.paymentauth/credential";

const PLAIN = /^[\x21-\x7e]+$/;
/** As the official extension has it. */
const IDENTIFIER = /^[A-Za-z0-9_-]{16,128}$/;
/** Shorter words can be guessed, so they never prove who paid. */
const PROVING_CHARS_MIN = 16;
const NAME_CHARS_MAX = 255;
/** Decodes to nothing: the gate answers what it answers to every unreadable header. */
const UNREADABLE = "-";

/** A payload that names itself keeps its name. */
function withIdentifier(payment: object, id: string): object {
  const extensions = readMember(payment, "extensions");
  const declared = readMember(extensions, PAYMENT_IDENTIFIER);
  const info = readMember(declared, "info");
  const own = readMember(info, "id");
  if (own !== undefined && own !== null) return payment;
  const as_object = (value: unknown) => (typeof value === "object" && value !== null ? value : {});
  const named = { ...as_object(declared), info: { required: false, ...as_object(info), id } };
  return { ...payment, extensions: { ...as_object(extensions), [PAYMENT_IDENTIFIER]: named } };
}

function encodePayment(payment: unknown, id: string | null): string {
  // Some clients put the header's value there.
  if (typeof payment === "string") return PLAIN.test(payment) ? payment : UNREADABLE;
  if (typeof payment !== "object" || payment === null) return UNREADABLE;
  try {
    return encodeHeader(id === null ? payment : withIdentifier(payment, id));
  } catch {
    // Nested too deep to be written again.
    return UNREADABLE;
  }
}

function encodeMppCredential(credential: unknown): string {
  const unreadable = `Payment ${UNREADABLE}`;
  if (typeof credential !== "object" || credential === null) return unreadable;
  try {
    return encodeCredential(credential);
  } catch {
    // Nested too deep to be written again.
    return unreadable;
  }
}

/**
 * The name of a call as headers can carry it: itself, or its digest.
 * @throws NodeError invalid_parameter
 */
function readName(meta: unknown): string | null {
  const name = readMember(meta, "x402/idempotency-key");
  if (name === undefined || name === null) return null;
  if (typeof name !== "string" || name === "" || name.length > NAME_CHARS_MAX) {
    const message = `_meta["x402/idempotency-key"] must be text of 1-${NAME_CHARS_MAX} characters.`;
    throw new NodeError("invalid_parameter", message, { param: "x402/idempotency-key" });
  }
  return PLAIN.test(name) ? name : sha256Hex(name);
}

const identifierOf = (name: string | null): string | null => {
  if (name === null || name.length < PROVING_CHARS_MIN) return null;
  return IDENTIFIER.test(name) ? name : sha256Hex(name);
};

export interface PayingCall {
  readonly headers: Headers;
  /** `params._meta`, whatever it is. */
  readonly meta: unknown;
  /** A key from the URL, where the operator allows that. */
  readonly url_key: string | null;
}

/**
 * What a call brings to pay with, as the headers that bring it over HTTP: the gate knows no other door. Members of
 * `_meta` go before headers of the POST. A key of ours is in X-API-Key already, whichever header it came in.
 * @throws NodeError invalid_parameter
 */
export function createPaymentHeaders({ headers, meta, url_key }: PayingCall): Headers {
  const made = new Headers();
  for (const name of TAKEN) {
    const value = headers.get(name);
    if (value !== null) made.set(name, value);
  }
  const usual = headers.get("authorization");
  if (usual !== null && findCredential(headers)?.text.includes(usual)) made.set("authorization", usual);
  const name = readName(meta);
  if (name !== null) made.set("idempotency-key", name);
  // The second is how x402-mcp writes it.
  const payment = readMember(meta, "x402/payment") ?? readMember(meta, "x402.payment");
  const credential = readMember(meta, MPP_CREDENTIAL);
  const has_payment = payment !== undefined && payment !== null;
  const has_credential = credential !== undefined && credential !== null;
  if (has_payment || has_credential) for (const name of SIGNED) made.delete(name);
  if (has_payment) made.set("payment-signature", encodePayment(payment, identifierOf(name)));
  else if (has_credential) made.set("authorization", encodeMppCredential(credential));
  const bearer = /^bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? null;
  const key = bearer ?? url_key;
  const shown = made.get("x-api-key");
  if (url_key !== null && shown !== null && shown !== url_key) throw refuseTwoKeys();
  const pays_otherwise = made.has("x-coupon") || SIGNED.some((name) => made.has(name));
  // A gateway's own token is no key of ours; but a mistyped key must not pass for no key.
  if (key !== null && !made.has("x-api-key") && (isApiKeyForm(key) || !pays_otherwise) && PLAIN.test(key)) {
    made.set("x-api-key", key);
  }
  return made;
}
