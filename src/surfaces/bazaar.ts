import { renderProductTool } from "./mcp-tools.ts";
import type { PublishedRequirement, SurfaceModel, SurfaceProduct } from "./types.ts";
import { renderManifest } from "./x402-manifest.ts";

export const BAZAAR_TYPES = ["http", "mcp"] as const;
export type BazaarType = (typeof BAZAAR_TYPES)[number];

/** What a page shows; null is everything. */
export interface BazaarFilter {
  readonly type: BazaarType;
  readonly network: string | null;
  readonly scheme: string | null;
  readonly pay_to: string | null;
}

export interface BazaarPage {
  readonly limit: number;
  readonly offset: number;
}

/** Readers of catalogs stop at 256 KiB; room for what is around the items. */
const ITEMS_BYTES_MAX = 261_000;

/** One page as a facilitator's catalog writes it, so that its readers can read a node's own. */
export function renderBazaarPage(model: SurfaceModel, filter: BazaarFilter, { limit, offset }: BazaarPage) {
  const { node, sandbox, products } = model;
  const found = products.filter(({ challenge }) => challenge.accepts.some((one) => isWanted(one, filter)));
  const last_updated = new Date(renderManifest(model).changed_at * 1000).toISOString();
  const items: object[] = [];
  let size = 0;
  for (const product of found.slice(offset, offset + limit)) {
    const item = filter.type === "mcp" ? renderTool(product, model, last_updated) : renderHTTP(product, last_updated);
    size += Buffer.byteLength(JSON.stringify(item)) + 1;
    // `limit` then says how many there are, so that a reader who adds it to the offset misses none.
    if (size > ITEMS_BYTES_MAX && items.length > 0) break;
    items.push(item);
  }
  const is_cut = items.length < Math.min(limit, found.length - offset);
  return {
    x402Version: 2,
    node_id: node.node_id,
    ...(sandbox ? { sandbox } : {}),
    items,
    pagination: { limit: is_cut ? items.length : limit, offset, total: found.length },
  };
}

/** Hexadecimal addresses are written in either case. */
const isSame = (wanted: string | null, value: string): boolean =>
  wanted === null || wanted === value || (value.startsWith("0x") && wanted.toLowerCase() === value.toLowerCase());

const isWanted = ({ network, scheme, payTo }: PublishedRequirement, filter: BazaarFilter): boolean =>
  isSame(filter.network, network) && isSame(filter.scheme, scheme) && isSame(filter.pay_to, payTo);

/** Some readers take the description from `metadata`, as facilitators' catalogs have it. */
function renderHTTP({ challenge }: SurfaceProduct, lastUpdated: string) {
  const { url, ...about } = challenge.resource;
  const { bazaar } = challenge.extensions;
  return {
    ...frame(challenge.accepts, lastUpdated),
    resource: url,
    type: "http",
    ...about,
    metadata: { description: about.description },
    extensions: { bazaar },
  };
}

/** The same product as a tool: all tools share one address. */
function renderTool(product: SurfaceProduct, model: SurfaceModel, lastUpdated: string) {
  const { challenge, skill_id, description, example } = product;
  const { url: _, ...about } = challenge.resource;
  const { inputSchema } = renderProductTool(product, model);
  const bazaar = {
    info: {
      input: {
        type: "mcp",
        toolName: skill_id,
        // The description stands above: a page has room for 256 KiB.
        transport: "streamable-http",
        inputSchema,
        example: example.params,
      },
      output: outputOf(challenge.extensions.bazaar),
    },
    schema: TOOL_SCHEMA,
  };
  return {
    ...frame(challenge.accepts, lastUpdated),
    resource: `${model.node.public_url}/mcp`,
    type: "mcp",
    ...about,
    metadata: { description },
    extensions: { bazaar },
  };
}

const frame = (accepts: readonly PublishedRequirement[], lastUpdated: string) => ({
  x402Version: 2,
  accepts,
  lastUpdated,
});

/** A tool answers what the path answers. */
function outputOf(bazaar: unknown): unknown {
  const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
    typeof value === "object" && value !== null;
  const info = isObject(bazaar) ? bazaar.info : null;
  return isObject(info) ? info.output : { type: "json" };
}

const TEXT = { type: "string" } as const;
const TOOL_SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  required: ["input"],
  properties: {
    input: {
      type: "object",
      additionalProperties: false,
      required: ["type", "toolName", "inputSchema"],
      properties: {
        type: { ...TEXT, const: "mcp" },
        toolName: TEXT,
        description: TEXT,
        transport: { ...TEXT, enum: ["streamable-http", "sse"] },
        inputSchema: { type: "object" },
        example: { type: "object" },
      },
    },
    output: { type: "object", required: ["type"], properties: { type: TEXT, example: { type: "object" } } },
  },
} as const;
