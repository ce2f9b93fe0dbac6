import type { TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { messageOf } from "../core/errors.ts";

/** Why an answer is not accepted, or the value of one that is. */
export type Checked = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string };

export interface Expectation {
  readonly schema: TSchema;
  readonly refuse?: (value: unknown) => string | undefined;
}

// Schemas are module constants; compiling one costs about a millisecond, checking with it microseconds.
const compiled = new WeakMap<TSchema, TypeCheck<TSchema>>();

function compile(schema: TSchema): TypeCheck<TSchema> {
  const known = compiled.get(schema);
  if (known) return known;
  const check = TypeCompiler.Compile(schema);
  compiled.set(schema, check);
  return check;
}

/** Checks a value's shape, then asks `refuse`; undefined when accepted. `passed`: a schema it is known to match. */
export function findFault(value: unknown, expectation: Expectation, passed?: TSchema): string | undefined {
  const check = compile(expectation.schema);
  if (passed !== expectation.schema && !check.Check(value)) {
    const first = check.Errors(value).First();
    return `unexpected shape at "${first?.path || "/"}": ${first?.message ?? "no match"}`;
  }
  try {
    return expectation.refuse?.(value);
  } catch (error) {
    // A look that fails on an answer has not accepted it.
    return `the answer could not be judged: ${messageOf(error)}`;
  }
}

/**
 * Freezes a parsed JSON value through and through, because several callers share it; false when it holds a number that
 * is not finite (JSON's 1e999 parses as Infinity).
 */
function freezeFinite(value: unknown): boolean {
  const rest: unknown[] = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    if (typeof next === "number" && !Number.isFinite(next)) return false;
    if (typeof next !== "object" || next === null) continue;
    for (const member of Array.isArray(next) ? next : Object.values(next)) {
      if (typeof member === "number" ? !Number.isFinite(member) : typeof member === "object") rest.push(member);
    }
    Object.freeze(next);
  }
  return true;
}

/** Turns a body into a checked value. */
export function parseBody(text: string, format: "json" | "text", expectation: Expectation): Checked {
  let value: unknown = text;
  if (format === "json") {
    if (text.trimStart().startsWith("<")) return { ok: false, reason: "HTML where JSON is due" };
    try {
      value = JSON.parse(text);
    } catch (error) {
      // The parser's own message quotes the body, so it is not passed on.
      if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
      return { ok: false, reason: text === "" ? "empty body" : "body is not JSON" };
    }
    if (!freezeFinite(value)) return { ok: false, reason: "a number is out of range" };
  }
  const reason = findFault(value, expectation);
  return reason === undefined ? { ok: true, value } : { ok: false, reason };
}
