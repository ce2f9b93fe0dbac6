import { canonicalJSON, sha256Hex } from "../core/hash.ts";
import { membersOf, publicParameter, publicType } from "../core/public-schema.ts";
import type { PublishedRequirement, SurfaceModel, SurfaceProduct } from "./types.ts";

/** The manifest as it is served, and since when it is this one. */
export interface Manifest {
  /** RFC 8785 form: the SHA-256 of these bytes is what the node signs. */
  readonly text: string;
  /** Unix seconds. */
  readonly changed_at: number;
}

/**
 * How much is said of each product's data: less where there are so many products that readers would give up on the
 * document.
 */
const DETAILS = ["described", "typed", "plain"] as const;
type Detail = (typeof DETAILS)[number];

/** Crawlers stop reading at 256 KiB; the time adds a little. */
const CONTENT_BYTES_MAX = 262_044;

const kept = new WeakMap<SurfaceModel, Manifest>();

/** The x402 manifest of a node: every resource with its price on every network, without anything volatile. */
export function renderManifest(model: SurfaceModel): Manifest {
  const known = kept.get(model);
  if (known) return known;
  const content = { ...renderFrame(model), resources: fitResources(model) };
  const changed_at = model.changedAt(sha256Hex(canonicalJSON(content)));
  const manifest = { text: canonicalJSON({ ...content, lastUpdated: changed_at }), changed_at };
  kept.set(model, manifest);
  return manifest;
}

const sizeOf = (value: unknown): number => Buffer.byteLength(canonicalJSON(value));

/**
 * Every resource: all whole in the same detail, or, where even that is too much, as many whole as there is room for and
 * the others as bare addresses.
 */
function fitResources(model: SurfaceModel): readonly (object | string)[] {
  const { products } = model;
  const room = CONTENT_BYTES_MAX - sizeOf({ ...renderFrame(model), resources: [] });
  for (const detail of DETAILS) {
    const whole = products.map((product) => renderResource(product, detail));
    if (sizeOf(whole) <= room) return whole;
  }
  let left = room - sizeOf(products.map(({ url }) => url));
  return products.map((product) => {
    const whole = renderResource(product, "plain");
    const more = sizeOf(whole) - sizeOf(product.url);
    if (more > left) return product.url;
    left -= more;
    return whole;
  });
}

function renderFrame(model: SurfaceModel) {
  const { node, networks, sandbox, facilitator_url } = model;
  const { public_url } = node;
  const preferred = networks.find(({ wallet }) => wallet === "base") ?? networks[0];
  return {
    x402Version: 2,
    ...(sandbox ? { sandbox } : {}),
    node: {
      chains: networks.map(({ network }) => network),
      docs: `${public_url}/llms.txt`,
      ...(facilitator_url === null ? {} : { facilitator: facilitator_url }),
      freeSample: `${public_url}/sample`,
      mcp: `${public_url}/mcp`,
      name: node.name,
      node_id: node.node_id,
      openapi: `${public_url}/openapi.json`,
      ...(preferred ? { preferredNetwork: preferred.network } : {}),
      public_key: `ed25519:${node.public_key}`,
      url: public_url,
      version: node.version,
    },
    ownershipProofs: listOwners(model),
    verify: `${public_url}/.well-known/verify-manifest`,
  };
}

/** Addresses, in the order Base, Solana: this list has no place for others. */
const listOwners = ({ wallets }: SurfaceModel): readonly string[] => {
  const of = (name: string) => wallets.filter(({ wallet }) => wallet === name).map(({ address }) => address);
  return [...new Set([...of("base"), ...of("solana")])];
};

/** The requirement that readers of a single one are shown: the one on Base where there is one. */
const mainRequirement = (accepts: readonly PublishedRequirement[]): PublishedRequirement | undefined =>
  accepts.find(({ network }) => network.startsWith("eip155:")) ?? accepts[0];

/** Whole or a bare address: a half-filled entry is of no use to anybody, and what cannot be paid now has no terms. */
function renderResource(product: SurfaceProduct, detail: Detail): object | string {
  const { url, method, challenge } = product;
  const { accepts, resource } = challenge;
  const main = mainRequirement(accepts);
  if (!main) return url;
  const { serviceName, tags, iconUrl, description } = resource;
  return {
    url,
    method,
    description,
    accepts,
    asset: main.asset,
    network: main.network,
    payTo: main.payTo,
    scheme: main.scheme,
    extra: main.extra,
    maxAmountRequired: main.amount,
    maxTimeoutSeconds: main.maxTimeoutSeconds,
    mimeType: "application/json",
    inputSchema: renderInput(product),
    outputSchema: renderOutput(product, detail),
    serviceName,
    tags,
    ...(iconUrl === undefined ? {} : { iconUrl }),
  };
}

function renderInput({ params, example }: SurfaceProduct): object {
  const properties = Object.entries(membersOf(params)).map(([name, schema]) => {
    const shown = publicParameter(schema);
    const choices = Array.isArray(shown.enum) ? shown.enum : [];
    const value = [example.params[name], shown.default, choices[0], shown.minimum].find((one) => one !== undefined);
    return [name, { description: name, ...shown, ...(value === undefined ? {} : { example: value }) }];
  });
  return {
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(properties),
    required: params.required ?? [],
  };
}

/** The fields of the data, first level only; the whole schema is in the OpenAPI document. */
function renderOutput({ data }: SurfaceProduct, detail: Detail): object {
  const form = { mimeType: "application/json", type: "object" };
  if (detail === "plain") return form;
  const properties = Object.entries(membersOf(data)).map(([name, schema]) => {
    const described = detail === "described" && schema.description !== undefined;
    return [name, { ...publicType(schema), ...(described ? { description: schema.description } : {}) }];
  });
  return { ...form, properties: Object.fromEntries(properties) };
}
