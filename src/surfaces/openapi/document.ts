import type { FreeEndpoint, SurfaceModel, SurfaceProduct } from "../types.ts";
import { compactSchema, cutSchema, type Detail, DOCUMENT_CHARS_MAX, PRODUCT_CHARS_MAX, renderParts } from "./detail.ts";
import { renderFreePath, renderFreeResponses, renderPaidPath, templateOf } from "./operations.ts";
import { PLAN_ANSWER } from "./plan-answer.ts";
import {
  componentName,
  type OpenAPIJson,
  plainSchema,
  refTo,
  SHARED_PARAMETERS,
  SHARED_RESPONSES,
  SHARED_SCHEMAS,
} from "./schemas.ts";

/**
 * The whole HTTP interface as OpenAPI 3.1.0, with the payment extensions of x402scan, agentcash and MPP. It grows with
 * what is sold, up to a limit: products share the room, and the biggest is cut first.
 */
export function renderOpenAPI(model: SurfaceModel): OpenAPIJson {
  const { products, free } = model;
  const room = DOCUMENT_CHARS_MAX - JSON.stringify(assemble(model, [], free)).length;
  const enough = PRODUCT_CHARS_MAX * products.length;
  const schemas = new Map(products.map((product) => [product, compactSchema(plainSchema(product.data))]));
  const render = (product: SurfaceProduct, detail: Detail) =>
    renderPart({ product, model, detail, data: cutSchema(schemas.get(product) ?? {}, detail) });
  const sizeOf = (part: PathPart) => JSON.stringify(part).length;
  return assemble(model, renderParts({ products, render, sizeOf, room, enough }), free);
}

/** The document of one product alone, whole: what the document of all of them may have had to leave out. */
export function renderProductOpenAPI(product: SurfaceProduct, model: SurfaceModel): OpenAPIJson {
  // As the product checks its own answers with.
  const data = plainSchema(product.data);
  return assemble({ ...model, products: [product] }, [renderPart({ product, model, detail: "whole", data })], []);
}

/** What a product adds to the document. */
interface PathPart {
  readonly path: readonly [path: string, item: OpenAPIJson];
  readonly schemas: readonly (readonly [name: string, schema: OpenAPIJson])[];
}

interface PartSource {
  readonly product: SurfaceProduct;
  readonly model: SurfaceModel;
  readonly detail: Detail;
  /** Schema of the answer's data in this detail. */
  readonly data: OpenAPIJson;
}

function renderPart({ product, model, detail, data }: PartSource): PathPart {
  const name = componentName(product.id);
  const inner = { properties: { data: refTo("schemas", `${name}Data`) } };
  return {
    path: [product.path, renderPaidPath(product, model, detail)],
    schemas: [
      [
        name,
        product.is_bare === true ? refTo("schemas", `${name}Data`) : { allOf: [refTo("schemas", "Envelope"), inner] },
      ],
      [`${name}Data`, data],
    ],
  };
}

function assemble(model: SurfaceModel, parts: readonly PathPart[], free: readonly FreeEndpoint[]): OpenAPIJson {
  const { node, sandbox, products } = model;
  const { public_url } = node;
  const categories = [...new Set(products.map(({ category }) => category))].sort();
  const email = node.contact_email ? { email: node.contact_email } : {};
  const paths = {
    ...Object.fromEntries(parts.map(({ path }) => path)),
    ...Object.fromEntries(free.map((endpoint) => [templateOf(endpoint.path), renderFreePath(endpoint)])),
  };
  const isOfPlans = (name: string) => products.every(({ category, plan }) => category !== name || plan !== null);
  return {
    openapi: "3.1.0",
    info: {
      title: node.name,
      version: node.version,
      summary: "Market intelligence, paid per call",
      description: describe(model),
      contact: { name: node.name, url: `${public_url}/about`, ...email },
      license: { name: "Terms of use", url: `${public_url}/terms` },
      "x-guidance": renderGuidance(model),
    },
    servers: [{ url: public_url }],
    tags: [
      ...categories.map((name) => ({ name, description: `Paid ${isOfPlans(name) ? "once" : "per call"}: ${name}` })),
      ...(free.length > 0 ? [{ name: "free", description: "Costs nothing; a key where a header asks for one" }] : []),
    ],
    paths,
    components: {
      securitySchemes: SECURITY,
      schemas: {
        ...SHARED_SCHEMAS,
        ...planSchemas(products),
        ...Object.fromEntries(parts.flatMap(({ schemas }) => schemas)),
      },
      responses: pickUsed("responses", { ...SHARED_RESPONSES, ...renderFreeResponses(free) }, paths),
      parameters: pickUsed("parameters", SHARED_PARAMETERS, paths),
    },
    "x-agentcash-guidance": { llmsTxtUrl: `${public_url}/llms.txt` },
    ...renderProvenance(model),
    "x-service-info": {
      categories,
      docs: { homepage: `${public_url}/`, apiReference: `${public_url}/openapi.json`, llms: `${public_url}/llms.txt` },
    },
    ...(sandbox ? { "x-sandbox": true } : {}),
  };
}

/** Of shared parts, those that a path names: where there is little room products leave some out. */
function pickUsed(kind: "responses" | "parameters", shared: OpenAPIJson, paths: OpenAPIJson): OpenAPIJson {
  const text = JSON.stringify(paths);
  return Object.fromEntries(Object.entries(shared).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)));
}

const planSchemas = (products: readonly SurfaceProduct[]): OpenAPIJson =>
  products.some(({ plan }) => plan !== null) ? { PlanAnswer: PLAN_ANSWER } : {};

const SECURITY: OpenAPIJson = {
  x402: {
    type: "apiKey",
    in: "header",
    name: "PAYMENT-REQUIRED",
    description: "x402: the 402 answer's header says what to sign; the payment is sent as PAYMENT-SIGNATURE.",
  },
  siwx: {
    type: "apiKey",
    in: "header",
    name: "SIGN-IN-WITH-X",
    description: "A wallet's signature over the text that the 402 holds, for one request. Nothing is paid.",
  },
  apiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "A prepaid key, bought as a plan." },
};

const describe = ({ sandbox }: SurfaceModel): string =>
  `${sandbox ? "Sandbox: networks, prices and data are simulated. " : ""}Market data for software agents, paid ` +
  "call by call in USDC over x402 or with a prepaid key. You are charged only when data is returned.";

/** Signatures that tie the receiving wallets to this origin; a sandbox has no signatures. */
function renderProvenance({ sandbox, origin_signatures }: SurfaceModel): OpenAPIJson {
  if (sandbox || origin_signatures.length === 0) return {};
  const ownershipProofs = [...origin_signatures];
  return { "x-agentcash-provenance": { ownershipProofs }, "x-discovery": { ownershipProofs } };
}

/** For agents: how to try, pay and recover, in under 4,000 characters. */
function renderGuidance({ node, networks, products }: SurfaceModel): string {
  const { public_url } = node;
  const where = networks.length === 0 ? "" : ` in USDC on ${networks.map(({ title }) => title).join(", ")}`;
  const plan = products.find((product) => product.plan?.credit_usd != null);
  const lines = [
    `Every paid path answers 402 with its price until it is paid${where}.`,
    "Try first: any paid path with ?preview=1 alone is free, delayed data of the same shape, for the parameters in " +
      "its preview_of; of other parameters no preview is kept (404 preview_not_kept).",
    "Pay per call: read the PAYMENT-REQUIRED header (x402 version 2), sign one of its accepts, and send the same " +
      "request again with PAYMENT-SIGNATURE. Any x402 client does this; no account is needed.",
    plan
      ? `Pay ahead: ${plan.path} ($${plan.price_usd}) answers with a key; send it as X-API-Key and no call needs a ` +
        "signature."
      : "",
    "You are charged only when data is returned: a wrong parameter (422) or missing data (503) costs nothing. " +
      "Parameters are strict; unknown names are refused with the nearest known one.",
    "If an answer is lost, send the same request with the same payment again: it is not charged twice.",
    `Prices: ${public_url}/get-pricing. Everything in plain text: ${public_url}/llms-full.txt. ` +
      `Error codes: ${public_url}/errors.`,
  ];
  return lines.filter((line) => line !== "").join("\n\n");
}
