import { renderTime } from "../core/clock.ts";
import { NodeError } from "../core/errors.ts";
import { parseUSD } from "../core/money.ts";
import { defaultArgumentsOf, renderFunction, renderTool, TOOL_FORMATS, type ToolFormat } from "./function-tools.ts";
import { productSearchOf } from "./product-search.ts";
import { rememberForms } from "./remember.ts";
import { assertQuery, CORE_SET, productsOfSets, readNames, splitNames } from "./tool-sets.ts";
import { defineSurface, json, type Rendered, type SurfaceModel, type SurfaceProduct } from "./types.ts";

const SENT: Readonly<Record<ToolFormat, readonly string[]>> = {
  openai: ["type", "function"],
  anthropic: ["name", "description", "input_schema"],
  gemini: ["name", "description", "parameters"],
};

const FOUND_MAX = 10;
const QUERY_CHARS_MAX = 200;

const renderEntry = (product: SurfaceProduct, format: ToolFormat) => ({
  ...renderTool(product, format),
  url: product.url,
  method: product.method,
  price_usd: product.price_usd,
  default_arguments: defaultArgumentsOf(product),
});

/** Functions as a document: `url`, `method` and the prices are for the caller. */
function renderList(model: SurfaceModel, format: ToolFormat, tools: readonly object[]): Rendered {
  const { node, sandbox, now_ms } = model;
  return json({
    node_id: node.node_id,
    generated_at: renderTime(now_ms),
    ...(sandbox ? { sandbox: true } : {}),
    format,
    formats: TOOL_FORMATS,
    usage:
      `Send the model only ${SENT[format].join(", ")} of each tool. Call its url with default_arguments and the ` +
      "model's arguments: GET in the query, POST as JSON. A 402 answer says how to pay; X-API-Key pays from a " +
      `prepaid key. Shorter: ?set=${CORE_SET} (two functions that find and call all), ?q=, ?category=, ?max_price=, ` +
      "?names=.",
    sent_to_model: SENT[format],
    tools,
  });
}

/** The pair that covers all products: one finds them as functions, the other calls any of them. */
function renderPair({ node }: SurfaceModel, format: ToolFormat): readonly object[] {
  const find = {
    name: "find_products",
    description: "Finds products of this node by words, as functions with their parameters and prices. Free.",
    parameters: {
      type: "object",
      properties: {
        q: { type: "string", description: "Words or a question, English or Portuguese" },
        category: { type: "string", description: "Only this category" },
        max_price: { type: "string", description: "Only calls up to so many USD, such as 0.05" },
      },
      required: ["q"],
    },
  };
  const call = {
    name: "call_product",
    description: "Calls a product that find_products named, at its price. Without payment it answers how to pay.",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", description: "Path of its url, without the first slash, such as fear-greed" },
        arguments: { type: "string", description: "Its arguments as a JSON object" },
      },
      required: ["path"],
    },
  };
  const free = { method: "GET", price_usd: "0", default_arguments: { format } };
  return [
    { ...renderFunction(find, format), url: `${node.public_url}/tools.json`, ...free },
    {
      ...renderFunction(call, format),
      // RFC 6570: the argument `path` goes into the address, those in `arguments` in the query or body.
      url_template: `${node.public_url}/{+path}`,
      method: "GET",
      default_arguments: { view: "brief" },
    },
  ];
}

const PARAMS = {
  format: "openai (default), anthropic or gemini",
  q: `words or a question: the best ${FOUND_MAX}`,
  category: "only this category",
  max_price: "only what costs at most so many USD a call",
  names: "only these functions or paths, separated by commas",
  set: `${CORE_SET} (a find and a call function for all products), or categories`,
} as const;

const isFormat = (text: string): text is ToolFormat => (TOOL_FORMATS as readonly string[]).includes(text);

function readFormat(query: URLSearchParams): ToolFormat {
  const format = query.get("format") ?? "openai";
  if (isFormat(format)) return format;
  throw new NodeError("invalid_parameter", `Parameter "format" must be ${TOOL_FORMATS.join(", ")}.`, {
    param: "format",
    details: { parameter: "format", got: format.slice(0, 100), allowed: TOOL_FORMATS },
  });
}

function readPrice(text: string): bigint {
  try {
    return parseUSD(text);
  } catch (cause) {
    throw new NodeError("invalid_parameter", 'Parameter "max_price" must be US dollars such as 0.05.', {
      param: "max_price",
      details: { parameter: "max_price", got: text.toWellFormed().slice(0, 100) },
      cause,
    });
  }
}

/** The products that pass every filter: the best first where words are looked for, else in catalog order. */
function selectProducts(model: SurfaceModel, query: URLSearchParams): readonly SurfaceProduct[] {
  const [q, category, price, names, set] = ["q", "category", "max_price", "names", "set"].map((name) =>
    query.get(name),
  );
  let kept = set == null ? model.products : productsOfSets(model, set);
  if (category != null) {
    const known = [...new Set(model.products.map((product) => product.category))].sort();
    const wanted = readNames("category", category, known);
    kept = kept.filter((product) => wanted.has(product.category));
  }
  if (price != null) {
    const most = readPrice(price);
    kept = kept.filter(({ price_atomic }) => BigInt(price_atomic) <= most);
  }
  if (names != null) {
    const plain = splitNames(names).map((name) => name.replace(/^\//, "").replaceAll(/[/-]/g, "_"));
    const known = [...model.products.map(({ skill_id }) => skill_id), ...(model.off_skill_ids ?? [])];
    const wanted = readNames("names", plain.join(","), known);
    kept = kept.filter(({ skill_id }) => wanted.has(skill_id));
  }
  if (q == null) return kept;
  const found = productSearchOf(model).find(q.slice(0, QUERY_CHARS_MAX), model.products.length);
  return found.filter((product) => kept.includes(product)).slice(0, FOUND_MAX);
}

const renderAll = (model: SurfaceModel, format: ToolFormat): Rendered =>
  renderList(
    model,
    format,
    model.products.map((product) => renderEntry(product, format)),
  );
const formOf = rememberForms((model, format) => renderAll(model, isFormat(format) ? format : "openai"));

export const surface = defineSurface({
  path: "/tools.json",
  summary: "Every product as a function schema for OpenAI, Anthropic or Gemini",
  content_type: "application/json",
  query: PARAMS,
  render: (model) => renderAll(model, "openai"),
  answer: (query, model) => {
    assertQuery(query, Object.keys(PARAMS));
    const format = readFormat(query);
    if ([...query.keys()].every((name) => name === "format")) return query.has("format") ? formOf(model, format) : null;
    const sets = splitNames(query.get("set") ?? "");
    const pair = sets.includes(CORE_SET) ? renderPair(model, format) : [];
    const products = selectProducts(model, query).map((product) => renderEntry(product, format));
    return renderList(model, format, [...pair, ...products]);
  },
});
