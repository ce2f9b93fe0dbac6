import { type Static, type TSchema, Type } from "@sinclair/typebox";
import type { FetchContext } from "../../catalog/context.ts";
import type { ProviderDefinition } from "../../catalog/provider.ts";
import { type Unusable, unusable } from "../../catalog/unusable.ts";

const REASON_CHARS_MAX = 100;
/** Some nodes send JSON-RPC errors with these. */
export const RPC_STATUSES: readonly number[] = [400, 413];

export interface ChainRpcError {
  readonly code: number;
  readonly message: string;
}

export const RpcErrorMember = Type.Object({ code: Type.Integer(), message: Type.String() });

export const renderRpcError = (method: string, { code, message }: ChainRpcError): string =>
  `${method}: error ${code}: ${message.slice(0, REASON_CHARS_MAX)}`;

/** JSON-RPC 2.0: an answer holds either `result` or `error`. */
const createAnswer = (result: TSchema) =>
  Type.Object({
    jsonrpc: Type.Literal("2.0"),
    result: Type.Optional(result),
    error: Type.Optional(RpcErrorMember),
  });

// A new schema for every call would be compiled for every call.
const answers = new WeakMap<TSchema, ReturnType<typeof createAnswer>>();

function answerOf(result: TSchema): ReturnType<typeof createAnswer> {
  const known = answers.get(result);
  if (known) return known;
  const answer = createAnswer(result);
  answers.set(result, answer);
  return answer;
}

export interface RpcCall<S extends TSchema, T> {
  readonly chain: string;
  readonly method: string;
  readonly params: readonly unknown[];
  /** Schema of `result`. */
  readonly result: S;
  readonly ttl_ms: number;
  readonly timeout_ms?: number;
  /** Asks the chain's second address alone. */
  readonly second?: boolean;
  readonly read: (result: Static<S>) => T | Unusable;
  /** What `read` returns may be a text. */
  readonly gives_text?: boolean;
}

/**
 * One JSON-RPC call. An `error` member is an answer that cannot be used, whatever the HTTP status says.
 * @throws UpstreamError
 */
export function fetchRPC<S extends TSchema, T>(
  context: Pick<FetchContext, "get">,
  provider: ProviderDefinition,
  call: RpcCall<S, T>,
): Promise<T> {
  return context.get(provider, {
    path: "",
    chain: call.chain,
    second: call.second ?? false,
    body: { jsonrpc: "2.0", id: 1, method: call.method, params: call.params },
    schema: answerOf(call.result),
    ttl_ms: call.ttl_ms,
    ...(call.timeout_ms === undefined ? {} : { timeout_ms: call.timeout_ms }),
    statuses: RPC_STATUSES,
    gives_text: call.gives_text ?? false,
    read(answer: { result?: Static<S>; error?: ChainRpcError }) {
      const { error, result } = answer;
      if (error) return unusable(renderRpcError(call.method, error));
      if (result === undefined) return unusable(`${call.method}: neither result nor error`);
      return call.read(result);
    },
  });
}
