import type { TSchema } from "@sinclair/typebox";
import type { CatalogProduct } from "../../catalog/catalog.ts";
import { membersOf, type PublicSchema, publicParameter, publicType } from "../../core/public-schema.ts";
import type { BazaarDetail } from "./bazaar-detail.ts";
import type { ChallengeExtension } from "./extension.ts";

/** Name of the extension, in the 402 and in a payment. */
const BAZAAR = "bazaar";

/** The `bazaar` discovery extension: `info` is one call as it is made, `schema` (draft 2020-12) describes `info`. */
export interface BazaarExtension {
  readonly info: Readonly<Record<string, unknown>>;
  readonly schema: Readonly<Record<string, unknown>>;
}

const SAYS_LITTLE: readonly BazaarDetail[] = ["short", "tight", "typed", "input", "bare"];

/** Longer examples and lists of fields are cut: the OpenAPI document has them whole. */
const BODY_CHARS_MAX = 2_000;
/** A longer choice is left to the body and the OpenAPI document. */
const CHOICES_MAX = { short: 12, tight: 2 } as const;

/** The least by which a crawler takes an answer for described. */
const TYPED_OUTPUT = { type: "object", properties: { example: { type: "object" } } };

const SHORT_PREVIEW = { type: "string", enum: ["1"] };
const PREVIEW = { ...SHORT_PREVIEW, description: "1 = free, delayed data of the parameters in preview_of" };

function renderBazaar(product: CatalogProduct, detail: BazaarDetail): BazaarExtension {
  if (detail === "bare") return renderBare(product);
  const { definition } = product;
  const method = product.methods[0] ?? "GET";
  const { params, as_of, data } = definition.example;
  const in_query = method === "GET";
  const fields = renderFields(definition.params, detail);
  const is_short = SAYS_LITTLE.includes(detail);
  const is_tight = is_short && detail !== "short";
  // Declared for every product: catalogs do not list what has no schema of its input.
  const query = {
    type: "object",
    additionalProperties: false,
    properties: { preview: is_short ? SHORT_PREVIEW : PREVIEW },
  };
  const input = in_query
    ? {
        queryParams: {
          ...fields,
          properties: { ...fields.properties, preview: is_short ? SHORT_PREVIEW : PREVIEW },
        },
      }
    : { bodyType: { type: "string", enum: ["json"] }, body: fields, ...(is_tight ? {} : { queryParams: query }) };
  const shown = detail === "body" ? fitExample(data) : cutExample(data, detail);
  const is_bare = definition.form !== undefined;
  const example = is_bare ? shown : { product: product.id, as_of, data: shown };
  const tells_output = detail !== "input" && detail !== "typed";
  return {
    info: {
      input: { type: "http", method, ...(in_query ? { queryParams: params } : { bodyType: "json", body: params }) },
      ...(tells_output ? { output: { type: "json", example } } : {}),
    },
    schema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      required: ["input"],
      properties: {
        input: {
          type: "object",
          additionalProperties: false,
          required: ["type", "method", ...(in_query ? [] : ["bodyType", "body"])],
          properties: { type: { type: "string", const: "http" }, method: { type: "string", enum: [method] }, ...input },
        },
        ...(detail === "typed" ? { output: TYPED_OUTPUT } : {}),
        ...(tells_output
          ? {
              output: {
                type: "object",
                required: ["type"],
                properties: {
                  type: { type: "string" },
                  example: is_bare
                    ? renderData(definition.data, detail)
                    : { type: "object", ...(is_short ? {} : renderEnvelope(definition.data, detail)) },
                },
              },
            }
          : {}),
      },
    },
  };
}

function renderBare(product: CatalogProduct): BazaarExtension {
  const { info } = renderBazaar(product, "input");
  const method = product.methods[0] ?? "GET";
  const { properties, required } = renderFields(product.definition.params, "bare");
  const fields = { type: "object", ...(required === undefined ? {} : { required }), properties };
  const input = { method: { enum: [method] }, [method === "GET" ? "queryParams" : "body"]: fields };
  return { info, schema: { type: "object", properties: { input: { type: "object", properties: input } } } };
}

/** How the product is called. Each detail of one 402 is rendered once. */
export const bazaarExtension: ChallengeExtension = {
  name: BAZAAR,
  describe({ product }) {
    const rendered = new Map<BazaarDetail, BazaarExtension>();
    return ({ detail }) => {
      if (detail === "none") return null;
      const made = rendered.get(detail) ?? renderBazaar(product, detail);
      rendered.set(detail, made);
      return made;
    };
  },
  forward: (product) => bazaarOf(product),
};

const forwarded = new WeakMap<CatalogProduct, BazaarExtension>();

/** As it goes to a facilitator with a payment: made once per product. */
export function bazaarOf(product: CatalogProduct): BazaarExtension {
  const known = forwarded.get(product);
  if (known) return known;
  const rendered = renderBazaar(product, "header");
  forwarded.set(product, rendered);
  return rendered;
}

function renderFields(params: TSchema, detail: BazaarDetail) {
  const properties = Object.entries(membersOf(params)).map(([name, schema]) => [
    name,
    SAYS_LITTLE.includes(detail) ? shorten(schema, detail) : publicParameter(schema),
  ]);
  const required: readonly string[] = params.required ?? [];
  return {
    type: "object",
    additionalProperties: false,
    ...(required.length > 0 ? { required } : {}),
    properties: Object.fromEntries(properties) as Readonly<Record<string, unknown>>,
  };
}

function shorten(schema: TSchema, detail: BazaarDetail): PublicSchema {
  const { enum: choices } = publicParameter(schema);
  const few = Array.isArray(choices) && choices.length <= CHOICES_MAX[detail === "short" ? "short" : "tight"];
  return { ...publicType(schema), ...(few ? { enum: choices } : {}) };
}

/** What stands around the data in every answer. */
const renderEnvelope = (data: TSchema, detail: BazaarDetail) => ({
  properties: { product: { type: "string" }, as_of: { type: "string" }, data: renderData(data, detail) },
});

/** The fields of the data, first level only. */
function renderData(data: TSchema, detail: BazaarDetail): PublicSchema {
  const plain = publicType(data);
  if (detail !== "body") return plain;
  const members = Object.entries(membersOf(data)).map(([name, schema]) => [name, publicType(schema)]);
  if (members.length === 0) return plain;
  const typed = { ...plain, properties: Object.fromEntries(members) };
  return JSON.stringify(typed).length <= BODY_CHARS_MAX ? typed : plain;
}

const fitExample = (data: unknown): unknown =>
  JSON.stringify(data).length <= BODY_CHARS_MAX ? data : cutExample(data, "header");

/** A member is shown in the header only while it is this short. */
const MEMBER_CHARS_MAX = 200;

/**
 * The first three plain and short members of the example, or its shortest one if none is plain or room is tight, or
 * the first entry of a list: real ones, only fewer.
 */
function cutExample(data: unknown, detail: BazaarDetail): unknown {
  if (Array.isArray(data)) return data.slice(0, 1);
  if (typeof data !== "object" || data === null) return data;
  const length = ([, value]: readonly [string, unknown]): number => JSON.stringify(value).length;
  const short = Object.entries(data).filter((member) => length(member) <= MEMBER_CHARS_MAX);
  const plain = short.filter(([, value]) => value !== null && typeof value !== "object");
  if (plain.length > 0 && detail !== "tight") return Object.fromEntries(plain.slice(0, 3));
  const [shortest] = (plain.length > 0 ? plain.slice(0, 3) : short).sort((a, b) => length(a) - length(b));
  return shortest ? Object.fromEntries([shortest]) : {};
}
