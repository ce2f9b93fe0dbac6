import type { TSchema } from "@sinclair/typebox";
import { PRODUCTS } from "./catalog-world.ts";

/** A null of an answer, and what is known of why. */
interface Null {
  /** "quotes[].bid" is ["quotes", "[]", "bid"]. */
  readonly path: readonly string[];
  /** Whether its schema says when it is null without being missing (`nullable(schema, description, when)`). */
  readonly is_stated: boolean;
  /** Of the answer, and of the parts of a bundle that hold the field. */
  readonly warnings: readonly string[];
}

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
  if (value === null) return [{ path, is_stated: typeof schema?.null_when === "string", warnings: place.warnings }];
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
const isNamed = (path: readonly string[], warnings: readonly string[]): boolean =>
  path.some((name) => name !== "[]" && warnings.some((warning) => namesField(warning, name)));

/** "quotes[].bid". */
const renderPath = (path: readonly string[]): string => path.join(".").replaceAll(".[]", "[]");

/**
 * Nulls of an answer, those in lists too, of which a buyer cannot know why: no warning names the field or what holds
 * it, and its schema does not state when it is null without being missing. Each path once.
 */
export function listWordless(data: unknown, schema: TSchema, warnings: readonly string[]): readonly string[] {
  const wordless = listNulls(data, { path: [], schema, warnings }).filter(
    ({ path, is_stated, warnings: said }) => !is_stated && !isNamed(path, said),
  );
  return [...new Set(wordless.map(({ path }) => renderPath(path)))];
}

/** An answer, and the one to the same call while nothing was broken. */
interface Compared {
  readonly data: unknown;
  readonly warnings: readonly string[];
  readonly whole: unknown;
}

/**
 * Fields that are null, in lists too, and were not in any row of the whole answer, and that no warning names: what a
 * schema states of null explains no fault.
 */
export function listLost({ data, warnings, whole }: Compared, schema: TSchema): readonly string[] {
  const of_whole = listNulls(whole, { path: [], schema, warnings: [] }).map(({ path }) => renderPath(path));
  const known = new Set(of_whole);
  const lost = listNulls(data, { path: [], schema, warnings }).filter(
    ({ path, warnings: said }) => !known.has(renderPath(path)) && !isNamed(path, said),
  );
  return [...new Set(lost.map(({ path }) => renderPath(path)))];
}
