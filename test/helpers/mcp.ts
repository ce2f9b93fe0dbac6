import { decodePaymentRequiredHeader } from "@x402/core/http";
import type { Payer } from "./payers.ts";

type Members = Record<string, unknown>;

/** The result of a tool's call as tests look at it. */
export interface ToolResult {
  readonly resultType?: string;
  readonly isError?: boolean;
  readonly content?: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: Members;
  readonly paymentRequired?: Members;
  readonly tools?: readonly Members[];
  readonly _meta?: Members;
}

export interface RpcAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Null where there is none. */
  readonly body: {
    readonly jsonrpc: string;
    readonly id: unknown;
    readonly result?: ToolResult & Members;
    readonly error?: { readonly code: number; readonly message: string; readonly data?: Members };
  } | null;
}

const VERSION = "2026-07-28";

/** Posts a body to /mcp as it is. */
export async function postRaw(
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<RpcAnswer> {
  const init = { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers };
  const response = await fetch(`${url}/mcp`, { method: "POST", headers: init, body });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) };
}

/** One request as clients with a handshake send it. */
export const rpc = (url: string, method: string, params: Members = {}, headers: Record<string, string> = {}) =>
  postRaw(url, JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }), {
    "mcp-protocol-version": "2025-11-25",
    ...headers,
  });

export interface ModernOptions {
  readonly capabilities?: Members;
  readonly headers?: Record<string, string>;
  readonly meta?: Members;
}

/** One request as clients of the revision without a handshake send it. */
export function modernRpc(url: string, method: string, params: Members = {}, options: ModernOptions = {}) {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": VERSION,
    "io.modelcontextprotocol/clientCapabilities": options.capabilities ?? {},
    ...options.meta,
  };
  const name = typeof params.name === "string" ? { "mcp-name": params.name } : {};
  return postRaw(url, JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }), {
    "mcp-protocol-version": VERSION,
    "mcp-method": method,
    ...name,
    ...options.headers,
  });
}

export interface CallOptions {
  readonly args?: Members;
  readonly meta?: Members;
  readonly headers?: Record<string, string>;
}

/** Calls a tool with a handshake behind it; throws where there is no result. */
export async function callTool(url: string, name: string, options: CallOptions = {}): Promise<ToolResult> {
  const { args = {}, meta, headers } = options;
  const answer = await rpc(url, "tools/call", { name, arguments: args, ...(meta ? { _meta: meta } : {}) }, headers);
  const result = answer.body?.result;
  if (!result) throw new Error(`no result: ${answer.status} ${JSON.stringify(answer.body)}`);
  return result;
}

/** Signs a payment for what a tool's unpaid result demands: the payload object for `_meta["x402/payment"]`. */
export async function payTool(url: string, name: string, payer: Payer, args: Members = {}): Promise<Members> {
  const { structuredContent } = await callTool(url, name, { args });
  const header = Buffer.from(JSON.stringify(structuredContent)).toString("base64");
  const required = decodePaymentRequiredHeader(header);
  const accepts = required.accepts.filter(({ network }) => network === payer.network);
  return { ...(await payer.client.createPaymentPayload({ ...required, accepts })) };
}

export const settlementOf = ({ _meta }: ToolResult): Members | undefined =>
  _meta?.["x402/payment-response"] as Members | undefined;
