import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { compileSchema } from "../core/compile-schema.ts";
import { parseBoundedJSON } from "../core/json-cost.ts";
import { networkById, networkByV1Name } from "./networks/table.ts";
import { refuse } from "./refusal.ts";
import type { IncomingPayment } from "./types.ts";

/** Longer headers are refused before they are decoded. The largest real ones have about 3.2 kB. */
const PAYMENT_HEADER_CHARS_MAX = 12_288;

const loose = { additionalProperties: true } as const;
const Anything = Type.Record(Type.String(), Type.Unknown());
/** Python clients send optional members as null; that means absent. */
const PayloadV2 = Type.Object(
  {
    x402Version: Type.Literal(2),
    accepted: Type.Object({ scheme: Type.String(), network: Type.String({ maxLength: 100 }) }, loose),
    payload: Anything,
    extensions: Type.Optional(Type.Unknown()),
  },
  loose,
);
const PayloadV1 = Type.Object(
  {
    x402Version: Type.Literal(1),
    scheme: Type.String(),
    network: Type.String({ maxLength: 100 }),
    payload: Anything,
  },
  loose,
);
const checkV2 = compileSchema(PayloadV2);
const checkV1 = compileSchema(PayloadV1);

/** Name of the extension, in the 402 and in a payload. */
export const PAYMENT_IDENTIFIER = "payment-identifier";
/** As the official extension has it. */
const IDENTIFIER = /^[A-Za-z0-9_-]{16,128}$/;

/** What the hint of a refusal says of a network. */
export const NOT_OFFERED = "is not offered: sign for one of the networks in accepts[].";

const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/**
 * Reads a PAYMENT-SIGNATURE or X-PAYMENT header. The decoded `x402Version` decides, because some clients put a version
 * 2 payload into X-PAYMENT.
 * @throws PaymentRefusal invalid_payment; never anything else.
 */
export function decodePaymentHeader(header: string): IncomingPayment {
  return readPaymentPayload(parseHeader(header));
}

/**
 * Reads a decoded payment payload of either version.
 * @throws PaymentRefusal invalid_payment
 */
function readPaymentPayload(value: unknown): IncomingPayment {
  if (checkV2.Check(value)) {
    const { accepted, payload }: Static<typeof PayloadV2> = value;
    const network = networkById(accepted.network)?.id ?? accepted.network;
    const { scheme } = accepted;
    return { protocol: 2, scheme, network, accepted, payload, identifier: readIdentifier(value.extensions) };
  }
  if (checkV1.Check(value)) {
    const { scheme, network, payload }: Static<typeof PayloadV1> = value;
    // Some version 1 clients already send the CAIP-2 id.
    const known = networkByV1Name(network) ?? networkById(network);
    if (!known) throw refuse("invalid_payment", "invalid_network", `Network "${network.slice(0, 60)}" ${NOT_OFFERED}`);
    return { protocol: 1, scheme, network: known.id, accepted: null, payload, identifier: null };
  }
  throw refuse("invalid_payment", "invalid_payload", "The payment header holds no x402 payment of version 1 or 2.");
}

/** The other members of the extensions are only echoes, and are not read. */
function readIdentifier(extensions: unknown): string | null {
  const id = readMember(readMember(readMember(extensions, PAYMENT_IDENTIFIER), "info"), "id");
  if (id === undefined || id === null) return null;
  if (typeof id === "string" && IDENTIFIER.test(id)) return id;
  const hint = `extensions["${PAYMENT_IDENTIFIER}"].info.id must have 16-128 characters of A-Z, a-z, 0-9, _ and -.`;
  throw refuse("invalid_payment", "invalid_payment_identifier", hint);
}

/** An own member of what may be no object at all. */
export const readMember = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

function parseHeader(header: string): unknown {
  if (header.length > PAYMENT_HEADER_CHARS_MAX) {
    throw refuse("invalid_payment", "header_too_long", `The header is over ${PAYMENT_HEADER_CHARS_MAX} characters.`);
  }
  const text = header.trim();
  if (!BASE64.test(text)) throw refuse("invalid_payment", "invalid_base64", "The payment header is not base64.");
  try {
    const bytes = Buffer.from(text.replaceAll("-", "+").replaceAll("_", "/"), "base64");
    return parseBoundedJSON(bytes);
  } catch {
    throw refuse("invalid_payment", "invalid_json", "The payment header does not decode to JSON.");
  }
}

/** What a header holds, whatever it is; null where it is no base64 of JSON. For telling what was received. */
export function peekHeader(header: string): unknown {
  try {
    return parseHeader(header);
  } catch {
    return null;
  }
}

/** Base64 of UTF-8 JSON, as every x402 header value is. */
export const encodeHeader = (value: unknown): string => Buffer.from(JSON.stringify(value), "utf8").toString("base64");

export interface SettlementAnswer {
  readonly success: boolean;
  readonly transaction: string;
  /** CAIP-2. */
  readonly network: string;
  readonly payer: string;
  readonly errorReason?: string;
  /** What was taken, atomic, where that may be less than what was signed. */
  readonly amount?: string | undefined;
  /** By name, such as a signed receipt; version 2 only. */
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

/** Name and value of the answer header in the version the buyer spoke. */
export function encodeSettlement(protocol: 1 | 2, answer: SettlementAnswer): readonly [name: string, value: string] {
  if (protocol === 2) return ["PAYMENT-RESPONSE", encodeHeader(answer)];
  const { extensions: _, ...plain } = answer;
  const network = networkById(answer.network)?.v1_name ?? answer.network;
  return ["X-PAYMENT-RESPONSE", encodeHeader({ ...plain, network })];
}

/** Compiles a schema once and reads a value through it, or null. */
export function createReader<S extends TSchema>(schema: S): (value: unknown) => Static<S> | null {
  const check = compileSchema(schema);
  return (value) => (check.Check(value) ? value : null);
}
