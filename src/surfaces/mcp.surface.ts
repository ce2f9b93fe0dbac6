import { listFreeTools, renderProductTool } from "./mcp-tools.ts";
import { MCP_LEGACY, MCP_MODERN, MCP_PATH, MCP_SERVER_CARD_PATH } from "./mcp-versions.ts";
import { defineSurface, json, type SurfaceModel, type SurfaceProduct } from "./types.ts";

const DESCRIPTION = "Pay-per-call market intelligence tools";
const CARD_TYPE = "application/mcp-server-card+json";
const CARD_SCHEMA = "https://static.modelcontextprotocol.io/schemas/v2/server-card.schema.json";
const SERVER_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

const stamp = ({ sandbox }: SurfaceModel) => (sandbox ? { sandbox: true } : {});

function renderManifestTool(product: SurfaceProduct, model: SurfaceModel) {
  const { name, title, description, inputSchema } = renderProductTool(product, model);
  const first = product.challenge.accepts[0];
  const { price_usd, url } = product;
  const x402 = first
    ? {
        scheme: first.scheme,
        network: first.network,
        asset: first.asset,
        payTo: first.payTo,
        price: `$${price_usd}`,
        resource: url,
      }
    : { price: `$${price_usd}`, resource: url };
  return { name, title, description, inputSchema, x402 };
}

const renderManifest = (model: SurfaceModel) => ({
  name: model.node.name,
  description: DESCRIPTION,
  schema_version: MCP_MODERN,
  ...stamp(model),
  node: {
    chains: model.networks.map(({ network }) => network),
    node_id: model.node.node_id,
    version: model.node.version,
  },
  endpoint: `${model.node.public_url}${MCP_PATH}`,
  transport: "streamable-http",
  server_card: `${model.node.public_url}${MCP_SERVER_CARD_PATH}`,
  tools: model.products.map((product) => renderManifestTool(product, model)),
  free_tools: listFreeTools(model).map(({ name, title, description, inputSchema }) => {
    return { name, title, description, inputSchema };
  }),
});

/** "https://node.example.com:8443" -> "node.example.com". */
const hostOf = (public_url: string): string => new URL(public_url).hostname.replaceAll(/[[\]]/g, "");

/** What a registry needs to know of a node. */
type ListedNode = Pick<SurfaceModel["node"], "name" | "public_url" | "version">;

/** Reverse DNS with one slash: "com.example.node/intel-node". An address of digits stays as it is. */
function serverName({ public_url, name }: ListedNode): string {
  const host = hostOf(public_url);
  const is_name = /[a-z]/i.test(host) && !host.includes(":");
  const reversed = is_name ? host.split(".").reverse().join(".") : host.replaceAll(":", "-");
  return `${reversed}/${name.replaceAll(/[^A-Za-z0-9._-]+/g, "-")}`;
}

const remotes = ({ public_url }: ListedNode) => ({
  type: "streamable-http",
  url: `${public_url}${MCP_PATH}`,
  headers: [{ name: "X-API-Key", description: "Optional prepaid key", isRequired: false, isSecret: true }],
});

const renderCard = (model: SurfaceModel) => {
  const { node } = model;
  return {
    $schema: CARD_SCHEMA,
    name: serverName(node),
    version: node.version,
    title: node.name,
    description: DESCRIPTION,
    websiteUrl: `${node.public_url}/about`,
    remotes: [{ ...remotes(node), supportedProtocolVersions: [MCP_MODERN, ...MCP_LEGACY] }],
    ...stamp(model),
  };
};

const renderCatalog = (model: SurfaceModel) => {
  const { node } = model;
  return {
    specVersion: "draft",
    entries: [
      {
        identifier: `urn:air:${hostOf(node.public_url)}:${node.name.replaceAll(/[^A-Za-z0-9._-]+/g, "-")}`,
        displayName: node.name,
        type: CARD_TYPE,
        url: `${node.public_url}${MCP_SERVER_CARD_PATH}`,
      },
    ],
    ...stamp(model),
  };
};

/** `server.json` as the official registry takes it. */
export const renderServerJson = (node: ListedNode): Readonly<Record<string, unknown>> => ({
  $schema: SERVER_SCHEMA,
  name: serverName(node),
  title: node.name,
  description: DESCRIPTION,
  version: node.version,
  websiteUrl: `${node.public_url}/about`,
  remotes: [remotes(node)],
});

export const surfaces = [
  defineSurface({
    path: "/.well-known/mcp.json",
    summary: "MCP endpoint and its tools with prices",
    content_type: "application/json",
    render: (model) => json(renderManifest(model)),
  }),
  defineSurface({
    path: MCP_SERVER_CARD_PATH,
    summary: "MCP server card",
    content_type: CARD_TYPE,
    render: (model) => ({ content_type: CARD_TYPE, body: JSON.stringify(renderCard(model)) }),
  }),
  defineSurface({
    path: "/.well-known/mcp/catalog.json",
    summary: "MCP servers of this host",
    content_type: "application/json",
    render: (model) => json(renderCatalog(model)),
  }),
  defineSurface({
    path: "/.well-known/mcp-registry-auth",
    summary: "By what the MCP registry knows this host",
    content_type: "text/plain; charset=utf-8",
    isServed: ({ mcp_registry_auth }) => mcp_registry_auth !== undefined,
    render: ({ mcp_registry_auth = "" }) => ({
      content_type: "text/plain; charset=utf-8",
      body: `${mcp_registry_auth}\n`,
    }),
  }),
];
