import type { TSchema } from "@sinclair/typebox";

/** A schema as strangers read it: plain JSON Schema, without references. */
export type PublicSchema = Readonly<Record<string, unknown>>;

const LIMITS = [
  "default",
  "pattern",
  "format",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "items",
] as const;

const typeOfValue = (value: unknown): string => (value === null ? "null" : typeof value);

/** The types a value may have, each once; empty if the schema does not say. */
function typesOf(schema: TSchema): readonly string[] {
  if (Array.isArray(schema.anyOf)) return [...new Set(schema.anyOf.flatMap((one: TSchema) => typesOf(one)))];
  if (schema.const !== undefined) return [typeOfValue(schema.const)];
  if (Array.isArray(schema.enum)) return [...new Set(schema.enum.map(typeOfValue))];
  if (Array.isArray(schema.type)) return schema.type.map(String);
  return schema.type === undefined ? [] : [String(schema.type)];
}

/** `{type}`, one or a list; empty where anything goes. */
export function publicType(schema: TSchema): PublicSchema {
  const types = typesOf(schema);
  if (types.length === 0) return {};
  return { type: types.length === 1 ? types[0] : types };
}

/** The constants a schema is a choice of; null for any other schema. */
function choicesOf(schema: TSchema): readonly unknown[] | null {
  if (schema.const !== undefined) return [schema.const];
  if (Array.isArray(schema.enum)) return schema.enum;
  if (!Array.isArray(schema.anyOf) || schema.anyOf.length === 0) return null;
  const choices = schema.anyOf.map((one: TSchema) => (one.type === "null" ? [null] : choicesOf(one)));
  return choices.every((one) => one !== null) ? choices.flat() : null;
}

/** One parameter with its limits: type, what it means, which values it takes. */
export function publicParameter(schema: TSchema): PublicSchema {
  const choices = choicesOf(schema);
  const limits = LIMITS.filter((name) => schema[name] !== undefined).map((name) => [name, schema[name]]);
  const shown = {
    ...publicType(schema),
    ...(schema.description === undefined ? {} : { description: schema.description }),
    ...(choices ? { enum: choices } : {}),
    ...Object.fromEntries(limits),
  };
  // What TypeBox keeps in symbols is gone after this.
  return JSON.parse(JSON.stringify(shown)) as PublicSchema;
}

/** The members of an object schema by name; none for any other schema. */
export const membersOf = (schema: TSchema): Readonly<Record<string, TSchema>> =>
  (schema.properties as Readonly<Record<string, TSchema>> | undefined) ?? {};
