import { getOwn } from "../../core/own.ts";
import { readMember } from "../../payments/codec.ts";
import { MCP_LEGACY, MCP_MODERN, MCP_VERSIONS } from "../../surfaces/mcp-versions.ts";
import { invalidParams, type Params, RPC, type RpcError } from "./json-rpc.ts";

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
export const SERVER_INFO_KEY = "io.modelcontextprotocol/serverInfo";
/** Name of the extension by which a client says that it understands a demand for payment as its own kind of result. */
export const PAYMENT_EXTENSION = "org.x402/payment";

/** How a client speaks: with a handshake, or with everything in every request. */
export interface Era {
  readonly modern: boolean;
  /** A demand for payment is its own result type. */
  readonly payment_extension: boolean;
}

const LEGACY: Era = { modern: false, payment_extension: false };

/** Which member of the parameters Mcp-Name repeats, by method. */
const NAMED_BY: Readonly<Record<string, string>> = { "tools/call": "name", "resources/read": "uri" };

interface EraProbe {
  readonly headers: Headers;
  readonly method: string;
  readonly params: Params;
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a message is one of the revision without a handshake. */
const isModern = ({ headers, params }: Pick<EraProbe, "headers" | "params">): boolean =>
  readMember(readMember(params, "_meta"), VERSION_KEY) !== undefined ||
  headers.get("mcp-protocol-version") === MCP_MODERN;

const unsupported = (requested: string): RpcError => ({
  status: 400,
  code: RPC.unsupported_version,
  message: "Unsupported protocol version",
  data: { supported: MCP_VERSIONS, requested: requested.toWellFormed().slice(0, 100) },
});

const mismatch = (name: string): RpcError => ({
  status: 400,
  code: RPC.header_mismatch,
  message: `Header mismatch: ${name} is missing or is not what the body says`,
});

/** The value of Mcp-Name, which may be base64 of UTF-8; null when it cannot be read. */
function decodeName(header: string | null): string | null {
  const encoded = header === null ? null : /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(header)?.[1];
  if (encoded === null || encoded === undefined) return header;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(encoded, "base64"));
  } catch {
    // Bytes that are no text equal no name.
    return null;
  }
}

/** Finds out how a request is spoken, or what is wrong with its envelope. */
export function readEra(asked: EraProbe): Era | RpcError {
  const { headers, method, params } = asked;
  const version = headers.get("mcp-protocol-version");
  if (!isModern(asked)) {
    const known = version === null || MCP_LEGACY.some((one) => one === version);
    return known ? LEGACY : unsupported(version);
  }
  const meta = readMember(params, "_meta");
  const declared = readMember(meta, VERSION_KEY);
  if (typeof declared !== "string") return invalidParams(`params._meta["${VERSION_KEY}"] is needed`, 400);
  if (version !== declared) return mismatch("MCP-Protocol-Version");
  if (declared !== MCP_MODERN) return unsupported(declared);
  const capabilities = readMember(meta, CAPABILITIES_KEY);
  if (!isObject(capabilities)) return invalidParams(`params._meta["${CAPABILITIES_KEY}"] is needed`, 400);
  if (headers.get("mcp-method") !== method) return mismatch("Mcp-Method");
  const named = getOwn(NAMED_BY, method);
  if (named !== undefined && decodeName(headers.get("mcp-name")) !== readMember(params, named)) {
    return mismatch("Mcp-Name");
  }
  const payment_extension = isObject(readMember(readMember(capabilities, "extensions"), PAYMENT_EXTENSION));
  return { modern: true, payment_extension };
}
