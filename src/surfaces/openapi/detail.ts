import type { OpenAPIJson } from "./schemas.ts";

/**
 * How much of a product a document shows: whole; without the example of its answer; also without the descriptions of
 * nested fields; only the fields of the first level; those without descriptions; none of them, nor what every 402 says.
 */
const DETAILS = ["whole", "no_example", "short", "flat", "names", "bare"] as const;
export type Detail = (typeof DETAILS)[number];

/** Below the 256 KiB that readers of discovery documents take. */
export const DOCUMENT_CHARS_MAX = 261_000;

/** What a product adds to the OpenAPI document, on average, at most: its whole form is one address away. */
export const PRODUCT_CHARS_MAX = 3_400;

export interface PartOptions<P, T> {
  readonly products: readonly P[];
  /** One product's part of the document. */
  readonly render: (product: P, detail: Detail) => T;
  /** Characters of a part. */
  readonly sizeOf: (part: T) => number;
  /** Characters for all parts together. */
  readonly room: number;
  /** Characters that are enough, as long as every product still names its fields; `room` if left out. */
  readonly enough?: number;
}

/** Renders every product in as much detail as there is room for: the biggest is cut first. */
export function renderParts<P, T>(options: PartOptions<P, T>): readonly T[] {
  const { products, render, sizeOf, room, enough = room } = options;
  const chosen = products.map((product) => {
    const part = render(product, "whole");
    return { product, part, step: 0, size: sizeOf(part) };
  });
  let total = chosen.reduce((sum, { size }) => sum + size, 0);
  const shrink = (goal: number, last: Detail): void => {
    while (total > goal) {
      const open = chosen.filter(({ step }) => step < DETAILS.indexOf(last));
      const [first, ...others] = open;
      if (!first) return;
      const biggest = others.reduce((most, one) => (one.size > most.size ? one : most), first);
      biggest.step += 1;
      biggest.part = render(biggest.product, DETAILS[biggest.step] ?? "bare");
      const size = sizeOf(biggest.part);
      total += size - biggest.size;
      biggest.size = size;
    }
  };
  shrink(Math.min(enough, room), "names");
  shrink(room, "bare");
  return chosen.map(({ part }) => part);
}

/** A schema with as much as the detail leaves. What it still says is true of every answer. */
export function cutSchema(schema: OpenAPIJson, detail: Detail): OpenAPIJson {
  if (detail === "whole" || detail === "no_example") return schema;
  if (detail === "bare") return schema.type === "object" ? { type: "object" } : {};
  const { properties } = schema;
  if (!isJson(properties)) return schema;
  const cut = detail === "short" ? withoutDescriptions : flatten;
  const named = Object.entries(properties).map(([name, value]) => {
    if (!isJson(value)) return [name, value];
    const { description, ...rest } = cut(value);
    const { description: told } = value;
    return [name, detail === "names" || told === undefined ? rest : { ...rest, description: told }];
  });
  return { ...schema, properties: Object.fromEntries(named) };
}

const isJson = (value: unknown): value is OpenAPIJson =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Members of a schema that hold schemas by name, and lists of them. */
const NAMED = ["properties", "patternProperties", "$defs"];

/** A schema with every schema directly inside it changed. */
function mapInner(schema: OpenAPIJson, change: (inner: OpenAPIJson) => OpenAPIJson): OpenAPIJson {
  const changeAny = (value: unknown): unknown => (isJson(value) ? change(value) : value);
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (key === "default" || key === "const" || key === "enum") return [key, value];
    if (NAMED.includes(key) && isJson(value)) {
      return [key, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, changeAny(one)]))];
    }
    return [key, Array.isArray(value) ? value.map(changeAny) : changeAny(value)];
  });
  return Object.fromEntries(entries);
}

const withoutDescriptions = ({ description, ...schema }: OpenAPIJson): OpenAPIJson =>
  mapInner(schema, withoutDescriptions);

const SCALARS: readonly unknown[] = ["string", "number", "integer", "boolean"];

/**
 * A schema that takes exactly the same values in fewer words: a choice of constants is an enum, and what may be null
 * says so in its type.
 */
export function compactSchema(schema: OpenAPIJson): OpenAPIJson {
  const { anyOf, ...rest } = mapInner(schema, compactSchema);
  if (!Array.isArray(anyOf)) return anyOf === undefined ? rest : { ...rest, anyOf };
  const options: readonly unknown[] = anyOf;
  const short = joinConstants(options) ?? joinNull(options);
  if (short === null || Object.keys(short).some((key) => Object.hasOwn(rest, key))) return { ...rest, anyOf };
  return { ...rest, ...short };
}

const isNull = (option: unknown): boolean =>
  isJson(option) && Object.keys(option).join() === "type" && option.type === "null";

/** Constants of one type, perhaps with null, as an enum. */
function joinConstants(options: readonly unknown[]): OpenAPIJson | null {
  const constants = options.filter((option) => !isNull(option));
  const [first] = constants;
  if (!isJson(first) || !SCALARS.includes(first.type)) return null;
  const { type } = first;
  const values: unknown[] = [];
  for (const option of constants) {
    if (!isJson(option) || Object.keys(option).sort().join() !== "const,type" || option.type !== type) return null;
    values.push(option.const);
  }
  return options.length > constants.length ? { type: [type, "null"], enum: [...values, null] } : { type, enum: values };
}

/** One scalar or null: the scalar's limits say nothing about null. */
function joinNull(options: readonly unknown[]): OpenAPIJson | null {
  const [scalar, ...others] = options.filter((option) => !isNull(option));
  const joins = others.length === 0 && options.length === 2 && isJson(scalar) && SCALARS.includes(scalar.type);
  if (!joins || "const" in scalar || "enum" in scalar) return null;
  return { ...scalar, type: [scalar.type, "null"] };
}

/** Objects and lists without what is in them. */
function flatten(schema: OpenAPIJson): OpenAPIJson {
  const { description, ...rest } = schema;
  if (rest.type === "object") return { type: "object" };
  if (rest.type === "array") return { type: "array" };
  if (Array.isArray(rest.anyOf)) return { ...rest, anyOf: rest.anyOf.map((one) => (isJson(one) ? flatten(one) : one)) };
  return rest;
}
