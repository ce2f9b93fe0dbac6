import type { TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { closest } from "../core/closest.ts";
import { getOwn } from "../core/own.ts";
import { isBlank } from "../core/secrets.ts";

export type Path = readonly (string | number)[];

export interface ValueFault {
  readonly path: Path;
  readonly code: "unknown_key" | "wrong_value" | "missing_key";
  readonly message: string;
  readonly nearest?: string | undefined;
}

export interface CheckedConfig {
  /** The value with defaults filled in. */
  readonly value: unknown;
  readonly faults: readonly ValueFault[];
}

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
const isOptional = (parent: TSchema, name: string): boolean => !(parent.required ?? []).includes(name);
const isTableSchema = (schema: TSchema): boolean => schema.type === "object";

/** The schema of one key of a table, or undefined when the table does not know it. */
export function childSchema(table: TSchema, name: string): TSchema | undefined {
  const own = getOwn((table.properties ?? {}) as Record<string, TSchema>, name);
  if (own) return own;
  for (const [pattern, schema] of Object.entries((table.patternProperties ?? {}) as Record<string, TSchema>)) {
    if (new RegExp(pattern).test(name)) return schema;
  }
  return typeof table.additionalProperties === "object" ? (table.additionalProperties as TSchema) : undefined;
}

/** What a value should have been, in words. */
export function describeExpected(schema: TSchema): string {
  if (typeof schema.expects === "string") return schema.expects;
  if (Array.isArray(schema.anyOf))
    return schema.anyOf.map((option: TSchema) => JSON.stringify(option.const)).join(" or ");
  const of_choice = schema.type === "array" && Array.isArray((schema.items as TSchema).anyOf);
  if (of_choice) return `a list of ${describeExpected(schema.items as TSchema)}`;
  if (schema.type === "array") return `a list of ${(schema.items as TSchema).type === "object" ? "tables" : "texts"}`;
  if (isTableSchema(schema)) return "a table";
  const { minimum, maximum } = schema;
  const range = minimum === undefined ? "" : ` from ${minimum} to ${maximum}`;
  if (schema.type === "integer") return `a whole number${range}`;
  if (schema.type === "string") {
    if (schema.pattern) return `a text that matches ${schema.pattern}`;
    return `a text in quotes${schema.maxLength === undefined ? "" : `, at most ${schema.maxLength} characters`}`;
  }
  return schema.type === "boolean" ? "true or false" : `a number${range}`;
}

/** Checks a value against a schema, table by table, and fills in defaults. One fault per key, however wrong it is. */
export function walk(schema: TSchema, given: unknown, path: Path = []): CheckedConfig {
  if (isTableSchema(schema)) return walkTable(schema, given, path);
  if (given === undefined) return { value: readDefault(schema), faults: [] };
  if (schema.type === "array" && isTableSchema(schema.items as TSchema)) return walkTables(schema, given, path);
  // A secret of blanks would be sent, and compared, as if it were one.
  const is_blank = schema.secret === true && typeof given === "string" && isBlank(given);
  if (Value.Check(schema, given) && !is_blank) return { value: given, faults: [] };
  if (is_blank) return { value: undefined, faults: [blank(path)] };
  return { value: readDefault(schema), faults: [{ ...wrong(schema, path), nearest: findNearest(schema, given) }] };
}

/** The word that was probably meant, where a few are known. */
function findNearest(schema: TSchema, given: unknown): string | undefined {
  const words = ((schema.type === "array" ? schema.items : schema) as TSchema).anyOf ?? [];
  const known = words.map((option: TSchema) => String(option.const));
  const odd = (Array.isArray(given) ? given : [given]).find((word) => !known.includes(String(word)));
  return typeof odd === "string" ? closest(odd, known) : undefined;
}

/** The default of a key, as a copy: a schema's lists must not be changed. */
const readDefault = ({ default: value }: TSchema): unknown =>
  typeof value === "object" ? structuredClone(value) : value;

const wrong = (schema: TSchema, path: Path): ValueFault => ({
  path,
  code: "wrong_value",
  message: `"${String(path.at(-1))}" must be ${describeExpected(schema)}`,
});

const blank = (path: Path): ValueFault => ({
  path,
  code: "wrong_value",
  message: `"${String(path.at(-1))}" is empty: give it, or leave it out`,
});

function walkTables(schema: TSchema, given: unknown, path: Path): CheckedConfig {
  if (!Array.isArray(given) || given.length > (schema.maxItems ?? 1_000))
    return { value: [], faults: [wrong(schema, path)] };
  const walked = given.map((entry, index) => walk(schema.items as TSchema, entry, [...path, index]));
  return { value: walked.map((one) => one.value), faults: walked.flatMap((one) => one.faults) };
}

function walkTable(schema: TSchema, given: unknown, path: Path): CheckedConfig {
  if (given !== undefined && !isTable(given)) return { value: {}, faults: [wrong(schema, path)] };
  const faults: ValueFault[] = [];
  const value: Record<string, unknown> = {};
  const known = Object.keys((schema.properties ?? {}) as object);
  for (const name of Object.keys(given ?? {})) {
    const child = childSchema(schema, name);
    if (child) {
      const inner = walk(child, given?.[name], [...path, name]);
      value[name] = inner.value;
      faults.push(...inner.faults);
      continue;
    }
    const nearest = closest(name, known);
    faults.push({ path: [...path, name], code: "unknown_key", message: `"${name}" is not known here`, nearest });
  }
  for (const name of known) {
    if (value[name] !== undefined) continue;
    const child = childSchema(schema, name) as TSchema;
    if (isOptional(schema, name)) continue;
    const filled = walk(child, undefined, [...path, name]);
    value[name] = filled.value;
    faults.push(...filled.faults);
    if (filled.value === undefined && !faults.some((fault) => fault.path.at(-1) === name)) {
      faults.push({ path, code: "missing_key", message: `"${name}" is missing: ${describeExpected(child)}` });
    }
  }
  return { value, faults };
}

/** Every key that is neither a table nor a list of tables, with its path. Walks the value, so records are included. */
export function* leavesOf(
  schema: TSchema,
  value: unknown,
  path: Path = [],
): Generator<{ path: Path; schema: TSchema; value: unknown }> {
  if (isTableSchema(schema)) {
    const names = new Set([
      ...Object.keys((schema.properties ?? {}) as object),
      ...Object.keys(isTable(value) ? value : {}),
    ]);
    for (const name of names) {
      const child = childSchema(schema, name);
      if (child) yield* leavesOf(child, isTable(value) ? value[name] : undefined, [...path, name]);
    }
    return;
  }
  if (schema.type === "array" && isTableSchema(schema.items as TSchema)) {
    const entries = Array.isArray(value) ? value : [];
    for (const [index, entry] of entries.entries()) yield* leavesOf(schema.items as TSchema, entry, [...path, index]);
    return;
  }
  yield { path, schema, value };
}
