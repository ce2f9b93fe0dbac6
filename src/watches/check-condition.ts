import type { TSchema } from "@sinclair/typebox";
import { branchesOf, choicesOf, type FieldKind, kindsOf } from "../catalog/schema-fields.ts";
import { closest } from "../core/closest.ts";
import { getOwn } from "../core/own.ts";
import { refuseCondition, type Scalar, type WatchCondition } from "./condition.ts";

/**
 * Holds a condition to the schema of the answers it will read, so that one that could never hold is refused before
 * anything is paid: fields that do not exist, texts compared by size, values that an enumeration does not have.
 * @throws NodeError invalid_parameter, naming the place and the nearest field.
 */
export function checkCondition(condition: WatchCondition, data: TSchema, where = "condition"): void {
  switch (condition.kind) {
    case "compare":
      checkComparison(condition, data, where);
      break;
    case "changed": {
      const { kinds } = findField(data, condition.field, `${where}.field`);
      if (!SCALARS.some((kind) => kinds.has(kind))) {
        refuseCondition(
          `${where}.field`,
          `"${condition.field}" is ${nameKinds(kinds)}: name a figure or a text in it.`,
        );
      }
      break;
    }
    case "crossed":
      assertNumber(findField(data, condition.field, `${where}.field`), condition.field, where);
      break;
    case "new":
      checkNew(condition, data, where);
      break;
    case "all":
    case "any":
      for (const [index, one] of condition.conditions.entries()) {
        checkCondition(one, data, `${where}.${condition.kind}[${index}]`);
      }
      break;
    case "not":
      checkCondition(condition.condition, data, `${where}.not`);
      break;
    case "for":
      checkCondition(condition.condition, data, where);
      break;
    default:
      condition satisfies never;
  }
}

const SCALARS = ["number", "string", "boolean"] as const;

interface Field {
  readonly kinds: ReadonlySet<FieldKind>;
  /** The only values a text can have; null where any may come. */
  readonly choices: readonly Scalar[] | null;
  readonly schemas: readonly TSchema[];
}

function checkComparison(
  { field, op, value }: Extract<WatchCondition, { readonly kind: "compare" }>,
  data: TSchema,
  where: string,
): void {
  const found = findField(data, field, `${where}.field`);
  const kind = typeof value as "number" | "string" | "boolean";
  if (!found.kinds.has(kind)) {
    refuseCondition(`${where}.value`, `"${field}" is ${nameKinds(found.kinds)}, and never a ${kind}.`);
  }
  const is_ordering = op !== "==" && op !== "!=";
  if (is_ordering && kind !== "number") {
    refuseCondition(`${where}.op`, `"${op}" compares numbers; for a ${kind} there are == and !=.`);
  }
  const { choices } = found;
  if (choices !== null && !choices.includes(value)) {
    refuseCondition(`${where}.value`, `"${field}" is one of ${choices.join(", ")}.`, { choices });
  }
}

function checkNew(
  { field, by }: Extract<WatchCondition, { readonly kind: "new" }>,
  data: TSchema,
  where: string,
): void {
  const found = findField(data, field, `${where}.field`);
  if (!found.kinds.has("array")) {
    refuseCondition(`${where}.field`, `"${field}" is ${nameKinds(found.kinds)}, and no list.`);
  }
  const rows = found.schemas.flatMap((schema) => branchesOf(schema)).flatMap(({ items }) => (items ? [items] : []));
  const row = { anyOf: rows } as unknown as TSchema;
  const key = findField(row, by, `${where}.by`);
  if (!key.kinds.has("string") && !key.kinds.has("number")) {
    refuseCondition(`${where}.by`, `"${by}" is ${nameKinds(key.kinds)}: name what tells rows apart.`);
  }
}

function assertNumber({ kinds }: Field, field: string, where: string): void {
  if (!kinds.has("number")) refuseCondition(`${where}.field`, `"${field}" is ${nameKinds(kinds)}, and no number.`);
}

/** What a path leads to in a schema. @throws NodeError where it leads nowhere. */
function findField(schema: TSchema, path: string, where: string): Field {
  let schemas: readonly TSchema[] = [schema];
  const walked: string[] = [];
  for (const name of path.split(".")) {
    const members = schemas.flatMap(branchesOf);
    const next = members.flatMap((one) => stepInto(one, name));
    if (next.length === 0) {
      const known = [...new Set(members.flatMap(listMembers))];
      const nearest = closest(name, known);
      const at = walked.length === 0 ? "an answer's data" : `"${walked.join(".")}"`;
      const hint = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
      refuseCondition(where, `${at} has no "${name.slice(0, 60)}".${hint}`, { fields: known.slice(0, 60) });
    }
    schemas = next;
    walked.push(name);
  }
  const ends = schemas.flatMap(branchesOf);
  const kinds = new Set(ends.flatMap(kindsOf));
  return { kinds, choices: choicesOf(ends), schemas };
}

function stepInto(schema: TSchema, name: string): readonly TSchema[] {
  const { properties, patternProperties, items, additionalProperties } = schema;
  if (items !== undefined) return /^(0|[1-9][0-9]{0,3})$/.test(name) ? [items as TSchema] : [];
  const own = properties === undefined ? undefined : getOwn(properties as Record<string, TSchema>, name);
  if (own !== undefined) return [own];
  const patterns = Object.entries((patternProperties ?? {}) as Record<string, TSchema>);
  const matching = patterns.filter(([pattern]) => new RegExp(pattern).test(name)).map(([, one]) => one);
  if (matching.length > 0) return matching;
  return typeof additionalProperties === "object" ? [additionalProperties as TSchema] : [];
}

const listMembers = ({ properties }: TSchema): readonly string[] => Object.keys((properties ?? {}) as object);

const nameKinds = (kinds: ReadonlySet<FieldKind>): string => {
  const names = [...kinds].map((kind) => (kind === "array" ? "a list" : kind === "null" ? "null" : `a ${kind}`));
  return names.length === 0 ? "of no known kind" : names.join(" or ");
};
