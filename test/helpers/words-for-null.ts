import type { TSchema } from "@sinclair/typebox";
import { PRODUCTS } from "./catalog-world.ts";

/** A null of an answer, and what its schema says of the field. */
interface Null {
  /** "quotes[].bid" is ["quotes", "[]", "bid"]. */
  readonly path: readonly string[];
  /** Undefined where the schema leaves open what stands there. */
  readonly description: string | undefined;
  /** Of the answer, and of the parts of a bundle that hold the field. */
  readonly warnings: readonly string[];
}

/** The phrase of a description that says when the field is null: the field has no value then, and none is missing. */
const WHEN_NULL = /\bnull\b[^.;]+/i;
/** A phrase that explains nothing: something was not to be had, and the answer has to say so. */
const IS_NO_REASON = /\bunknown\b|\bnot known\b|\bcould not\b|\bcannot be read\b|\bmissing\b/;

const ways = (schema: TSchema | undefined): readonly TSchema[] =>
  schema === undefined ? [] : schema.anyOf ? (schema.anyOf as readonly TSchema[]).flatMap(ways) : [schema];

function memberOf(schema: TSchema | undefined, name: string): TSchema | undefined {
  for (const way of ways(schema)) {
    const properties = (way.properties ?? {}) as Readonly<Record<string, TSchema>>;
    if (Object.hasOwn(properties, name)) return properties[name];
    const [others] = Object.values((way.patternProperties ?? {}) as Readonly<Record<string, TSchema>>);
    if (others !== undefined) return others;
  }
  return undefined;
}

function rowOf(schema: TSchema | undefined, index: number): TSchema | undefined {
  const list = ways(schema).find(({ type }) => type === "array");
  const items = list?.items as TSchema | readonly TSchema[] | undefined;
  return Array.isArray(items) ? items[index] : (items as TSchema | undefined);
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Of a part of a bundle: the schema of the product that made it. */
const schemaOfPart = (parent: Readonly<Record<string, unknown>>, name: string): TSchema | undefined =>
  name === "data" ? PRODUCTS.find(({ path }) => path === parent.path)?.definition.data : undefined;

interface Place {
  readonly path: readonly string[];
  readonly schema: TSchema | undefined;
  readonly warnings: readonly string[];
}

function listNulls(value: unknown, place: Place): readonly Null[] {
  const { path, schema } = place;
  if (value === null) return [{ path, description: schema?.description, warnings: place.warnings }];
  if (Array.isArray(value))
    return value.flatMap((row, index) =>
      listNulls(row, { ...place, path: [...path, "[]"], schema: rowOf(schema, index) }),
    );
  if (!isRecord(value)) return [];
  const own = Array.isArray(value.warnings) ? (value.warnings as readonly string[]) : [];
  return Object.entries(value).flatMap(([name, inner]) =>
    listNulls(inner, {
      path: [...path, name],
      schema: schemaOfPart(value, name) ?? memberOf(schema, name),
      warnings: [...place.warnings, ...own],
    }),
  );
}

/** Whether a warning names a field, as a word of its own. */
const namesField = (warning: string, name: string): boolean =>
  new RegExp(`(^|[^a-z0-9_])${name}($|[^a-z0-9_])`, "i").test(warning);

/** Whether a warning names a member, or what holds it. */
export const isNamed = (path: readonly string[], warnings: readonly string[]): boolean =>
  path.some((name) => name !== "[]" && warnings.some((warning) => namesField(warning, name)));

function isExplained(description: string | undefined): boolean {
  const phrase = description === undefined ? undefined : WHEN_NULL.exec(description)?.[0];
  return phrase !== undefined && !IS_NO_REASON.test(phrase);
}

/**
 * Nulls of an answer, those in lists too, of which a buyer cannot know why: no warning names the field or what holds
 * it, and its schema does not say when it is null. Each path once.
 */
export function listWordless(data: unknown, schema: TSchema, warnings: readonly string[]): readonly string[] {
  const wordless = listNulls(data, { path: [], schema, warnings }).filter(
    ({ path, description, warnings: said }) => !isExplained(description) && !isNamed(path, said),
  );
  return [...new Set(wordless.map(({ path }) => path.join(".").replaceAll(".[]", "[]")))];
}
