import { listAt, membersAt, valueAt } from "./facts.ts";

const DEPTH_MAX = 30;

/** Where in the document a value stands. */
interface Place {
  readonly where: string;
  readonly depth: number;
}
const ROOT: Place = { where: "", depth: 0 };

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: Number.isInteger,
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
};

/**
 * The first thing in a value that does not follow a JSON Schema (draft 2020-12, the part that documents of this kind
 * use: type, const, enum, members, items, bounds, pattern, anyOf, oneOf, allOf), in words; null when it follows.
 */
export function findSchemaFault(schema: unknown, value: unknown, place: Place = ROOT): string | null {
  const { where, depth } = place;
  if (schema === true || depth > DEPTH_MAX) return null;
  const name = where === "" ? "the document" : where;
  if (schema === false) return `${name} is not allowed`;
  const wanted = valueAt(schema, "type");
  const types = Array.isArray(wanted) ? wanted : wanted === undefined ? [] : [wanted];
  if (types.length > 0 && !types.some((type) => TYPES[String(type)]?.(value)))
    return `${name} is no ${types.join(" or ")}`;
  const fixed = valueAt(schema, "const");
  if (fixed !== undefined && JSON.stringify(fixed) !== JSON.stringify(value))
    return `${name} is not ${JSON.stringify(fixed)}`;
  const options = listAt(schema, "enum").map((one) => JSON.stringify(one));
  if (options.length > 0 && !options.includes(JSON.stringify(value))) return `${name} is none of ${options.join(", ")}`;
  return (
    findBoundFault(schema, value, name) ??
    findMemberFault(schema, value, place) ??
    findItemFault(schema, value, place) ??
    findBranchFault(schema, value, place)
  );
}

const VALUE_CHARS_MAX = 10_000;

/** Whether a text matches; a pattern that is none matches nothing. */
function matches(pattern: string, text: string): boolean {
  try {
    return text.length <= VALUE_CHARS_MAX && new RegExp(pattern, "u").test(text);
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function findBoundFault(schema: unknown, value: unknown, name: string): string | null {
  const limit = (key: string): number | undefined => {
    const found = valueAt(schema, key);
    return typeof found === "number" ? found : undefined;
  };
  const below = (size: number, key: string) => size < (limit(key) ?? Number.NEGATIVE_INFINITY);
  const above = (size: number, key: string) => size > (limit(key) ?? Number.POSITIVE_INFINITY);
  if (typeof value === "number" && (below(value, "minimum") || above(value, "maximum")))
    return `${name} is out of bounds`;
  if (typeof value === "string") {
    if (below(value.length, "minLength") || above(value.length, "maxLength")) {
      return `${name} has ${value.length} characters`;
    }
    const pattern = valueAt(schema, "pattern");
    if (typeof pattern === "string" && !matches(pattern, value)) return `${name} does not match ${pattern}`;
  }
  if (Array.isArray(value) && (below(value.length, "minItems") || above(value.length, "maxItems"))) {
    return `${name} has ${value.length} entries`;
  }
  return null;
}

function findMemberFault(schema: unknown, value: unknown, { where, depth }: Place): string | null {
  if (!TYPES.object?.(value)) return null;
  const inside = (key: string) => (where === "" ? key : `${where}.${key}`);
  for (const key of listAt(schema, "required")) {
    if (valueAt(value, String(key)) === undefined) return `${inside(String(key))} is missing`;
  }
  const more = valueAt(schema, "additionalProperties");
  for (const [key, member] of membersAt(value)) {
    const known = valueAt(schema, "properties", key);
    const rule = known === undefined ? more : known;
    if (rule === undefined) continue;
    const fault = findSchemaFault(rule, member, { where: inside(key), depth: depth + 1 });
    if (fault) return fault;
  }
  return null;
}

function findItemFault(schema: unknown, value: unknown, { where, depth }: Place): string | null {
  const items = valueAt(schema, "items");
  if (!Array.isArray(value) || items === undefined) return null;
  for (const [index, item] of value.entries()) {
    const fault = findSchemaFault(items, item, { where: `${where}[${index}]`, depth: depth + 1 });
    if (fault) return fault;
  }
  return null;
}

function findBranchFault(schema: unknown, value: unknown, { where, depth }: Place): string | null {
  for (const part of listAt(schema, "allOf")) {
    const fault = findSchemaFault(part, value, { where, depth: depth + 1 });
    if (fault) return fault;
  }
  for (const key of ["anyOf", "oneOf"]) {
    const branches = listAt(schema, key);
    const faults = branches.map((branch) => findSchemaFault(branch, value, { where, depth: depth + 1 }));
    const fits = faults.filter((fault) => fault === null).length;
    if (branches.length > 0 && fits === 0) return faults[0] ?? null;
    if (key === "oneOf" && fits > 1) return `${where} fits ${fits} of the forms it may have`;
  }
  return null;
}
