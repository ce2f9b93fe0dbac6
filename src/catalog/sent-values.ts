import type { TSchema } from "@sinclair/typebox";
import { NodeError } from "../core/errors.ts";

/** One rule for what a caller sends, whatever door it comes through: queries, JSON bodies, tool calls and messages. */

/** Media type of a text parameter that holds JSON: a body may carry the value itself. */
const JSON_TEXT = "application/json";
const NUMBER = /^-?(0|[1-9]\d{0,14})(\.\d{1,12})?$/;
const YES: readonly unknown[] = [true, 1, "1", "true"];
const NO: readonly unknown[] = [false, 0, "0", "false"];
/** Longer texts are words of the buyer's own, not names that have one spelling. */
const NAME_CHARS_MAX = 500;

export const isJSONText = (schema: TSchema | undefined): boolean => schema?.contentMediaType === JSON_TEXT;

/** Whether a value is empty: an optional parameter counts as not sent then. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "string" && value.trim() === "");

/**
 * A parameter that is on or off.
 * @throws NodeError invalid_parameter for what says neither.
 */
export function readSwitch(name: string, value: unknown): boolean {
  const said = typeof value === "string" ? value.trim().toLowerCase() : value;
  if (YES.includes(said)) return true;
  if (isEmpty(said) || NO.includes(said)) return false;
  throw new NodeError("invalid_parameter", `Parameter "${name}" must be true or false.`, {
    param: name,
    details: { parameter: name, allowed: [true, false] },
  });
}

/** Whether a query asks for the preview. One that says it wrongly is refused where the query is read. */
export function asksForPreview(search: string): boolean {
  // Its name may be written with escapes.
  if (!search.includes("preview") && !search.includes("%")) return false;
  const value = new URLSearchParams(search).get("preview")?.trim().toLowerCase();
  return YES.includes(value);
}

/** The types a schema allows, unions of literals included. */
function typesOf(schema: TSchema): readonly string[] {
  if (Array.isArray(schema.anyOf)) return schema.anyOf.flatMap(typesOf);
  return [schema.const === undefined ? String(schema.type) : typeof schema.const];
}

const literalsOf = (schema: TSchema): readonly unknown[] =>
  Array.isArray(schema.anyOf) ? schema.anyOf.flatMap(literalsOf) : schema.const === undefined ? [] : [schema.const];

/** A scalar as the declared type, where it can be one: clients make texts of numbers, and the other way round. */
function toType(value: unknown, types: readonly string[]): unknown {
  const is_number = types.includes("number") || types.includes("integer");
  if (typeof value === "string" && !types.includes("string")) {
    if (is_number && NUMBER.test(value)) return Number(value);
    const said = value.toLowerCase();
    return types.includes("boolean") && (said === "true" || said === "false") ? said === "true" : value;
  }
  if (types.includes("boolean") && (value === 1 || value === 0)) return value === 1;
  const is_other =
    (typeof value === "number" && !is_number) || (typeof value === "boolean" && !types.includes("boolean"));
  return is_other && types.includes("string") ? String(value) : value;
}

/** The same text in the case that a pattern takes; itself where it takes both, for case then means something. */
function inCaseOf(pattern: string, text: string): string {
  const letters = pattern.replace(/\\[a-zA-Z]|\(\?[a-z]*/g, "");
  const [has_lower, has_upper] = [/[a-z]/.test(letters), /[A-Z]/.test(letters)];
  if (has_lower === has_upper) return text;
  return has_upper ? text.toUpperCase() : text.toLowerCase();
}

/** A name in the spelling of its schema. */
function toSpelling(text: string, schema: TSchema): string {
  const literals = literalsOf(schema);
  if (literals.includes(text)) return text;
  const same = literals.find((one) => typeof one === "string" && one.toLowerCase() === text.toLowerCase());
  if (typeof same === "string") return same;
  const { pattern } = schema;
  if (typeof pattern !== "string" || new RegExp(pattern, "u").test(text)) return text;
  return inCaseOf(pattern, text);
}

/**
 * A value that was sent, as its parameter takes it: without surrounding blanks, in the declared type and in the
 * schema's own spelling. A value that cannot be read this way is unchanged, and its schema refuses it. Text that holds
 * JSON is not touched; a JSON value becomes that text.
 */
export function readSent(value: unknown, schema: TSchema): unknown {
  if (isJSONText(schema)) return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
  const sent = toType(typeof value === "string" ? value.trim() : value, typesOf(schema));
  return typeof sent === "string" && sent.length <= NAME_CHARS_MAX ? toSpelling(sent, schema) : sent;
}
