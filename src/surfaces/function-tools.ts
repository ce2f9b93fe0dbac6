import type { TSchema } from "@sinclair/typebox";
import { omitLong, VIEW_VALUES } from "../catalog/view.ts";
import { sha256Hex } from "../core/hash.ts";
import { describePreviewsOf } from "./preview-text.ts";
import { priceText } from "./price-text.ts";
import type { SurfaceProduct } from "./types.ts";

/** Stacks whose function lists are spoken here. */
export const TOOL_FORMATS = ["openai", "anthropic", "gemini"] as const;
export type ToolFormat = (typeof TOOL_FORMATS)[number];

type Json = Readonly<Record<string, unknown>>;

/** What a model's API takes: nothing but its own members. */
export function renderTool(product: SurfaceProduct, format: ToolFormat): Json {
  const name = toolName(product.skill_id);
  const parameters = renderParameters(product, format === "gemini" ? simplify : plain);
  return renderFunction({ name, description: describe(product), parameters }, format);
}

/** A function with its name, what it does and the schema of its arguments. */
export interface FunctionText {
  readonly name: string;
  readonly description: string;
  readonly parameters: Json;
}

/** A function in the members that a model's API takes. */
export function renderFunction({ name, description, parameters }: FunctionText, format: ToolFormat): Json {
  if (format === "anthropic")
    return { name, description, input_schema: { ...parameters, additionalProperties: false } };
  if (format === "gemini") return { name, description, parameters };
  return {
    type: "function",
    function: { name, description, parameters: { ...parameters, additionalProperties: false } },
  };
}

const NAME_CHARS_MAX = 64;
/** One name that an API does not take would make it refuse the whole list. */
function toolName(skill_id: string): string {
  const name = /^[a-z_]/i.test(skill_id) ? skill_id : `p_${skill_id}`;
  if (name.length <= NAME_CHARS_MAX) return name;
  const mark = sha256Hex(skill_id).slice(0, 8);
  return `${name.slice(0, NAME_CHARS_MAX - mark.length - 1)}_${mark}`;
}

function describe(product: SurfaceProduct): string {
  const of = describePreviewsOf(product);
  const preview = `preview=1 shows free, delayed data${of === null ? "" : `, kept only for ${of}`}.`;
  return `${product.title}: ${product.description} Costs ${priceText(product)} a call; ${preview}`;
}

/** Of the answer's data: what is long is left out before it reaches a model's context. */
const VIEW: Json = {
  view: { type: "string", enum: VIEW_VALUES },
  fields: { type: "string", description: "Only these members of data: a,b.c" },
};

const takesView = ({ plan, is_bare }: SurfaceProduct): boolean => plan === null && !is_bare;

/** Of the example's data, the least share that a brief answer must have to be the usual one of a function call. */
const BRIEF_SHARE_MIN = 0.5;

/**
 * What the program that makes a call sends besides the model's own arguments: the brief view, but where it would leave
 * out most of what is sold, such as the results of a search.
 */
export function defaultArgumentsOf(product: SurfaceProduct): Json {
  const { example, long = [] } = product;
  if (!takesView(product)) return {};
  const bytesOf = (data: unknown): number => JSON.stringify(data).length;
  const left = bytesOf(omitLong(example.data, long));
  return left >= BRIEF_SHARE_MIN * bytesOf(example.data) ? { view: "brief" } : {};
}

/** `preview` is a parameter of every product, so no list of parameters is empty, which some APIs refuse. */
function renderParameters(product: SurfaceProduct, convert: (schema: Json) => Json): Json {
  const { params } = product;
  const own = Object.entries(params.properties as Record<string, TSchema>);
  const properties = own.map(([name, schema]) => [name, convert(plain(schema))]);
  const required: readonly string[] = params.required ?? [];
  return {
    type: "object",
    properties: { ...Object.fromEntries(properties), preview: PREVIEW, ...(takesView(product) ? VIEW : {}) },
    ...(required.length > 0 ? { required } : {}),
  };
}

const PREVIEW: Json = {
  type: "string",
  enum: ["1"],
  description: "1 = free, delayed data, of the parameters in preview_of",
};

/** Without what TypeBox keeps in symbols. */
const plain = (schema: object): Json => JSON.parse(JSON.stringify(schema));

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

/** Members a Gemini `Schema` has and that mean the same there as in JSON Schema. */
const KEPT = ["description", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern"];
const TYPES = ["string", "number", "integer", "boolean", "array", "object"];

/**
 * A schema in the part of OpenAPI 3.0 that Gemini takes: one type each, `enum` for words only, `nullable` for null. A
 * choice it cannot say is its first branch, with the others left to the node's own check.
 */
function simplify(schema: Json): Json {
  const branches = Array.isArray(schema.anyOf) ? schema.anyOf.filter(isJson) : null;
  if (branches) return simplifyChoice(schema, branches);
  if (schema.const !== undefined) return simplifyWords(schema, [schema.const]);
  if (Array.isArray(schema.enum)) return simplifyWords(schema, schema.enum);
  const kept = Object.fromEntries(Object.entries(schema).filter(([key]) => KEPT.includes(key)));
  const type = TYPES.find((name) => name === schema.type) ?? "string";
  if (type === "array")
    return { type, ...kept, items: isJson(schema.items) ? simplify(schema.items) : { type: "string" } };
  if (type === "object" && isJson(schema.properties)) {
    const inner = Object.entries(schema.properties).map(([name, one]) => [name, isJson(one) ? simplify(one) : one]);
    const required = Array.isArray(schema.required) ? { required: schema.required } : {};
    return { type, ...kept, properties: Object.fromEntries(inner), ...required };
  }
  return { type: type === "object" ? "string" : type, ...kept };
}

function simplifyChoice(schema: Json, branches: readonly Json[]): Json {
  const present = branches.filter(({ type }) => type !== "null");
  const told = schema.description === undefined ? {} : { description: schema.description };
  const nullable = present.length < branches.length ? { nullable: true } : {};
  const values = present.map((branch) => branch.const);
  if (!values.includes(undefined)) return { ...simplifyWords({ ...present[0], ...told }, values), ...nullable };
  const [first = {}] = present;
  return { ...simplify(first), ...told, ...nullable };
}

/** Only words can be listed; numbers are named in the description instead. */
function simplifyWords(schema: Json, values: readonly unknown[]): Json {
  const told = typeof schema.description === "string" ? schema.description : "";
  if (values.every((value) => typeof value === "string")) {
    return { type: "string", enum: values, ...(told === "" ? {} : { description: told }) };
  }
  const numbers = values.every((value) => typeof value === "number");
  const type = numbers ? (values.every(Number.isInteger) ? "integer" : "number") : "string";
  return { type, description: `${told}${told === "" ? "" : " "}One of: ${values.join(", ")}.` };
}
