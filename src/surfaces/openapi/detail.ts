import type { Json } from "./schemas.ts";

/**
 * How much of a product a document shows: whole; without the example of its answer; also without the descriptions of
 * nested fields; only the fields of the first level; those without descriptions; none of them.
 */
const DETAILS = ["whole", "no_example", "short", "flat", "names", "bare"] as const;
export type Detail = (typeof DETAILS)[number];

/** Below the 256 KiB that readers of discovery documents take. */
export const DOCUMENT_CHARS_MAX = 250_000;

export interface PartOptions<P, T> {
  readonly products: readonly P[];
  /** One product's part of the document. */
  readonly render: (product: P, detail: Detail) => T;
  /** Characters of a part. */
  readonly sizeOf: (part: T) => number;
  /** Characters for all parts together. */
  readonly room: number;
}

/** Renders every product in as much detail as there is room for: whoever is biggest gives first. */
export function renderParts<P, T>({ products, render, sizeOf, room }: PartOptions<P, T>): readonly T[] {
  const chosen = products.map((product) => {
    const part = render(product, "whole");
    return { product, part, step: 0, size: sizeOf(part) };
  });
  let total = chosen.reduce((sum, { size }) => sum + size, 0);
  while (total > room) {
    const open = chosen.filter(({ step }) => step < DETAILS.length - 1);
    const biggest = open.reduce<(typeof chosen)[number] | undefined>(
      (most, one) => (most === undefined || one.size > most.size ? one : most),
      undefined,
    );
    if (!biggest) break;
    biggest.step += 1;
    biggest.part = render(biggest.product, DETAILS[biggest.step] ?? "bare");
    const size = sizeOf(biggest.part);
    total += size - biggest.size;
    biggest.size = size;
  }
  return chosen.map(({ part }) => part);
}

/** A schema with as much as the detail leaves. What it still says is true of every answer. */
export function cutSchema(schema: Json, detail: Detail): Json {
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

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

/** Members of a schema that hold schemas by name, and lists of them. */
const NAMED = ["properties", "patternProperties", "$defs"];

function withoutDescriptions(schema: Json): Json {
  const entries = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (key === "description") return [];
    if (NAMED.includes(key) && isJson(value)) {
      const inner = Object.entries(value).map(([name, one]) => [name, isJson(one) ? withoutDescriptions(one) : one]);
      return [[key, Object.fromEntries(inner)]];
    }
    if (Array.isArray(value)) return [[key, value.map((one) => (isJson(one) ? withoutDescriptions(one) : one))]];
    return [[key, isJson(value) && key !== "default" ? withoutDescriptions(value) : value]];
  });
  return Object.fromEntries(entries);
}

/** Objects and lists without what is in them. */
function flatten(schema: Json): Json {
  const { description, ...rest } = schema;
  if (rest.type === "object") return { type: "object" };
  if (rest.type === "array") return { type: "array" };
  if (Array.isArray(rest.anyOf)) return { ...rest, anyOf: rest.anyOf.map((one) => (isJson(one) ? flatten(one) : one)) };
  return rest;
}
