import type { Static, TSchema } from "@sinclair/typebox";
import type { AnswerFacts, Charset, ErrorForm, ErrorMeaning, Unpacking } from "../catalog/request.ts";
import { compileSchema } from "../core/compile-schema.ts";
import { messageOf } from "../core/errors.ts";
import { decodeText } from "./decode-text.ts";
import { unpack } from "./unpack.ts";

/** How one caller reads a value: its schema, and what it makes of what matches. */
export interface Reading {
  readonly schema: TSchema;
  readonly read?: ((value: never, facts: AnswerFacts) => unknown) | undefined;
}

/** How a body becomes a value. */
export interface AnswerRule extends Reading {
  readonly format: "json" | "text" | "bytes";
  readonly charset?: Charset | undefined;
  readonly unpack?: readonly Unpacking[] | undefined;
  readonly errors?: readonly ErrorForm[] | undefined;
  /** Besides 2xx. */
  readonly statuses?: readonly number[] | undefined;
}

/** What a reading came to, or why the answer is refused. */
export type Read = { readonly ok: true; readonly reading: unknown } | { readonly ok: false; readonly reason: string };

/** An answer as it came, its reading by whoever asked, or why it is refused; `means` where it is a known error. */
export type AnswerRead =
  | { readonly ok: true; readonly value: unknown; readonly reading: unknown }
  | { readonly ok: false; readonly reason: string; readonly means?: ErrorMeaning };

/** Whether a value that came from outside is what a schema says. */
export const matches = <S extends TSchema>(schema: S, value: unknown): value is Static<S> =>
  compileSchema(schema).Check(value);

/** Reads a value: its shape first, then what it means. `passed`: a schema it is known to match already. */
export function readValue(
  value: unknown,
  { schema, read }: Reading,
  known: { readonly facts: AnswerFacts; readonly passed?: TSchema },
): Read {
  const check = compileSchema(schema);
  if (known.passed !== schema && !check.Check(value)) {
    const first = check.Errors(value).First();
    return { ok: false, reason: `unexpected shape at "${first?.path || "/"}": ${first?.message ?? "no match"}` };
  }
  if (!read) return { ok: true, reading: value };
  try {
    // The schema above is the one `read` was typed with.
    const reading = read(value as never, known.facts);
    return typeof reading === "string" ? { ok: false, reason: reading } : { ok: true, reading };
  } catch (error) {
    // A reader that fails on an answer has not accepted it.
    return { ok: false, reason: `the answer could not be judged: ${messageOf(error)}` };
  }
}

/** The form an error body has, if it is one of those the caller knows. */
export const findErrorForm = (
  value: unknown,
  status: number,
  forms: readonly ErrorForm[] = [],
): ErrorForm | undefined =>
  forms.find((form) => (form.status ?? Math.max(400, status)) === status && matches(form.schema, value));

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

/** A body's text as JSON, frozen; a text says why it is none. */
function parseJSON(text: string): { readonly value: unknown } | string {
  if (text.trimStart().startsWith("<")) return "HTML where JSON is due";
  try {
    const value: unknown = JSON.parse(text);
    return freezeFinite(value) ? { value } : "a number is out of range";
  } catch (error) {
    // The parser's own message quotes the body, so it is not passed on.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    return text === "" ? "empty body" : "body is not JSON";
  }
}

function parseBytes(bytes: Uint8Array, rule: AnswerRule): { readonly value: unknown } | string {
  if (rule.format === "bytes") return { value: bytes };
  const decoded = decodeText(bytes, rule.charset);
  if (!decoded.ok) return decoded.reason;
  return rule.format === "json" ? parseJSON(decoded.text) : { value: decoded.text };
}

/** Reads the body of a good answer. */
export async function readAnswer(bytes: Uint8Array, rule: AnswerRule, facts: AnswerFacts): Promise<AnswerRead> {
  const unpacked = await unpack(bytes, rule.unpack);
  if (!unpacked.ok) return unpacked;
  const parsed = parseBytes(unpacked.bytes, rule);
  if (typeof parsed === "string") return { ok: false, reason: parsed };
  const form = findErrorForm(parsed.value, facts.status, rule.errors);
  if (form) return { ok: false, reason: "the answer is an error", means: form.means };
  const read = readValue(parsed.value, rule, { facts });
  return read.ok ? { ...read, value: parsed.value } : read;
}

/** The JSON value or text of an error body, for `findErrorForm`. */
export function parseErrorBody(text: string): unknown {
  const parsed = parseJSON(text);
  return typeof parsed === "string" ? text : parsed.value;
}
