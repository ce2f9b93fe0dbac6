import { type Static, Type } from "@sinclair/typebox";
import { createReader, readMember } from "../../payments/codec.ts";
import { MPP_CREDENTIAL } from "./payment-headers.ts";

/** JSON-RPC errors of this door, and those that the protocol reserves for itself. */
export const RPC = {
  parse_error: -32_700,
  invalid_request: -32_600,
  method_not_found: -32_601,
  invalid_params: -32_602,
  /** Of the range left to servers: too many calls. */
  rate_limited: -32_029,
  header_mismatch: -32_020,
  unsupported_version: -32_022,
} as const;

export type RequestId = string | number;

const loose = { additionalProperties: true } as const;
const Id = Type.Union([Type.String({ maxLength: 1_000 }), Type.Number()]);
const Message = Type.Object(
  {
    jsonrpc: Type.Literal("2.0"),
    id: Type.Optional(Id),
    method: Type.String({ minLength: 1, maxLength: 200 }),
    params: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    _meta: Type.Optional(Type.Unknown()),
  },
  loose,
);
const Answer = Type.Object({ jsonrpc: Type.Literal("2.0"), id: Id }, loose);
const readRequest = createReader(Message);
const readAnswer = createReader(Answer);
const readId = createReader(Type.Object({ id: Id }, loose));

export type RpcMessage =
  | { readonly kind: "request"; readonly id: RequestId; readonly method: string; readonly params: Params }
  | { readonly kind: "notification"; readonly method: string; readonly params: Params }
  /** An answer to something we never asked. */
  | { readonly kind: "answer" }
  | { readonly kind: "invalid"; readonly id: RequestId | null; readonly why: string };

export type Params = Readonly<Record<string, unknown>>;

const NOTHING: Params = Object.freeze({});

/** MPP lets its clients put what pays beside the parameters as well as into them. */
function withCredential(params: Params, meta: unknown): Params {
  const credential = readMember(meta, MPP_CREDENTIAL);
  if (credential === undefined || readMember(params._meta, MPP_CREDENTIAL) !== undefined) return params;
  return { ...params, _meta: { ...(params._meta as object | undefined), [MPP_CREDENTIAL]: credential } };
}

/** Reads one message. Members it does not know are ignored. */
export function readMessage(body: unknown): RpcMessage {
  if (Array.isArray(body)) return { kind: "invalid", id: null, why: "Batches are not taken: send one message a POST." };
  const message: Static<typeof Message> | null = readRequest(body);
  if (message) {
    const { id, method } = message;
    const params = withCredential(message.params ?? NOTHING, message._meta);
    // A null id is no id at all: nobody could match the answer.
    return id === undefined ? { kind: "notification", method, params } : { kind: "request", id, method, params };
  }
  if (typeof body === "object" && body !== null && !Object.hasOwn(body, "method") && readAnswer(body)) {
    return { kind: "answer" };
  }
  const why = 'Not a JSON-RPC 2.0 message: "jsonrpc", "method", "id" (text or number) and "params" (an object).';
  return { kind: "invalid", id: readId(body)?.id ?? null, why };
}

export interface RpcError {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export const renderError = (id: RequestId | null, { code, message, data }: RpcError): string =>
  JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, ...(data === undefined ? {} : { data }) } });

export const unknownMethod = (method: string, status: number): RpcError => ({
  status,
  code: RPC.method_not_found,
  message: `Method not found: ${method.toWellFormed()}`,
});

export const invalidParams = (message: string, status = 200): RpcError => ({
  status,
  code: RPC.invalid_params,
  message,
});
