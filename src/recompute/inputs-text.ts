import {
  ERRORS,
  type ErrorCode,
  isNodeError,
  NodeError,
  UpstreamError,
  type UpstreamErrorKind,
} from "../core/errors.ts";
import { sha256Hex } from "../core/hash.ts";

/**
 * The value that `fetch` gave to `compute`, as text that decodes to the same value: JSON, with an object of one member
 * that begins with "$" for values that JSON lacks. Members keep their order, because `compute` may depend on it.
 * Encoding a decoded value gives the same bytes. docs/adr/0016-inputs-are-plain-data.md has the reasons.
 *
 * | value | text |
 * | --- | --- |
 * | bigint | `{"$bigint":"-12"}` |
 * | undefined, NaN, Infinity, -Infinity, -0 | `{"$value":"undefined"}` and so on, by their names |
 * | Date | `{"$date":1700000000000}`, null for an invalid one |
 * | Map | `{"$map":[[key,value],…]}` |
 * | Set | `{"$set":[value,…]}` |
 * | Uint8Array | `{"$bytes":"base64"}` |
 * | Headers | `{"$headers":[[name,value],…]}` |
 * | an error | `{"$error":{"class":…,"message":…,…}}`: its own members, but not its cause |
 * | an object whose only member begins with "$" | `{"$object":{…}}` |
 */

/** A value that cannot be encoded: a function, an object of a special class, a circle. */
export class NotPlainError extends TypeError {
  override readonly name = "NotPlainError";
  constructor(
    readonly path: string,
    readonly what: string,
  ) {
    super(`${path} is ${what}`);
  }
}

/** Deeper than any input, so that a circle ends here. */
const DEPTH_MAX = 200;

const NAMED: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["undefined", undefined],
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
  ["-0", -0],
]);

type Members = Record<string, unknown>;

/** Members of a plain object; null for anything else. */
export function membersOf(value: object): Members | null {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? (value as Members) : null;
}

/** Whether a plain object would be decoded as one of the forms above. */
export const isTaken = (members: Members): boolean => {
  let count = 0;
  for (const name in members) {
    if (count > 0 || !name.startsWith("$")) return false;
    count += 1;
  }
  return count === 1;
};

const describe = (value: unknown): string => {
  if (typeof value !== "object" || value === null) return `a ${typeof value}`;
  const name = (value as { readonly constructor?: { readonly name?: unknown } }).constructor?.name;
  return `an object of class ${typeof name === "string" ? name : "unknown"}`;
};

/** The current path in the value, rendered only for an error. */
export interface InputPlace {
  readonly under: InputPlace | null;
  readonly name: string | number;
}

function renderPlace(place: InputPlace | null): string {
  const names: (string | number)[] = [];
  for (let at = place; at !== null; at = at.under) names.unshift(at.name);
  return `inputs${names.map((name) => (typeof name === "number" ? `[${name}]` : `.${name}`)).join("")}`;
}

/** The same value if JSON can express it, else a copy that JSON can express. */
export function toPlain(value: unknown, place: InputPlace | null, depth: number): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      if (Number.isFinite(value) && !Object.is(value, -0)) return value;
      return { $value: Object.is(value, -0) ? "-0" : String(value) };
    case "bigint":
      return { $bigint: value.toString() };
    case "undefined":
      return { $value: "undefined" };
    case "object":
      return value === null ? null : objectToPlain(value, place, depth);
    default:
      throw new NotPlainError(renderPlace(place), describe(value));
  }
}

/** @param from index of the first item, if the list is a part of another. */
export function listToPlain(
  list: readonly unknown[],
  place: InputPlace | null,
  { depth, from = 0 }: { readonly depth: number; readonly from?: number },
): readonly unknown[] {
  let copy: unknown[] | null = null;
  for (let n = 0; n < list.length; n += 1) {
    const value = list[n];
    // Most values are numbers and texts, which need no call.
    if (typeof value === "string" || typeof value === "boolean" || value === null) {
      if (copy) copy.push(value);
      continue;
    }
    const plain = toPlain(value, { under: place, name: from + n }, depth + 1);
    if (!copy && !Object.is(plain, value)) copy = list.slice(0, n);
    if (copy) copy.push(plain);
  }
  return copy ?? list;
}

function recordToPlain(members: Members, place: InputPlace | null, depth: number): unknown {
  let copy: Members | null = null;
  for (const name of Object.keys(members)) {
    const value = members[name];
    if (typeof value === "string" || typeof value === "boolean" || value === null) continue;
    const plain = toPlain(value, { under: place, name }, depth + 1);
    if (Object.is(plain, value)) continue;
    copy ??= { __proto__: null, ...members } as Members;
    copy[name] = plain;
  }
  const plain = copy ?? members;
  return isTaken(members) ? { $object: plain } : plain;
}

/** @throws NotPlainError for a value that is too deep. */
export function assertShallow(place: InputPlace | null, depth: number): void {
  if (depth > DEPTH_MAX) throw new NotPlainError(renderPlace(place), `deeper than ${DEPTH_MAX} levels, or a circle`);
}

/** @throws NotPlainError for an object with its own JSON form. */
export function assertSilent(members: Members, place: InputPlace | null): void {
  if (typeof members.toJSON === "function") throw new NotPlainError(renderPlace(place), "an object with toJSON");
}

function objectToPlain(value: object, place: InputPlace | null, depth: number): unknown {
  assertShallow(place, depth);
  if (Array.isArray(value)) return listToPlain(value, place, { depth });
  const members = membersOf(value);
  if (members !== null) {
    assertSilent(members, place);
    return recordToPlain(members, place, depth);
  }
  const inner = (list: readonly unknown[]) => listToPlain(list, place, { depth });
  if (value instanceof Date) return { $date: Number.isNaN(value.getTime()) ? null : value.getTime() };
  if (value instanceof Map) return { $map: inner([...value]) };
  if (value instanceof Set) return { $set: inner([...value]) };
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString("base64") };
  if (value instanceof Headers) return { $headers: [...value] };
  if (value instanceof Error) return { $error: toPlain(describeError(value), place, depth + 1) };
  throw new NotPlainError(renderPlace(place), describe(value));
}

/** Errors in inputs: those of failed parts, from which `compute` takes reasons. */
function describeError(error: Error): Members {
  const { message } = error;
  if (isNodeError(error)) {
    const { cause: _cause, causes: _causes, ...options } = error.options;
    return { class: "NodeError", message, code: error.code, options };
  }
  if (!(error instanceof UpstreamError)) return { class: "Error", message };
  const { kind, provider, retry_after_s, own_limit } = error;
  const wait = retry_after_s === undefined ? {} : { retry_after_s };
  return { class: "UpstreamError", message, kind, provider, ...wait, own_limit };
}

function readError(held: Members): Error {
  const { message } = held;
  if (typeof message !== "string") throw unknownForm("$error");
  if (held.class === "Error") return new Error(message);
  if (held.class === "NodeError" && Object.hasOwn(ERRORS, String(held.code))) {
    return new NodeError(held.code as ErrorCode, message, membersFromPlain(held.options as Members));
  }
  if (held.class !== "UpstreamError") throw unknownForm("$error");
  const { kind, provider, ...options } = held;
  return new UpstreamError(kind as UpstreamErrorKind, String(provider), message, options);
}

/**
 * The text of a value.
 * @throws NotPlainError for a value that cannot be encoded, with its path.
 */
export const encodeInputs = (inputs: unknown): string => JSON.stringify(toPlain(inputs, null, 0));

/**
 * The value of a text.
 * @throws SyntaxError for invalid JSON; TypeError for a form other than those above.
 */
export const decodeInputs = (text: string): unknown => fromPlain(JSON.parse(text));

const isRecord = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isList = (value: unknown): value is unknown[] => Array.isArray(value);

function fromPlain(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return membersFromPlain(value as unknown as Members) as unknown;
  const members = value as Members;
  if (!isTaken(members)) return membersFromPlain(members);
  const [form = ""] = Object.keys(members);
  return fromForm(form, members[form]);
}

/** Decodes in place, because nothing else uses the value just parsed. */
function membersFromPlain(members: Members): Members {
  for (const name of Object.keys(members)) {
    const value = members[name];
    if (typeof value !== "object" || value === null) continue;
    const real = fromPlain(value);
    if (real === value) continue;
    // A plain assignment to "__proto__" would not set a member.
    Object.defineProperty(members, name, { value: real, writable: true, enumerable: true, configurable: true });
  }
  return members;
}

const unknownForm = (form: string): TypeError => new TypeError(`"${form.slice(0, 40)}" is no form of a value`);

function fromForm(form: string, held: unknown): unknown {
  switch (form) {
    case "$bigint":
      if (typeof held === "string" && /^-?\d+$/.test(held)) return BigInt(held);
      break;
    case "$value":
      if (typeof held === "string" && NAMED.has(held)) return NAMED.get(held);
      break;
    case "$date":
      if (held === null || typeof held === "number") return new Date(held ?? Number.NaN);
      break;
    case "$map":
      if (isList(held)) return new Map(held.map(toEntry));
      break;
    case "$set":
      if (isList(held)) return new Set(held.map(fromPlain));
      break;
    case "$bytes":
      if (typeof held === "string") return new Uint8Array(Buffer.from(held, "base64"));
      break;
    case "$headers":
      if (isList(held)) return new Headers(held as [string, string][]);
      break;
    case "$error":
      if (isRecord(held)) return readError(held);
      break;
    case "$object":
      if (isRecord(held)) return membersFromPlain(held);
      break;
  }
  throw unknownForm(form);
}

function toEntry(entry: unknown): [unknown, unknown] {
  if (!isList(entry) || entry.length !== 2) throw unknownForm("$map");
  return [fromPlain(entry[0]), fromPlain(entry[1])];
}

/** The key under which inputs are kept: the SHA-256 of their text. */
export const hashInputs = (text: string): string => sha256Hex(text);
