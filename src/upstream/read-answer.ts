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

/** How one caller reads a value: its schema, and what it makes of what matches. */
export interface ValueReading {
  readonly schema: TSchema;
  readonly read?: ((value: never, facts: AnswerFacts, eachRow: EachRow) => unknown) | undefined;
  /** What `read` returns may be a text. */
  readonly gives_text?: boolean | undefined;
}

/** How a body becomes a value. */
export interface AnswerRule extends ValueReading {
  readonly format: "json" | "text" | "bytes";
  readonly charset?: Charset | undefined;
  readonly unpack?: readonly Unpacking[] | undefined;
  readonly errors?: readonly ErrorForm[] | undefined;
  /** Besides 2xx. */
  readonly statuses?: readonly number[] | undefined;
}

/** What a reading came to. */
export interface Made {
  readonly reading: unknown;
  /** Rows that could not be read; undefined when all of them were. */
  readonly dropped?: DroppedRows | undefined;
  /** Whether the value is what the schema says as it came. */
  readonly is_whole: boolean;
}

/** What a reading came to, or why the answer is refused. */
export type Read = ({ readonly ok: true } & Made) | { readonly ok: false; readonly reason: string };

/** An answer as it came, its reading by whoever asked, or why it is refused; `means` where it is a known error. */
export type AnswerRead =
  | ({ readonly ok: true; readonly value: unknown } & Made)
  | { readonly ok: false; readonly reason: string; readonly means?: ErrorMeaning };

/** Whether a value that came from outside is what a schema says. */
export const matches = <S extends TSchema>(schema: S, value: unknown): value is Static<S> =>
  compileSchema(schema).Check(value);

/** Reads a value: its shape first, then what it means. `passed`: a schema it is known to match already. */
export function readValue(
  value: unknown,
  { schema, read, gives_text }: ValueReading,
  known: { readonly facts: AnswerFacts; readonly passed?: TSchema | undefined },
): Read {
  const check = compileSchema(schema);
  const tally = createRowTally();
  const is_whole = known.passed === schema || check.Check(value);
  // Only an answer that is not what it should be pays for the look at its rows.
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
 * Nothing that anybody counts reaches this, and tables of worthless tokens hold changes of 1e42 per cent. JSON's 1e999
 * is Infinity already.
 */
const NUMBER_MAX = 1e60;
const isBeyond = (value: unknown): boolean => typeof value === "number" && Math.abs(value) > NUMBER_MAX;

/**
 * Freezes a parsed JSON value through and through, because several callers share it. A number beyond all bounds becomes
 * Infinity, which no schema takes for a number: the row that holds it goes, or the answer where it is no row.
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

/** A body's text as JSON, frozen; a text says why it is none. */
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

/** Longer ones hold the thread for milliseconds: they take turns. */
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
