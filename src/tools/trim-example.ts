import { type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

/** The most members of a list, or of an object used as one: an example shows the form of an answer, not its length. */
const MEMBERS = 2;
const TEXT_CHARS_MAX = 300;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The branch of a union that matches a value; a schema without branches is its own branch. */
function branchOf(schema: TSchema, value: unknown): TSchema {
  const branches: readonly TSchema[] | undefined = schema.anyOf;
  const found = branches?.find((branch) => Value.Check(branch, value));
  return found === undefined ? schema : branchOf(found, value);
}

function trimList(schema: TSchema, list: readonly unknown[]): readonly unknown[] {
  const { items, minItems = 0 } = schema;
  // The length of a tuple has a meaning.
  if (Array.isArray(items)) return list.map((member, index) => trimExample(items[index] ?? Type.Unknown(), member));
  const kept = list.slice(0, Math.max(MEMBERS, minItems));
  return kept.map((member) => trimExample(items ?? Type.Unknown(), member));
}

function trimRecord(schema: TSchema, record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const named: Readonly<Record<string, TSchema>> = schema.properties ?? {};
  const [pattern]: readonly (TSchema | undefined)[] = Object.values(schema.patternProperties ?? {});
  const inner = pattern ?? Type.Unknown();
  const kept = Object.entries(record).filter(([name], index) => Object.hasOwn(named, name) || index < MEMBERS);
  return Object.fromEntries(kept.map(([name, value]) => [name, trimExample(named[name] ?? inner, value)]));
}

/**
 * Shortens an answer for documents: lists and objects with free names keep their first members, long texts their
 * beginning. The result matches the same schema as the answer.
 */
export function trimExample(schema: TSchema, value: unknown): unknown {
  const own = branchOf(schema, value);
  const trimmed = trimAs(own, value);
  return Value.Check(own, trimmed) ? trimmed : value;
}

function trimAs(schema: TSchema, value: unknown): unknown {
  if (Array.isArray(value)) return trimList(schema, value);
  if (isRecord(value)) return trimRecord(schema, value);
  return typeof value === "string" && value.length > TEXT_CHARS_MAX ? `${value.slice(0, TEXT_CHARS_MAX)}…` : value;
}
