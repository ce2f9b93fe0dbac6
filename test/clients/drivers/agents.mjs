import { register } from "node:module";
import { buyByTools, NO_TRANSPORT, need } from "./calls.mjs";

/** The runtime of Workers is not there; what only its servers use is stood in for by empty classes. */
const NAMES = ["DurableObject", "WorkerEntrypoint", "WorkflowEntrypoint", "RpcTarget", "EmailMessage"];
const RUNTIME = [
  ...NAMES.map((name) => `export class ${name} {}`),
  "export const env = {};",
  "export const exports = {};",
  "export const waitUntil = () => undefined;",
].join("\n");
const STAND_IN = `
const isOurs = (name) => name.startsWith("cloudflare:");
export const resolve = (name, context, next) =>
  isOurs(name) ? { url: name, shortCircuit: true, format: "module" } : next(name, context);
export const load = (url, context, next) =>
  isOurs(url) ? { format: "module", shortCircuit: true, source: ${JSON.stringify(RUNTIME)} } : next(url, context);
`;

/** Before it could pay: its manager of connections, with a prepaid key. */
async function callByKey({ url, api_key }) {
  const { MCPClientManager } = need(await import("agents/mcp/client"), "MCPClientManager");
  const manager = new MCPClientManager("agents", "1.0.0");
  const requestInit = { headers: { "X-API-Key": api_key } };
  const connected = await manager.connect(`${url}/mcp`, { transport: { requestInit } }).catch((error) => {
    throw /^SSE error/.test(error.message) ? new Error(NO_TRANSPORT) : error;
  });
  return async (name, args) => manager.callTool({ serverId: connected.id, name, arguments: args });
}

/** A wallet that pays for tools of MCP. */
async function callByWallet({ withX402Client }, { url, private_key }) {
  const { privateKeyToAccount } = await import("viem/accounts");
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
  const client = new Client({ name: "agents", version: "1.0.0" });
  const settings = { network: "base-sepolia", account: privateKeyToAccount(private_key) };
  let connected;
  const paying = withX402Client(client, settings);
  return async (name, args) => {
    connected ??= client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
    await connected;
    return paying.callTool(async () => true, { name, arguments: args });
  };
}

export async function load(buyer) {
  register(`data:text/javascript,${encodeURIComponent(STAND_IN)}`);
  const paying = await import("agents/x402").catch((error) => {
    if (error.code === "ERR_PACKAGE_PATH_NOT_EXPORTED") return null;
    throw error;
  });
  return buyByTools(await (paying === null ? callByKey(buyer) : callByWallet(need(paying, "withX402Client"), buyer)));
}
