import { NodeError } from "../core/errors.ts";

/** A value a field of an answer is compared with. */
export type Scalar = string | number | boolean;

export const COMPARISONS = ["<", "<=", ">", ">=", "==", "!="] as const;
export type Comparison = (typeof COMPARISONS)[number];
export const DIRECTIONS = ["up", "down", "either"] as const;
export type CrossDirection = (typeof DIRECTIONS)[number];

/** A path into an answer's `data`: names of members, and numbers of rows, with points between them. */
export type FieldPath = string;

/** In how many of the last evaluations a condition has to hold. */
export interface Persistence {
  readonly times: number;
  readonly of: number;
}

/** A condition over the answers of one product, as it was read. */
export type WatchCondition =
  | { readonly kind: "compare"; readonly field: FieldPath; readonly op: Comparison; readonly value: Scalar }
  | { readonly kind: "changed"; readonly field: FieldPath }
  | { readonly kind: "crossed"; readonly field: FieldPath; readonly value: number; readonly direction: CrossDirection }
  | { readonly kind: "new"; readonly field: FieldPath; readonly by: string }
  | { readonly kind: "all" | "any"; readonly conditions: readonly WatchCondition[] }
  | { readonly kind: "not"; readonly condition: WatchCondition }
  | { readonly kind: "for"; readonly condition: WatchCondition; readonly persistence: Persistence };

const DEPTH_MAX = 6;
const LEAVES_MAX = 20;
const PATH_CHARS_MAX = 200;
const TEXT_CHARS_MAX = 200;
const OF_MAX = 50;

const ALLOWED =
  '{"field": "value", "op": "<", "value": 25}, {"field": "regime", "op": "changed"}, {"field": "price", "op": ' +
  '"crossed", "value": 100, "direction": "up"}, {"field": "items", "op": "new", "by": "id"}, {"all": […]}, ' +
  '{"any": […]}, {"not": …}; each with "for": "3 of 5" where it has to last';

/** @throws NodeError invalid_parameter, naming the place. */
export function refuseCondition(
  where: string,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): never {
  throw new NodeError("invalid_parameter", `${where}: ${message} Nothing was charged.`, {
    param: where,
    details: { parameter: where, allowed: ALLOWED, ...details },
  });
}

interface Reading {
  leaves: number;
}

/**
 * Reads a condition as a buyer sends it.
 * @throws NodeError invalid_parameter, naming the place: "condition.all[1].op".
 */
export function readCondition(given: unknown, where = "condition"): WatchCondition {
  return readPart(given, { where, depth: 0, reading: { leaves: 0 } });
}

interface ReadScope {
  readonly where: string;
  readonly depth: number;
  readonly reading: Reading;
}

function readPart(given: unknown, place: ReadScope): WatchCondition {
  const { where, depth } = place;
  if (typeof given !== "object" || given === null || Array.isArray(given)) refuseCondition(where, "is no condition.");
  if (depth > DEPTH_MAX) refuseCondition(where, `conditions nest at most ${DEPTH_MAX} deep.`);
  const { for: lasting, ...members } = given as Readonly<Record<string, unknown>>;
  const condition = readBare(members, place);
  if (lasting === undefined) return condition;
  return { kind: "for", condition, persistence: readPersistence(lasting, `${where}.for`) };
}

function readBare(members: Readonly<Record<string, unknown>>, { where, depth, reading }: ReadScope): WatchCondition {
  const names = Object.keys(members);
  const deeper = (name: string): ReadScope => ({ where: `${where}.${name}`, depth: depth + 1, reading });
  for (const kind of ["all", "any"] as const) {
    if (!Object.hasOwn(members, kind)) continue;
    assertOnly(names, [kind], where);
    const list = members[kind];
    if (!Array.isArray(list) || list.length === 0) refuseCondition(`${where}.${kind}`, "is a list of conditions.");
    const conditions = list.map((one: unknown, index) => readPart(one, deeper(`${kind}[${index}]`)));
    return { kind, conditions };
  }
  if (Object.hasOwn(members, "not")) {
    assertOnly(names, ["not"], where);
    return { kind: "not", condition: readPart(members.not, deeper("not")) };
  }
  reading.leaves += 1;
  if (reading.leaves > LEAVES_MAX) refuseCondition(where, `a condition looks at ${LEAVES_MAX} fields at most.`);
  return readLeaf(members, { names, where });
}

function readLeaf(
  members: Readonly<Record<string, unknown>>,
  { names, where }: { readonly names: readonly string[]; readonly where: string },
): WatchCondition {
  const field = readPath(members.field, `${where}.field`);
  const { op } = members;
  if (op === "changed") {
    assertOnly(names, ["field", "op"], where);
    return { kind: "changed", field };
  }
  if (op === "new") {
    assertOnly(names, ["field", "op", "by"], where);
    return { kind: "new", field, by: readPath(members.by, `${where}.by`) };
  }
  if (op === "crossed") {
    assertOnly(names, ["field", "op", "value", "direction"], where);
    const { value, direction = "either" } = members;
    if (typeof value !== "number" || !Number.isFinite(value)) refuseCondition(`${where}.value`, "is a number.");
    if (!isOneOf(DIRECTIONS, direction)) {
      refuseCondition(`${where}.direction`, `is one of ${DIRECTIONS.join(", ")}.`);
    }
    return { kind: "crossed", field, value, direction };
  }
  if (!isOneOf(COMPARISONS, op)) {
    refuseCondition(`${where}.op`, `is one of ${[...COMPARISONS, "changed", "crossed", "new"].join(" ")}.`);
  }
  assertOnly(names, ["field", "op", "value"], where);
  return { kind: "compare", field, op, value: readScalar(members.value, `${where}.value`) };
}

const isOneOf = <T extends string>(list: readonly T[], value: unknown): value is T =>
  (list as readonly unknown[]).includes(value);

function assertOnly(names: readonly string[], known: readonly string[], where: string): void {
  const other = names.find((name) => !known.includes(name));
  if (other !== undefined) refuseCondition(`${where}.${other.slice(0, 60)}`, "is not known there.");
}

function readPath(given: unknown, where: string): FieldPath {
  if (typeof given !== "string" || given === "" || given.length > PATH_CHARS_MAX) {
    refuseCondition(where, 'is the name of a field, such as "value" or "items.0.price".');
  }
  return given;
}

function readScalar(given: unknown, where: string): Scalar {
  if (typeof given === "boolean") return given;
  if (typeof given === "number" && Number.isFinite(given)) return given;
  if (typeof given === "string" && given.length <= TEXT_CHARS_MAX) return given;
  return refuseCondition(where, "is a number, a text or true or false.");
}

function readPersistence(given: unknown, where: string): Persistence {
  const [, times, of] = /^([1-9][0-9]?) of ([1-9][0-9]?)$/.exec(typeof given === "string" ? given : "") ?? [];
  const read = { times: Number(times), of: Number(of) };
  if (!(read.times <= read.of && read.of <= OF_MAX)) {
    refuseCondition(where, `is such as "3 of 5": so many of the last evaluations, at most ${OF_MAX}.`);
  }
  return read;
}

/**
 * Whether what it waits for is a moment, not a state: a change tells each time, a comparison tells when it begins to
 * hold.
 */
export function isMomentary(condition: WatchCondition): boolean {
  switch (condition.kind) {
    case "compare":
      return false;
    case "changed":
    case "crossed":
    case "new":
      return true;
    case "all":
    case "any":
      return condition.conditions.some(isMomentary);
    case "not":
    case "for":
      return false;
    default:
      return condition satisfies never;
  }
}

/** A condition as it is sent. */
export function renderCondition(condition: WatchCondition): Readonly<Record<string, unknown>> {
  switch (condition.kind) {
    case "compare":
      return { field: condition.field, op: condition.op, value: condition.value };
    case "changed":
      return { field: condition.field, op: "changed" };
    case "crossed":
      return { field: condition.field, op: "crossed", value: condition.value, direction: condition.direction };
    case "new":
      return { field: condition.field, op: "new", by: condition.by };
    case "all":
    case "any":
      return { [condition.kind]: condition.conditions.map(renderCondition) };
    case "not":
      return { not: renderCondition(condition.condition) };
    case "for": {
      const { times, of } = condition.persistence;
      return { ...renderCondition(condition.condition), for: `${times} of ${of}` };
    }
    default:
      return condition satisfies never;
  }
}
