/** Every public document and door of a node, fetched the ways its readers fetch them. */

export interface PublicDocument {
  readonly path: string;
  readonly accept: string;
}

export interface DoorCall {
  readonly name: string;
  readonly path: string;
  readonly init: RequestInit;
}

/** Documents that are made from the catalog: each of them lists every product. */
export const CATALOG_DOCUMENTS: readonly PublicDocument[] = [
  { path: "/.well-known/x402.json", accept: "*/*" },
  { path: "/.well-known/x402", accept: "*/*" },
  { path: "/openapi.json", accept: "*/*" },
  { path: "/bazaar.json", accept: "*/*" },
  { path: "/bazaar.json?type=mcp", accept: "*/*" },
  { path: "/.well-known/agent.json", accept: "*/*" },
  { path: "/.well-known/agent-card.json", accept: "*/*" },
  { path: "/.well-known/mcp.json", accept: "*/*" },
  { path: "/llms.txt", accept: "*/*" },
  { path: "/llms-full.txt", accept: "*/*" },
  { path: "/get-pricing", accept: "*/*" },
  { path: "/tools.json", accept: "*/*" },
  { path: "/tools.json?format=openai", accept: "*/*" },
  { path: "/tools.json?format=anthropic", accept: "*/*" },
  { path: "/tools.json?format=gemini", accept: "*/*" },
  { path: "/live", accept: "*/*" },
  { path: "/", accept: "text/html" },
  { path: "/docs", accept: "text/html" },
];

/** Documents about the node itself. */
export const NODE_DOCUMENTS: readonly PublicDocument[] = [
  { path: "/.well-known/verify-manifest", accept: "*/*" },
  { path: "/.well-known/verify-manifest?format=text", accept: "*/*" },
  { path: "/.well-known/did.json", accept: "*/*" },
  { path: "/.well-known/api-catalog", accept: "*/*" },
  { path: "/.well-known/mcp/catalog.json", accept: "*/*" },
  { path: "/mcp/server-card", accept: "*/*" },
  { path: "/mcp", accept: "*/*" },
  { path: "/receipts", accept: "*/*" },
  { path: "/welcome", accept: "*/*" },
  { path: "/try", accept: "*/*" },
  { path: "/sample", accept: "*/*" },
  { path: "/errors", accept: "*/*" },
  { path: "/terms", accept: "text/html" },
  { path: "/terms", accept: "application/json" },
  { path: "/terms", accept: "text/markdown" },
  { path: "/about", accept: "text/html" },
  { path: "/about", accept: "application/json" },
  { path: "/about", accept: "text/markdown" },
  { path: "/robots.txt", accept: "*/*" },
  { path: "/sitemap.xml", accept: "*/*" },
  { path: "/favicon.svg", accept: "*/*" },
];

/** What a call of each door looks like when it wants the list of what is sold. */
export const DOOR_CALLS: readonly DoorCall[] = [
  {
    name: "MCP tools/list of 2025",
    path: "/mcp",
    init: post({ jsonrpc: "2.0", id: 1, method: "tools/list" }, { "mcp-protocol-version": "2025-11-25" }),
  },
  {
    name: "MCP tools/list of 2026",
    path: "/mcp",
    init: post(
      {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/list",
        params: {
          _meta: {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
          },
        },
      },
      { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" },
    ),
  },
];

function post(body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit {
  return {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body: JSON.stringify(body),
  };
}

/** The text of a document; throws unless it answers 200. */
export async function readDocument(url: string, { path, accept }: PublicDocument): Promise<string> {
  const response = await fetch(`${url}${path}`, { headers: { accept } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text.slice(0, 200)}`);
  return text;
}
