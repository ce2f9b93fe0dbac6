import type { Static, TSchema } from "@sinclair/typebox";
import type { AnswerFacts, Charset, ErrorForm, ErrorMeaning, Unpacking } from "../catalog/request.ts";
import type { DroppedRows, EachRow } from "../catalog/rows.ts";
import { isUnusable, judgeReading } from "../catalog/unusable.ts";
import { compileSchema } from "../core/compile-schema.ts";
import { messageOf } from "../core/errors.ts";
import { thread_turns } from "../core/thread-turns.ts";
import { decodeText } from "./decode-text.ts";
import { createRowTally, type RowTally, TooFewRows } from "./sift-rows.ts";
import { unpack } from "./unpack.ts";

/** One caller's way to read a value: a schema, and a function for values that match. */
export interface ValueReading {
  readonly schema: TSchema;
  readonly read?: ((value: never, facts: AnswerFacts, eachRow: EachRow) => unknown) | undefined;
  /** Whether `read` may return a text as the value. */
  readonly gives_text?: boolean | undefined;
}

/** The settings to turn a body into a value. */
export interface AnswerRule extends ValueReading {
  readonly format: "json" | "text" | "bytes";
  readonly charset?: Charset | undefined;
  readonly unpack?: readonly Unpacking[] | undefined;
  readonly errors?: readonly ErrorForm[] | undefined;
  /** Accepted statuses besides 2xx. */
  readonly statuses?: readonly number[] | undefined;
}

/** The result of a reading. */
export interface Made {
  readonly reading: unknown;
  /** Rows that could not be read; undefined if all could. */
  readonly dropped?: DroppedRows | undefined;
  /** Whether the raw value matches the schema. */
  readonly is_whole: boolean;
}

/** The result of a reading, or the reason to refuse the answer. */
export type Read = ({ readonly ok: true } & Made) | { readonly ok: false; readonly reason: string };

/** A raw answer with the caller's reading of it, or the reason to refuse it; `means` for a known error. */
export type AnswerRead =
  | ({ readonly ok: true; readonly value: unknown } & Made)
  | { readonly ok: false; readonly reason: string; readonly means?: ErrorMeaning };

/** Whether a value from outside matches a schema. */
export const matches = <S extends TSchema>(schema: S, value: unknown): value is Static<S> =>
  compileSchema(schema).Check(value);

/** Reads a value: first its shape, then its meaning. `passed`: a schema that it is already known to match. */
export function readValue(
  value: unknown,
  { schema, read, gives_text }: ValueReading,
  known: { readonly facts: AnswerFacts; readonly passed?: TSchema | undefined },
): Read {
  const check = compileSchema(schema);
  const tally = createRowTally();
  const is_whole = known.passed === schema || check.Check(value);
  // Rows are checked one by one only if the whole answer does not match.
  const good = is_whole ? value : tally.sift(schema, value);
  if (!is_whole && !check.Check(good)) {
    const first = check.Errors(good).First();
    const too_many = tally.tooMany();
    const why = `unexpected shape at "${first?.path || "/"}": ${first?.message ?? "no match"}`;
    return { ok: false, reason: too_many === undefined ? why : `${too_many}: ${why}` };
  }
  return readGood(good, { read, gives_text, facts: known.facts, tally, is_whole });
}

function readGood(
  value: unknown,
  {
    read,
    gives_text,
    facts,
    tally,
    is_whole,
  }: Pick<ValueReading, "read" | "gives_text"> & Pick<Made, "is_whole"> & { facts: AnswerFacts; tally: RowTally },
): Read {
  try {
    // The schema it matches is the one `read` was typed with.
    const reading = read ? judgeReading(read(value as never, facts, tally.eachRow), gives_text) : value;
    if (isUnusable(reading)) return { ok: false, reason: reading.why };
    return { ok: true, reading, dropped: tally.dropped(), is_whole };
  } catch (error) {
    if (error instanceof TooFewRows) return { ok: false, reason: error.message };
    // A reader that throws refuses the answer.
    return { ok: false, reason: `the answer could not be judged: ${messageOf(error)}` };
  }
}

/** The known form of an error body, if it has one. */
export const findErrorForm = (
  value: unknown,
  status: number,
  forms: readonly ErrorForm[] = [],
): ErrorForm | undefined =>
  forms.find((form) => (form.status ?? Math.max(400, status)) === status && matches(form.schema, value));

/**
 * Larger than any real quantity; tables of worthless tokens contain changes of 1e42 per cent. JSON's 1e999 is already
 * Infinity.
 */
const NUMBER_MAX = 1e60;
const isBeyond = (value: unknown): boolean => typeof value === "number" && Math.abs(value) > NUMBER_MAX;

/**
 * Freezes a parsed JSON value deeply, because several callers share it. A number beyond the limit becomes Infinity,
 * which no schema accepts, so that its row is left out, or the answer is refused if it is not in a row.
 */
function freezeAll(value: unknown): void {
  const rest: unknown[] = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    if (typeof next !== "object" || next === null) continue;
    for (const member of Array.isArray(next) ? next : Object.values(next)) {
      if (typeof member === "object") rest.push(member);
      else if (isBeyond(member)) markBeyond(next);
    }
    Object.freeze(next);
  }
}

function markBeyond(holder: object): void {
  for (const [name, member] of Object.entries(holder)) {
    if (isBeyond(member)) Object.defineProperty(holder, name, { value: Number.POSITIVE_INFINITY, enumerable: true });
  }
}

/** A body's text as frozen JSON; a text is the reason why it is invalid. */
function parseJSON(text: string): { readonly value: unknown } | string {
  if (text.trimStart().startsWith("<")) return "HTML where JSON is due";
  try {
    const value: unknown = JSON.parse(text);
    freezeAll(value);
    return isBeyond(value) ? "a number is out of range" : { value };
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
  const read = () => readBytes(unpacked.bytes, rule, facts);
  return unpacked.bytes.length < LONG_BYTES ? read() : thread_turns.run("buyer", read, { may_refuse: false });
}

/** Longer bodies occupy the thread for milliseconds, so they take turns. */
const LONG_BYTES = 65_536;

function readBytes(bytes: Uint8Array, rule: AnswerRule, facts: AnswerFacts): AnswerRead {
  const parsed = parseBytes(bytes, rule);
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
