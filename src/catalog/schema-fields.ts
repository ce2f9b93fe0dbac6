import type { TSchema } from "@sinclair/typebox";

export type FieldKind = "number" | "string" | "boolean" | "null" | "object" | "array";

/** The schemas a value may follow. */
export function branchesOf(schema: TSchema): readonly TSchema[] {
  const { anyOf, allOf } = schema as { readonly anyOf?: readonly TSchema[]; readonly allOf?: readonly TSchema[] };
  if (anyOf !== undefined) return anyOf.flatMap(branchesOf);
  if (allOf !== undefined) return allOf.flatMap(branchesOf);
  return [schema];
}

export function kindsOf(schema: TSchema): readonly FieldKind[] {
  if (schema.const !== undefined) return [kindOfValue(schema.const)];
  if (Array.isArray(schema.enum)) return schema.enum.map(kindOfValue);
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return types.flatMap((type): readonly FieldKind[] => {
    if (type === "integer") return ["number"];
    return ["number", "string", "boolean", "null", "object", "array"].includes(type) ? [type as FieldKind] : [];
  });
}

const kindOfValue = (value: unknown): FieldKind =>
  value === null ? "null" : Array.isArray(value) ? "array" : (typeof value as FieldKind);

/** The values a field is a choice of; null where something else may come as well. */
export function choicesOf(schemas: readonly TSchema[]): readonly (string | number | boolean)[] | null {
  const choices: (string | number | boolean)[] = [];
  for (const schema of schemas) {
    if (schema.type === "null") continue;
    if (schema.const !== undefined) choices.push(schema.const as string | number | boolean);
    else if (Array.isArray(schema.enum)) choices.push(...(schema.enum as (string | number | boolean)[]));
    else return null;
  }
  return choices.length > 0 ? choices : null;
}

/** A field of a product's data that a condition can look at. */
export interface WatchableField {
  /** "regime", "volatility.state"; of a list its own name. */
  readonly path: string;
  readonly kind: "number" | "string" | "boolean" | "list";
  /** The only values it has; null where any may come. */
  readonly choices: readonly (string | number | boolean)[] | null;
  /** Of a list: members that may tell its rows apart. */
  readonly by: readonly string[];
}

const FIELDS_MAX = 60;
const DEPTH_MAX = 4;
const SCALARS = ["number", "string", "boolean"] as const;

/** Fields of a schema, the outer ones first; fields in rows of lists are left out. */
export function listWatchable(data: TSchema): readonly WatchableField[] {
  const found: WatchableField[] = [];
  let level: readonly (readonly [path: string, schema: TSchema])[] = [["", data]];
  for (let depth = 0; depth < DEPTH_MAX && level.length > 0; depth += 1) {
    const members = level.flatMap(([path, schema]) =>
      listMembers(schema).map(([name, one]) => [path + name, one] as const),
    );
    for (const [path, schema] of members) {
      const field = describeField(path, schema);
      if (field !== null) found.push(field);
    }
    level = members.map(([path, schema]) => [`${path}.`, schema] as const);
  }
  return found.slice(0, FIELDS_MAX);
}

const listMembers = (schema: TSchema): readonly (readonly [name: string, schema: TSchema])[] =>
  branchesOf(schema)
    .flatMap(({ properties }) => Object.entries((properties ?? {}) as Readonly<Record<string, TSchema>>))
    .filter(([name]) => !name.includes("."));

function describeField(path: string, schema: TSchema): WatchableField | null {
  const branches = branchesOf(schema);
  const kinds = new Set(branches.flatMap(kindsOf));
  const kind = SCALARS.find((one) => kinds.has(one));
  if (kind !== undefined) return { path, kind, choices: choicesOf(branches), by: [] };
  const rows = branches.flatMap(({ items }) => (items ? [items as TSchema] : []));
  const by = rows.flatMap(listMembers).flatMap(([name, one]) => {
    const of_row = new Set(branchesOf(one).flatMap(kindsOf));
    return of_row.has("string") || of_row.has("number") ? [name] : [];
  });
  return by.length === 0 ? null : { path, kind: "list", choices: null, by: [...new Set(by)] };
}
