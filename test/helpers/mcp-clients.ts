import * as v2 from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { ToolResult } from "./mcp.ts";

/** An unmodified client of either SDK generation. */
export interface MCPClient {
  /** The revision both sides agreed on. */
  readonly version: string | undefined;
  list(): Promise<readonly { readonly name: string; readonly description?: string | undefined }[]>;
  call(name: string, args: Record<string, unknown>, meta?: Record<string, unknown>): Promise<ToolResult>;
  close(): Promise<void>;
}

export type Connect = (url: string, headers?: Record<string, string>) => Promise<MCPClient>;

const INFO = { name: "test", version: "1.0.0" };
const paramsOf = (name: string, args: Record<string, unknown>, meta?: Record<string, unknown>) => ({
  name,
  arguments: args,
  ...(meta ? { _meta: meta } : {}),
});
const asResult = (value: unknown): ToolResult => JSON.parse(JSON.stringify(value));

const connectV1: Connect = async (url, headers = {}) => {
  const client = new ClientV1(INFO);
  const transport = new TransportV1(new URL(`${url}/mcp`), { requestInit: { headers } });
  // The SDK's own types disagree under exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return {
    version: transport.protocolVersion,
    list: async () => (await client.listTools()).tools,
    call: async (name, args, meta) => asResult(await client.callTool(paramsOf(name, args, meta))),
    close: () => client.close(),
  };
};

const connectV2 =
  (mode: "legacy" | "auto" | { readonly pin: string }): Connect =>
  async (url, headers = {}) => {
    const client = new v2.Client(INFO, { versionNegotiation: { mode } });
    const transport = new v2.StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } });
    await client.connect(transport);
    return {
      version: client.getNegotiatedProtocolVersion(),
      list: async () => (await client.listTools()).tools,
      call: async (name, args, meta) => asResult(await client.callTool(paramsOf(name, args, meta))),
      close: () => client.close(),
    };
  };

/** Every client generation and mode, with the revision it ends up with. */
export const CLIENTS: readonly { readonly name: string; readonly version: string; readonly connect: Connect }[] = [
  { name: "sdk 1.x", version: "2025-11-25", connect: connectV1 },
  { name: "client 2.x, with a handshake", version: "2025-11-25", connect: connectV2("legacy") },
  { name: "client 2.x, finding out by itself", version: "2026-07-28", connect: connectV2("auto") },
  { name: "client 2.x, pinned", version: "2026-07-28", connect: connectV2({ pin: "2026-07-28" }) },
];
