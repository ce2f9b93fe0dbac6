import { MCP_LEGACY, MCP_PATH, MCP_SERVER_CARD_PATH, MCP_VERSIONS } from "../../surfaces/mcp-versions.ts";
import { listToolSets } from "../../surfaces/tool-sets.ts";
import type { SurfaceModel } from "../../surfaces/types.ts";
import { PAYMENT_EXTENSION } from "./era.ts";
import type { Params } from "./json-rpc.ts";
import { complete, type Result } from "./results.ts";

const DISCOVER_TTL_MS = 300_000;
const HOW_TO_PAY =
  'Call a tool; unpaid calls answer with a demand for payment by x402 and MPP. Pay by _meta["x402/payment"] or ' +
  '_meta["org.paymentauth/credential"], or send a prepaid ' +
  "key in X-API-Key or as a Bearer token. preview: true is free, for what preview_of names.";

export const serverInfo = ({ node }: SurfaceModel) => ({
  name: node.name,
  title: node.name,
  version: node.version,
  websiteUrl: `${node.public_url}/about`,
});

const instructions = ({ sandbox }: SurfaceModel): string =>
  "Market data, paid per call in USDC. Every tool says its price; preview: true is free, delayed data of the " +
  "parameters that its preview_of names: other parameters have none. " +
  "search_products finds tools by words, get_pricing lists every price. You are charged only when data is returned. " +
  `Too many tools? ${MCP_PATH}?set=core lists four that find and buy any of them.` +
  (sandbox ? " This is a sandbox: prices and payments are not real." : "");

/** The ways to pay by MPP, as its clients look for them before they call. */
function experimental({ products }: SurfaceModel): Params {
  const ways = products.find(({ plan }) => plan === null)?.mpp ?? [];
  if (ways.length === 0) return {};
  const methods = Object.entries(Object.groupBy(ways, ({ method }) => method)).map(([method, of = []]) => [
    method,
    { intents: [...new Set(of.map(({ intent }) => intent))] },
  ]);
  return { experimental: { payment: { methods: Object.fromEntries(methods) } } };
}

/** An unknown revision is answered with the newest one that has a handshake; the client decides whether to go on. */
export function initialize({ protocolVersion }: Params, model: SurfaceModel): Result {
  const known = MCP_LEGACY.find((version) => version === protocolVersion);
  return complete({
    protocolVersion: known ?? MCP_LEGACY[0],
    capabilities: { tools: {}, ...experimental(model) },
    serverInfo: serverInfo(model),
    instructions: instructions(model),
  });
}

/** What clients are notified of as it happens: watches, as resources and by the draft Events extension. */
const OF_WATCHES = { resources: { subscribe: true }, events: { listChanged: false } };

export const discover = (model: SurfaceModel, has_watches: boolean): Result =>
  complete({
    supportedVersions: MCP_VERSIONS,
    capabilities: {
      tools: {},
      ...(has_watches ? OF_WATCHES : {}),
      extensions: { [PAYMENT_EXTENSION]: {} },
      ...experimental(model),
    },
    instructions: instructions(model),
    ttlMs: DISCOVER_TTL_MS,
    cacheScope: "public",
  });

/** What a plain GET of the endpoint shows. */
export const describeDoor = (model: SurfaceModel) => ({
  name: model.node.name,
  ...(model.sandbox ? { sandbox: true } : {}),
  endpoint: `${model.node.public_url}${MCP_PATH}`,
  transport: "streamable-http",
  protocol_versions: MCP_VERSIONS,
  /** Shorter lists, each by `?set=`: how many products each names. */
  sets: Object.fromEntries([...listToolSets(model)].map(([name, ids]) => [name, ids.length])),
  how_to_pay: HOW_TO_PAY,
  server_card: `${model.node.public_url}${MCP_SERVER_CARD_PATH}`,
});
