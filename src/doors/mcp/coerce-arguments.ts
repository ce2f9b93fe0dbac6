import type { TObject, TSchema } from "@sinclair/typebox";
import { NodeError } from "../../core/errors.ts";

export interface Arguments {
  /** Free, delayed data is wanted. */
  readonly preview: boolean;
  /** What is left for the product, ready to be checked. */
  readonly given: Readonly<Record<string, unknown>>;
}

const NUMBER = /^-?(0|[1-9]\d{0,14})(\.\d{1,12})?$/;
const TRUE = new Set<unknown>([true, 1, "1", "true"]);
const FALSE = new Set<unknown>([false, 0, "0", "false", ""]);

/** The types a schema allows, unions of literals included. */
function typesOf(schema: TSchema): readonly string[] {
  if (Array.isArray(schema.anyOf)) return schema.anyOf.flatMap(typesOf);
  return [schema.const === undefined ? String(schema.type) : typeof schema.const];
}

/** A scalar as the declared type, where it can be one; what cannot stays as it is and is refused by the product. */
function coerce(value: unknown, schema: TSchema): unknown {
  const types = typesOf(schema);
  const is_number = types.includes("number") || types.includes("integer");
  if (typeof value === "string") {
    if (types.includes("string")) return value;
    if (is_number && NUMBER.test(value)) return Number(value);
    if (types.includes("boolean") && (value === "true" || value === "false")) return value === "true";
    return value;
  }
  if (typeof value === "number" || typeof value === "boolean") {
    if (types.includes(typeof value) || (typeof value === "number" && is_number)) return value;
    if (types.includes("boolean") && (value === 1 || value === 0)) return value === 1;
    if (types.includes("string")) return String(value);
  }
  return value;
}

/**
 * Reads the arguments of a tool call. Clients turn typed text into JSON scalars and models send what looks right, so
 * every scalar is taken as the declared type where that is possible; null stands for "not given".
 * @throws NodeError invalid_parameter for a `preview` that is neither yes nor no.
 */
export function readArguments(given: Readonly<Record<string, unknown>>, schema: TObject): Arguments {
  const { preview } = given;
  if (preview !== undefined && preview !== null && !TRUE.has(preview) && !FALSE.has(preview)) {
    throw new NodeError("invalid_parameter", 'Parameter "preview" must be true or false.', {
      param: "preview",
      details: { parameter: "preview", allowed: [true, false] },
    });
  }
  const entries = Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
    if (name === "preview" || value === null) return [];
    const property: TSchema | undefined = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    return [[name, property ? coerce(value, property) : value]];
  });
  return { preview: TRUE.has(preview), given: Object.fromEntries(entries) };
}
