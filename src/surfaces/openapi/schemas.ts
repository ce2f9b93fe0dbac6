import type { TSchema } from "@sinclair/typebox";
import { TOLD_LANGUAGES } from "../../catalog/gist.ts";
import type { RESERVED_PARAMS } from "../../catalog/params.ts";
import { VIEW_VALUES } from "../../catalog/view.ts";
import { ERRORS } from "../../core/errors.ts";

/** Any JSON object of the document. */
export type OpenAPIJson = Readonly<Record<string, unknown>>;

/** How numbers are rounded, and where null is no missing figure: validators of others know no such keywords. */
const isOwnKeyword = (key: string, value: unknown): boolean =>
  ((key === "decimals" || key === "digits") && typeof value === "number") ||
  (key === "null_when" && typeof value === "string");

/** A schema as it goes over the wire: JSON Schema's keywords, without what TypeBox keeps in symbols. */
export const plainSchema = (schema: TSchema): OpenAPIJson =>
  JSON.parse(JSON.stringify(schema, (key, value) => (isOwnKeyword(key, value) ? undefined : value)));

export const refTo = (kind: "schemas" | "responses" | "parameters", name: string): OpenAPIJson => ({
  $ref: `#/components/${kind}/${name}`,
});

/** "fear-greed" -> "FearGreed", as components are called. */
export const componentName = (id: string): string =>
  id.replaceAll(/(^|[/-])([a-z0-9])/g, (_, __, letter: string) => letter.toUpperCase());

const text = (description: string): OpenAPIJson => ({ type: "string", description });
const time = (description: string): OpenAPIJson => ({ type: "string", format: "date-time", description });

/** What every paid answer has around its data. */
const ENVELOPE: OpenAPIJson = {
  type: "object",
  required: ["product", "node_id", "as_of", "generated_at", "delayed", "sources", "warnings", "data"],
  properties: {
    preview_of: { type: "object", description: "Free previews only: the parameters that the data was computed for." },
    product: text("Which product this is."),
    text: text("The answer in one sentence, by templates; in Portuguese with lang=pt."),
    headline: {
      type: ["object", "null"],
      description: "The figure the answer is known by; null where it has none.",
      required: ["value", "unit", "sense"],
      properties: {
        value: { type: ["number", "string", "null"], description: "As it stands in data." },
        unit: { type: ["string", "null"], description: "usd, brl, eur, pct, pp, bps, or in words." },
        sense: { type: ["string", "null"], description: "What it means, or what it is of." },
      },
    },
    node_id: text("Which node answered."),
    as_of: time("Time of the newest datum used."),
    generated_at: time("Time of this answer."),
    delayed: { type: "boolean", description: "true in a free preview." },
    view: { type: "object", description: "There when only a part was asked for (view, fields): data has that part." },
    age_seconds: { type: "number", description: "Previews only: age of the data when it was shown." },
    sandbox: { type: "boolean", description: "true: everything is simulated." },
    sources: {
      type: "array",
      description: "Upstreams the data came from.",
      items: {
        type: "object",
        required: ["provider", "ok"],
        properties: {
          provider: text("Its name."),
          url: text("What was asked; not in a brief view."),
          fetched_at: time("When; not in a brief view."),
          ok: { type: "boolean", description: "Whether its answer was used." },
          simulated: { type: "boolean", description: "true: played by a sandbox." },
          error: text("Why it was not."),
          attribution: { type: "object", description: "What its terms want to be named beside the data." },
        },
      },
    },
    warnings: { type: "array", description: "What is degraded, and why.", items: { type: "string" } },
    via: {
      type: "object",
      description: "There when a peer made the answer (docs/stand-ins.md): who, and its signed receipt.",
      required: ["node_id", "url", "receipt_id", "receipt", "seal_url", "response_sha256", "answer"],
      properties: {
        node_id: text("The peer."),
        url: text("Its address."),
        receipt_id: text("Its receipt."),
        receipt: text("The receipt as the peer signed it, compact JWS."),
        seal_url: text("Where its hourly seal over the answer is found; of a voucher's, its receipt."),
        response_sha256: text("Of the peer's bytes: `answer` with `data` behind its members."),
        answer: { type: "object", description: "The peer's answer without its data." },
      },
    },
    data: { description: "Each product's own." },
  },
};

const REQUIREMENT: OpenAPIJson = {
  type: "object",
  required: ["scheme", "network", "amount", "asset", "payTo", "maxTimeoutSeconds"],
  properties: {
    scheme: text("exact"),
    network: text("CAIP-2 id."),
    amount: text("In the asset's smallest unit."),
    asset: text("Token address or id."),
    payTo: text("Receiving wallet."),
    maxTimeoutSeconds: { type: "integer" },
    extra: { type: "object" },
  },
};

const PAYMENT_REQUIRED: OpenAPIJson = {
  type: "object",
  description: "The x402 version 2 challenge, the same in header and body; the body says more.",
  required: ["x402Version", "error", "accepts"],
  properties: {
    x402Version: { type: "integer", enum: [1, 2] },
    error: { type: "string" },
    resource: { type: "object" },
    accepts: { type: "array", items: refTo("schemas", "PaymentRequirement") },
    extensions: { type: "object" },
    code: text("Why it is not paid: an error code."),
    request_id: { type: "string" },
    upsell: { type: "object", description: "A free sample of the data." },
    alternatives: { type: "object", description: "Addresses of other ways to try and to pay." },
    diagnostic: { type: "object", description: "Only for a payment that was refused: what to do about it." },
  },
};

const PROBLEM: OpenAPIJson = {
  type: "object",
  description: "RFC 9457.",
  required: ["type", "title", "status", "detail", "code", "request_id", "charged", "retryable"],
  properties: {
    type: { type: "string", format: "uri" },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string" },
    code: { type: "string", enum: Object.keys(ERRORS) },
    request_id: { type: "string" },
    charged: { enum: [false, "unknown"], description: "unknown: only while a settlement's outcome is open." },
    retryable: { type: "boolean" },
    param: text("The parameter at fault."),
    retry_after: { type: "integer", description: "Seconds." },
    no_charge: text("Signed statement that the call cost nothing."),
  },
};

export const SHARED_SCHEMAS: OpenAPIJson = {
  Envelope: ENVELOPE,
  PaymentRequirement: REQUIREMENT,
  PaymentRequired: PAYMENT_REQUIRED,
  Problem: PROBLEM,
};

const problem = (description: string): OpenAPIJson => ({
  description,
  content: { "application/problem+json": { schema: refTo("schemas", "Problem") } },
});

export const SHARED_RESPONSES: OpenAPIJson = {
  PaymentRequired: {
    description: "Payment required: how much, where to, on which networks",
    headers: {
      "PAYMENT-REQUIRED": {
        description: "The challenge, base64 of its JSON.",
        schema: { type: "string" },
      },
    },
    content: { "application/json": { schema: refTo("schemas", "PaymentRequired") } },
  },
  SignInRequired: problem("A wallet signs `extensions.sign-in-with-x.info` and sends it as SIGN-IN-WITH-X. No charge."),
  Refused: problem("A parameter is unknown or wrong, or the path needs something else. Nothing is charged."),
  TooMany: problem("Too many free requests; Retry-After says when to go on."),
  Unavailable: problem("No data now. Nothing is charged, unless code is settlement_unknown: then ask again."),
};

/** The query parameters of every paid path besides its own. */
export const SHARED_PARAMETERS: Readonly<Record<(typeof RESERVED_PARAMS)[number], OpenAPIJson>> = {
  preview: {
    name: "preview",
    in: "query",
    description: "1 = free, delayed data of the parameters in preview_of; of others none is kept (404)",
    schema: { type: "string", enum: ["1"] },
  },
  x402Version: {
    name: "x402Version",
    in: "query",
    description: "Protocol version of the 402 body",
    schema: { type: "string", enum: ["1", "2"] },
  },
  format: {
    name: "format",
    in: "query",
    description: "The only form there is",
    schema: { type: "string", enum: ["json"], default: "json" },
  },
  view: {
    name: "view",
    in: "query",
    description: "brief = sources by name only, without long tables",
    schema: { type: "string", enum: VIEW_VALUES, default: "full" },
  },
  fields: {
    name: "fields",
    in: "query",
    description: "Only these members of data: dotted names, separated by commas",
    schema: { type: "string", maxLength: 500 },
  },
  lang: {
    name: "lang",
    in: "query",
    description: "Language of text and headline",
    schema: { type: "string", enum: TOLD_LANGUAGES, default: "en" },
  },
  since: {
    name: "since",
    in: "query",
    description: "X-Receipt-Id of your earlier answer: `changes` (RFC 7396) instead of data",
    schema: { type: "string", pattern: "^(rcp|call|voucher)_[A-Za-z0-9]{1,60}$" },
  },
  as_of: {
    name: "as_of",
    in: "query",
    description: "The answer as it could have been sold at this time (UTC); 422 says what is kept",
    schema: { type: "string", format: "date-time" },
  },
};
