import type { TSchema } from "@sinclair/typebox";

/** A field of an answer or a parameter, in words. */
export interface FieldText {
  /** "btc.fees.fastest", "history[].value". */
  readonly path: string;
  readonly type: string;
  readonly description: string;
}

/** Deeper ones are named by what holds them. */
const DEPTH_MAX = 4;
const WORDS_MAX = 12;

/** Everything below an object schema, in its order; objects before what is in them. */
export function listFields(schema: TSchema, prefix = "", depth = 0): readonly FieldText[] {
  return Object.entries((schema.properties ?? {}) as Record<string, TSchema>).flatMap(([name, field]) => {
    const path = prefix === "" ? name : `${prefix}.${name}`;
    const row = { path, type: describeType(field), description: oneLine(field.description ?? "") };
    if (depth >= DEPTH_MAX) return [row];
    const { inner, suffix } = unwrap(field);
    return [row, ...listFields(inner, `${path}${suffix}`, depth + 1)];
  });
}

/** The object behind a list or a "null or". */
function unwrap(schema: TSchema): { inner: TSchema; suffix: string } {
  const branches: readonly TSchema[] = Array.isArray(schema.anyOf) ? schema.anyOf : [schema];
  const present = branches.find(({ type }) => type === "object" || type === "array") ?? schema;
  if (present.type !== "array" || present.items === undefined) return { inner: present, suffix: "" };
  const { inner, suffix } = unwrap(present.items as TSchema);
  return { inner, suffix: `[]${suffix}` };
}

/** "number", "string or null", "usd | eur". */
export function describeType(schema: TSchema): string {
  if (Array.isArray(schema.anyOf)) {
    const branches: readonly TSchema[] = schema.anyOf;
    const present = branches.filter(({ type }) => type !== "null");
    const words = present.map((one) => one.const).filter((value) => value !== undefined);
    const shown = words.length > WORDS_MAX ? [...words.slice(0, WORDS_MAX), "…"] : words;
    const text =
      words.length === present.length ? shown.join(", ") : [...new Set(present.map(describeType))].join(" or ");
    return present.length < branches.length ? `${text} or null` : text;
  }
  if (schema.const !== undefined) return String(schema.const);
  if (schema.type === "array") return `list of ${schema.items ? describeType(schema.items as TSchema) : "anything"}`;
  return String(schema.type ?? "anything");
}

/** Text of a catalog entry may come from a plugin: no line break and no bar may break a table or a list. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|").trim();
