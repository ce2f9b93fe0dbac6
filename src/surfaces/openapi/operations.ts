import type { TSchema } from "@sinclair/typebox";
import { VIEW_VALUES } from "../../catalog/view.ts";
import type { FreeEndpoint, SurfaceModel, SurfaceProduct } from "../types.ts";
import type { Detail } from "./detail.ts";
import { renderPlanExample } from "./plan-answer.ts";
import { componentName, type OpenAPIJson, plainSchema, refTo, SHARED_PARAMETERS } from "./schemas.ts";

export type Method = "get" | "post" | "delete";

const lower = (method: "GET" | "POST" | "DELETE"): Method => method.toLowerCase() as Method;

/** One paid path: an operation for each way it can be called. */
export function renderPaidPath(
  product: SurfaceProduct,
  model: SurfaceModel,
  detail: Detail,
): Readonly<Record<string, OpenAPIJson>> {
  const full = {
    url: `${model.node.public_url}/openapi.json?product=${encodeURIComponent(product.id)}`,
  };
  return Object.fromEntries(
    product.methods.map((method, index) => {
      const whole = renderPaidOperation({ product, method, model, detail });
      const operation = detail === "whole" ? whole : { ...whole, externalDocs: full };
      const operationId = index === 0 ? product.skill_id : `${product.skill_id}_${lower(method)}`;
      return [lower(method), { operationId, ...operation }];
    }),
  );
}

interface PaidOperation {
  readonly product: SurfaceProduct;
  readonly method: "GET" | "POST";
  readonly model: SurfaceModel;
  readonly detail: Detail;
}

function renderPaidOperation({ product, method, model, detail }: PaidOperation): OpenAPIJson {
  const {
    title,
    description,
    category,
    plan,
    is_bare = false,
    usual_view,
    has_markdown,
    takes_since = false,
    takes_as_of = false,
  } = product;
  // Where there is hardly room left: what is true of all products, and the whole text, is one address away.
  const is_short = detail === "bare" || detail === "names";
  const own = Object.keys(product.params.properties);
  const shared = Object.keys(SHARED_PARAMETERS)
    .filter((name) => method === "POST" || !own.includes(name))
    .filter((name) => !is_bare || !VIEWS.includes(name))
    .filter((name) => takes_since || name !== "since")
    .filter((name) => takes_as_of || name !== "as_of")
    // What only some products take is said by themselves, however little room there is.
    .filter((name) => !is_short || name === "preview" || (name === "format" && has_markdown === true))
    .map((name) => {
      if (name === "format" && has_markdown) return IN_MARKDOWN;
      return name === "view" && usual_view === "brief" ? USUALLY_BRIEF : refTo("parameters", name);
    });
  // In the end so are the terms of other ways to pay, but that there are some: the 402 says them all.
  const mpp = detail === "bare" ? [] : product.mpp;
  const protocols = product.mpp.map(({ method, intent, currency }) => ({ mpp: { method, intent, currency } }));
  const told = is_short ? description.replace(/\. .*/s, ".") : description;
  return {
    summary: title,
    description: plan === null ? told : `${told} Paid once: $${product.price_usd}.`,
    tags: [category],
    // A plan is bought on chain; the key of an earlier one may come with the payment and is topped up.
    security: [{ x402: [] }, plan === null ? { apiKey: [] } : { x402: [], apiKey: [] }],
    parameters: method === "GET" ? [...renderParameters(product), ...shared] : shared,
    ...(method === "POST" ? { requestBody: renderBody(product) } : {}),
    "x-payment-info": {
      price:
        product.priced_by === undefined
          ? { mode: "fixed", currency: "USD", amount: product.price_usd }
          : { mode: "dynamic", currency: "USD", min: product.price_usd },
      protocols: [{ x402: {} }, ...protocols],
      ...renderOffers({ ...product, mpp }),
    },
    "x-x402-details": renderDetails(product, model, detail),
    ...(product.metering ? { "x-metered": product.metering } : {}),
    responses: {
      200: {
        description: describeAnswer(product),
        content: {
          "application/json": {
            schema: renderAnswer(product),
            ...(detail === "whole" ? { example: renderExampleAnswer(product, model) } : {}),
          },
        },
      },
      402: refTo("responses", "PaymentRequired"),
      ...(is_short ? ANY_REFUSAL : EACH_REFUSAL),
    },
  };
}

const EACH_REFUSAL: OpenAPIJson = {
  422: refTo("responses", "Refused"),
  429: refTo("responses", "TooMany"),
  503: refTo("responses", "Unavailable"),
};
/** All of them have one form. */
const ANY_REFUSAL: OpenAPIJson = { default: refTo("responses", "Refused") };

/** Ways to pay as the discovery draft of MPP names them; an amount that depends on a parameter is null. */
function renderOffers({ mpp, tiers = [], price_usd, priced_by }: SurfaceProduct): OpenAPIJson {
  if (mpp.length === 0) return {};
  const varies = tiers.length > 0 || priced_by !== undefined;
  const prices = [price_usd, ...tiers.map((tier) => tier.price_usd)].map((price) => `$${price}`);
  const offers = mpp.map(({ method, intent, amount, currency }) => ({
    intent,
    method,
    amount: varies ? null : amount,
    currency,
    ...(varies ? { description: priced_by ?? `By ${tiers[0]?.param}: ${[...new Set(prices)].join(", ")}` } : {}),
  }));
  return { offers };
}

/** The parameter `view` where nothing else is asked for. */
const USUALLY_BRIEF: OpenAPIJson = {
  ...SHARED_PARAMETERS.view,
  description: "full = sources with their addresses, long tables",
  schema: { type: "string", enum: VIEW_VALUES, default: "brief" },
};

/** The parameter `format` of products with a text. */
const IN_MARKDOWN: OpenAPIJson = {
  ...SHARED_PARAMETERS.format,
  description: "md = of the data only markdown, the text",
  schema: { type: "string", enum: ["json", "md"], default: "json" },
};

/** Parts of an envelope's data: an answer without an envelope has no parts. */
const VIEWS: readonly string[] = ["view", "fields", "lang"];

function describeAnswer({ plan, is_bare = false }: SurfaceProduct): string {
  if (plan !== null) return "The key, or in a preview what the plan grants";
  return is_bare ? "The answer in a form of its own" : "The data in its envelope";
}

/** A payment for a plan buys a key; its preview is an envelope like any other. */
function renderAnswer({ id, plan }: SurfaceProduct): OpenAPIJson {
  const enveloped = refTo("schemas", componentName(id));
  return plan === null ? enveloped : { anyOf: [refTo("schemas", "PlanAnswer"), enveloped] };
}

const renderExampleAnswer = (product: SurfaceProduct, model: SurfaceModel): OpenAPIJson =>
  product.plan === null ? renderExample(product, model) : renderPlanExample(product, model);

function renderParameters({ params, example }: SurfaceProduct): readonly OpenAPIJson[] {
  const required: readonly string[] = params.required ?? [];
  return Object.entries(params.properties as Record<string, TSchema>).map(([name, schema]) => {
    const { description, ...plain } = plainSchema(schema);
    const shown = example.params[name];
    return {
      name,
      in: "query",
      ...(required.includes(name) ? { required: true } : {}),
      ...(description === undefined ? {} : { description }),
      ...(shown === undefined ? {} : { example: shown }),
      schema: plain,
    };
  });
}

const renderBody = ({ params, example }: SurfaceProduct): OpenAPIJson => ({
  content: { "application/json": { schema: plainSchema(params), example: example.params } },
});

/** Bare, without what is the same for every product: each 402 says it. */
function renderDetails(
  { price_atomic, plan, challenge }: SurfaceProduct,
  { products }: SurfaceModel,
  detail: Detail,
): OpenAPIJson {
  if (detail === "bare" || detail === "names") return { amount_atomic: price_atomic };
  const [first] = challenge.accepts;
  const prepaid = plan === null ? products.find((other) => other.plan?.credit_usd != null) : undefined;
  return {
    amount_atomic: price_atomic,
    ...(first ? { asset: first.asset, network: first.network, payTo: first.payTo, scheme: first.scheme } : {}),
    ...(prepaid ? { credits: `${prepaid.method} ${prepaid.path}, then X-API-Key` } : {}),
  };
}

/** The example call's answer, whole, so that it can be checked against the schema. */
const renderExample = (product: SurfaceProduct, model: SurfaceModel): OpenAPIJson =>
  product.is_bare === true ? (product.example.data as OpenAPIJson) : renderEnvelope(product, model);

const renderEnvelope = (product: SurfaceProduct, { node, sandbox }: SurfaceModel): OpenAPIJson => ({
  product: product.id,
  ...product.gist,
  node_id: node.node_id,
  as_of: product.example.as_of,
  generated_at: product.example.as_of,
  delayed: false,
  ...(sandbox ? { sandbox: true } : {}),
  sources: [],
  warnings: [],
  data: product.example.data,
});

/** One free path. */
export function renderFreePath(endpoint: FreeEndpoint): Readonly<Record<string, OpenAPIJson>> {
  return Object.fromEntries(
    endpoint.methods.map((method) => [
      lower(method),
      { operationId: freeOperationId(method, endpoint.path), ...renderFreeOperation(endpoint, method) },
    ]),
  );
}

/** "text/html; charset=utf-8" -> "text/html". */
const mediaTypeOf = (content_type: string): string => (content_type.split(";")[0] ?? "").trim();

/** "text/html" -> "FreeTextHtml". */
const freeResponseName = (type: string): string => componentName(`free/${type.replaceAll(/[^A-Za-z0-9]+/g, "-")}`);

/** The answers of free paths: one for each media type, shared by all that answer in it. */
export function renderFreeResponses(free: readonly FreeEndpoint[]): OpenAPIJson {
  const types = new Set(free.map(({ content_type }) => mediaTypeOf(content_type)));
  return Object.fromEntries(
    [...types].map((type) => {
      const schema = { type: /[/+]json$/.test(type) ? "object" : "string" };
      return [freeResponseName(type), { description: "What the path is for", content: { [type]: { schema } } }];
    }),
  );
}

const freeOperationId = (method: string, path: string): string =>
  `${method.toLowerCase()}_${path.replaceAll(/[^A-Za-z0-9]+/g, "_").replaceAll(/^_|_$/g, "") || "home"}`;

/** "/receipts/:id" as OpenAPI writes it. */
export const templateOf = (path: string): string => path.replaceAll(/:([a-z_]+)/g, "{$1}");

function renderFreeOperation(endpoint: FreeEndpoint, method: "GET" | "POST" | "DELETE"): OpenAPIJson {
  const { path, summary, content_type, query = {}, asks, signs_in, body } = endpoint;
  const shown = body ? { example: body } : {};
  const content = { "application/json": { schema: { type: "object" }, ...shown } };
  const in_path = [...path.matchAll(/:([a-z_]+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const in_query = Object.entries(query).map(([name, description]) => ({
    name,
    in: "query",
    description,
    schema: { type: "string" },
  }));
  const parameters = method === "GET" ? [...in_path, ...in_query] : in_path;
  return {
    summary,
    description: signs_in ? "Free for the wallet that signs in." : "Free.",
    tags: ["free"],
    security: signs_in ? [{ siwx: [] }] : [],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(method === "POST" ? { requestBody: { content } } : {}),
    responses: {
      200: refTo("responses", freeResponseName(mediaTypeOf(content_type))),
      ...(signs_in ? { 402: refTo("responses", "SignInRequired") } : {}),
      ...(asks || parameters.length > 0 ? { 422: refTo("responses", "Refused") } : {}),
      429: refTo("responses", "TooMany"),
    },
  };
}
