import type { TSchema } from "@sinclair/typebox";
import { TOLD_LANGUAGES } from "../catalog/gist.ts";
import { VIEW_VALUES } from "../catalog/view.ts";
import { describePreviewsOf } from "./preview-text.ts";
import { priceText } from "./price-text.ts";
import type { PublishedRequirement, SurfaceModel, SurfaceProduct } from "./types.ts";

/** A tool as MCP clients list it. */
export interface MCPTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly annotations: Readonly<Record<string, unknown>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A tool that costs nothing. */
interface FreeTool extends MCPTool {
  /** The free path whose answer it gives; null for those that the door itself answers. */
  readonly path: string | null;
}

export const SEARCH_RESULTS_MAX = 50;
export const SEARCH_RESULTS_DEFAULT = 10;
export const SEARCH_CHARS_MAX = 200;
/** Longest text of an answer, where the call asks for no other. */
export const TEXT_BYTES_DEFAULT = 8_000;
export const TEXT_BYTES_MIN = 2_000;
export const TEXT_BYTES_MAX = 100_000;
/** Argument of every tool: how long the text of its answer may be. */
export const TEXT_BYTES_PARAM = "text_bytes";
/** What a wallet that signs in can be shown. */
export const WALLET_SHOWS = ["purchases", "statement", "keys", "answer"] as const;

/** What can be done with watches. */
export const WATCH_VERBS = ["set", "list", "show", "events", "pause", "resume", "end"] as const;

export const WALLET_TOOL = "my_wallet";
export const WATCH_TOOL = "watch";
/** Buys any product: for lists that do not name them all. */
export const CALL_TOOL = "call_product";

const TEXT_BYTES = {
  [TEXT_BYTES_PARAM]: {
    type: "integer",
    minimum: TEXT_BYTES_MIN,
    maximum: TEXT_BYTES_MAX,
    default: TEXT_BYTES_DEFAULT,
    description: "Longest text answered",
  },
};
const NOTHING = { type: "object", properties: TEXT_BYTES, required: [], additionalProperties: false } as const;
const FREE_ANNOTATIONS = { readOnlyHint: true, destructiveHint: false, openWorldHint: true } as const;

const FREE_TOOLS: readonly FreeTool[] = [
  {
    name: "get_pricing",
    title: "Prices",
    description: "Every product with its price, plans and limits. Free.",
    inputSchema: NOTHING,
    annotations: FREE_ANNOTATIONS,
    path: "/get-pricing",
  },
  {
    name: "sample",
    title: "Samples",
    description: "Newest free previews of some products: real data, delayed. Free.",
    inputSchema: NOTHING,
    annotations: FREE_ANNOTATIONS,
    path: "/sample",
  },
  {
    name: "search_products",
    title: "Find a product",
    description: "Finds tools of this server by words, with their prices and parameters. Free.",
    inputSchema: {
      type: "object",
      properties: {
        query: { type: "string", maxLength: SEARCH_CHARS_MAX, description: "Words, such as: funding rate bitcoin" },
        limit: {
          type: "integer",
          minimum: 1,
          maximum: SEARCH_RESULTS_MAX,
          default: SEARCH_RESULTS_DEFAULT,
          description: "How many at most",
        },
        ...TEXT_BYTES,
      },
      required: ["query"],
      additionalProperties: false,
    },
    annotations: FREE_ANNOTATIONS,
    path: null,
  },
  {
    name: WALLET_TOOL,
    title: "What your wallet bought",
    description:
      "Purchases, statement, keys (no secrets) of the wallet that signs in, or a bought answer again. Free. Without " +
      "sign_in it answers the text to sign (x402 extension sign-in-with-x); each signature is good once.",
    inputSchema: {
      type: "object",
      properties: {
        show: { type: "string", enum: WALLET_SHOWS },
        payment_id: { type: "string", description: "For show = answer, from the purchases" },
        sign_in: { type: "string", description: "Value of the header SIGN-IN-WITH-X, base64" },
        ...TEXT_BYTES,
      },
      required: ["show"],
      additionalProperties: false,
    },
    annotations: FREE_ANNOTATIONS,
    path: null,
  },
  {
    name: WATCH_TOOL,
    title: "Watch a product",
    description:
      "Has this node ask a product again and again and keep what matters: set, then read its events. Paid by your " +
      "key (X-API-Key): the price when it tells, a tenth when it does not. Setting and reading are free.",
    inputSchema: {
      type: "object",
      properties: {
        do: { type: "string", enum: WATCH_VERBS },
        watch: { type: "string", description: "Id, for all but set and list" },
        after: { type: "integer", description: "For events: seq of the last one you have" },
        order: {
          type: "object",
          description:
            'For set: {"product": "/fear-greed", "params": {}, "every": "1h", "budget_usd": "1", ' +
            '"condition": {"field": "value", "op": "<", "value": 25}}. ' +
            'Ops: < <= > >= == != changed crossed new; all, any, not; "for": "3 of 5"',
        },
        ...TEXT_BYTES,
      },
      required: ["do"],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
    path: null,
  },
];

/** The free tools. A product of the same name goes first: what is paid for is never hidden. */
export const listFreeTools = ({ products, free }: SurfaceModel): readonly FreeTool[] =>
  FREE_TOOLS.filter(({ name }) => {
    if (name === WATCH_TOOL && !free.some(({ path }) => path === "/watch")) return false;
    return !products.some(({ skill_id }) => skill_id === name);
  });

const hours = (seconds: number): string => {
  if (seconds >= 3_600 && seconds % 3_600 === 0) return `${seconds / 3_600} h`;
  return seconds >= 60 && seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
};

/** Tools answer into a model's context: what it can do without is left out before it is sent. */
const VIEW = {
  view: { type: "string", enum: VIEW_VALUES, description: "brief = short: no source details, no long tables" },
  fields: { type: "string", description: "Only these members of data, such as: a,b.c" },
  lang: { type: "string", enum: TOLD_LANGUAGES, description: "of text" },
};

const USUALLY_BRIEF = {
  ...VIEW.view,
  default: "brief",
  description: "full = with the address of every source and the long tables",
};

const SINCE = { type: "string", description: "receipt id of your earlier answer: only what changed (RFC 7396)" };

const AS_OF = { type: "string", description: "the answer as of this time, 2026-11-22T14:30:00Z" };

const FORMAT = { type: "string", enum: ["json", "md"], description: "md = of data only markdown, the text" };

/**
 * Parameters of a product as a tool takes them. `preview` is a boolean here, because clients and models send typed
 * values.
 */
function renderInputSchema(product: SurfaceProduct): Readonly<Record<string, unknown>> {
  const { params, plan, is_bare, usual_view, has_markdown, takes_since, takes_as_of, preview_delay_s } = product;
  const of = describePreviewsOf(product);
  const data = `true = free data, delayed by ${hours(preview_delay_s)}${of === null ? "" : `, kept only for ${of}`}`;
  const what = plan ? "true = what it grants, free" : data;
  const properties: Record<string, TSchema | object> = {
    ...params.properties,
    preview: { type: "boolean", description: what },
    ...(plan || is_bare ? {} : usual_view === "brief" ? { ...VIEW, view: USUALLY_BRIEF } : VIEW),
    ...(has_markdown ? { format: FORMAT } : {}),
    ...(takes_since ? { since: SINCE } : {}),
    ...(takes_as_of ? { as_of: AS_OF } : {}),
    ...(TEXT_BYTES_PARAM in params.properties ? {} : TEXT_BYTES),
  };
  return { type: "object", properties, required: params.required ?? [], additionalProperties: false };
}

/** The first offer on one level; mcpc pays a tool only with `paymentRequired` beside it. */
const flatten = ({ scheme, network, amount, asset, payTo, maxTimeoutSeconds, extra }: PublishedRequirement) => ({
  paymentRequired: true,
  scheme,
  network,
  amount,
  asset,
  payTo,
  maxTimeoutSeconds,
  extra,
});

/** Where the OpenAPI document has the schema of the data. */
const schemaUrl = ({ path, method }: SurfaceProduct, public_url: string): string => {
  const pointer = ["paths", path, method.toLowerCase(), "responses", "200", "content", "application/json", "schema"];
  const escaped = pointer.map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1"));
  return `${public_url}/openapi.json#/${escaped.join("/")}`;
};

/**
 * A product as a tool. It declares no `outputSchema`: clients check even a demand for payment against it, and their
 * users would never see the price.
 */
export function renderProductTool(product: SurfaceProduct, { node }: SurfaceModel): MCPTool {
  const { accepts } = product.challenge;
  const [first] = accepts;
  return {
    name: product.skill_id,
    title: product.title,
    description: `${product.description} Price ${priceText(product)} in USDC.`,
    inputSchema: renderInputSchema(product),
    annotations: {
      title: product.title,
      readOnlyHint: product.plan === null,
      destructiveHint: false,
      openWorldHint: true,
      paymentHint: true,
      paymentPriceUSD: Number(product.price_usd),
      paymentNetworks: accepts.map(({ network }) => network),
      paymentVersion: 2,
    },
    _meta: {
      ...(first ? { x402: flatten(first) } : {}),
      "intel-node/output_schema": schemaUrl(product, node.public_url),
      "intel-node/resource": product.url,
    },
  };
}

/** The tool that covers all products in a short list. */
const BUYING_TOOL: MCPTool = {
  name: CALL_TOOL,
  title: "Call a product",
  description:
    "Calls any product that search_products or get_pricing names, at its price. Its parameters go into arguments. " +
    "Without payment it answers with the price and how to pay.",
  inputSchema: {
    type: "object",
    properties: {
      tool: { type: "string", description: "Name of the product's tool, such as fear_greed" },
      arguments: { type: "object", description: "Its parameters" },
      preview: { type: "boolean", description: "true = free, delayed data of the parameters in preview_of" },
      ...VIEW,
      ...TEXT_BYTES,
    },
    required: ["tool"],
    additionalProperties: false,
  },
  annotations: {
    title: "Call a product",
    readOnlyHint: false,
    destructiveHint: false,
    openWorldHint: true,
    paymentHint: true,
  },
};

/** Names of tools in the set `core`, and in every other set besides its products. */
export const CORE_TOOLS: readonly string[] = ["search_products", "sample", "get_pricing", CALL_TOOL];

/** Every tool that can be listed, products first, in catalog order. */
export const renderTools = (model: SurfaceModel): readonly MCPTool[] => [
  ...model.products.map((product) => renderProductTool(product, model)),
  ...listFreeTools(model).map(({ path: _, ...tool }) => tool),
  ...(model.products.some(({ skill_id }) => skill_id === CALL_TOOL) ? [] : [BUYING_TOOL]),
];
