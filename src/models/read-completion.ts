import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { compileSchema } from "../core/compile-schema.ts";
import { parseJSON } from "../core/json-values.ts";
import type { StatedUsage } from "./tokens.ts";

/** What became of one call. */
export type CallOutcome = GoodCall | WordlessCall | FailedCompletion;

export interface GoodCall {
  readonly kind: "ok";
  readonly text: string;
  readonly model: string;
  readonly finish_reason: FinishReason;
  readonly usage: StatedUsage;
}
type FinishReason = "stop" | "length" | "content_filter";

/**
 * A whole answer that has no words to use: cut off while the model still thought, withheld by the host's filter, or
 * empty. The choice of words and limit can cause that, so it says nothing about the model.
 */
export interface WordlessCall extends Omit<GoodCall, "kind"> {
  readonly kind: "wordless";
  readonly reason: string;
}

export type CallFailure =
  /** Words the host does not know: said otherwise, it may answer. */
  | "tokens_field"
  | "temperature"
  | "format"
  /** The request has more tokens than the model takes. */
  | "too_long"
  | "bad_request"
  | "auth"
  | "balance"
  | "model_gone"
  /** Nothing came: a status of 5xx, or no answer in time. */
  | "down"
  /** The connection ended before the first byte. */
  | "reset"
  | "limited"
  /** The host is there and its model is not in memory yet. */
  | "loading"
  /** An answer nobody can use. */
  | "bad_answer";

export interface FailedCompletion {
  readonly kind: CallFailure;
  /** For logs. */
  readonly reason: string;
  readonly retry_after_ms?: number;
  /** A buyer's words or limits may have brought it about. */
  readonly is_buyers?: true;
  /** Nobody waited for the end: its host may have written on, and charge for it. */
  readonly is_left?: true;
}

const Part = Type.Object({ type: Type.Optional(Type.String()), text: Type.Optional(Type.Unknown()) });
const Answer = Type.Object({
  model: Type.Optional(Type.Unknown()),
  error: Type.Optional(Type.Unknown()),
  choices: Type.Optional(
    Type.Array(
      Type.Object({
        error: Type.Optional(Type.Unknown()),
        finish_reason: Type.Optional(Type.Unknown()),
        message: Type.Optional(
          Type.Union([
            Type.Object({
              content: Type.Optional(Type.Union([Type.String(), Type.Null(), Type.Array(Part)])),
            }),
            Type.Null(),
          ]),
        ),
      }),
    ),
  ),
  usage: Type.Optional(Type.Unknown()),
});
const ErrorMember = Type.Object({
  message: Type.Optional(Type.Unknown()),
  code: Type.Optional(Type.Unknown()),
  type: Type.Optional(Type.Unknown()),
  param: Type.Optional(Type.Unknown()),
});
const Usage = Type.Object({
  prompt_tokens: Type.Optional(Type.Unknown()),
  completion_tokens: Type.Optional(Type.Unknown()),
});

const reader = <S extends TSchema>(schema: S) => {
  const check = compileSchema(schema);
  return (value: unknown): Static<S> | null => (check.Check(value) ? (value as Static<S>) : null);
};
const readAnswer = reader(Answer);
const readError = reader(ErrorMember);
const readUsage = reader(Usage);

const REASON_CHARS_MAX = 200;
const failed = (kind: CallFailure, reason: string): FailedCompletion => ({
  kind,
  reason: reason.slice(0, REASON_CHARS_MAX),
});
const textOf = (value: unknown): string =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : "";

/** Statuses that hosts also put into an error of an answer with status 200. */
const BY_STATUS: Readonly<Record<number, CallFailure>> = {
  401: "auth",
  402: "balance",
  403: "auth",
  404: "model_gone",
  408: "down",
  429: "limited",
};

/** What a status other than 200 means; `text` is the body as it came. */
export function readRefusal(status: number, text: string): FailedCompletion {
  const body = parseJSON(text);
  const { error } = (typeof body === "object" && body !== null ? body : {}) as { readonly error?: unknown };
  const said = readError(error) ?? { message: typeof error === "string" ? error : text };
  const words = [said.code, said.type, said.param, said.message].map(textOf).join(" ");
  const reason = `${status} ${words}`.trim();
  // llama.cpp answers so while it reads its weights.
  if (status === 503 && /loading model/i.test(words)) return failed("loading", reason);
  if (status === 400 || status === 413 || status === 422) return failed(readBadRequest(words), reason);
  return failed(BY_STATUS[status] ?? (status >= 500 ? "down" : "bad_request"), reason);
}

/** Hosts have no common code for what they do not take: the words of several are known. */
function readBadRequest(words: string): CallFailure {
  if (/context[_ ](length|window|size)|n_ctx|maximum context|prompt is too long/i.test(words)) return "too_long";
  if (/max_(completion_)?tokens/i.test(words)) return "tokens_field";
  if (/temperature/i.test(words)) return "temperature";
  if (/response[_ ]format|json_(schema|object)|structured output|grammar/i.test(words)) return "format";
  return "bad_request";
}

/** What an answer with status 200 holds: some hosts put errors into it. */
export function readCompletion(text: string, asked_model: string): CallOutcome {
  const answer = readAnswer(parseJSON(text));
  if (answer === null) return failed("bad_answer", "the answer is no completion");
  const [choice] = answer.choices ?? [];
  const error = readError(answer.error ?? choice?.error ?? undefined);
  if (error !== null) {
    const kind = BY_STATUS[Number(textOf(error.code))] ?? "bad_answer";
    return failed(kind, `200 with an error: ${textOf(error.code)} ${textOf(error.message)}`);
  }
  if (choice === undefined) return failed("bad_answer", "the answer has no choices");
  const { finish_reason } = choice;
  const ended = finish_reason === "length" || finish_reason === "content_filter" ? finish_reason : "stop";
  const { prompt_tokens, completion_tokens } = readUsage(answer.usage) ?? {};
  const count = (value: unknown) => (typeof value === "number" ? value : null);
  const made = {
    model: typeof answer.model === "string" && answer.model !== "" ? answer.model.slice(0, 200) : asked_model,
    finish_reason: ended,
    usage: { prompt_tokens: count(prompt_tokens), completion_tokens: count(completion_tokens) },
  } as const;
  const raw = joinContent(choice.message?.content ?? null).trim();
  const content = stripThoughts(raw);
  if (ended === "content_filter") {
    return { kind: "wordless", text: content, ...made, reason: "the host's filter withheld the answer" };
  }
  if (content !== "") return { kind: "ok", text: content, ...made };
  // A model that ended of itself within its thoughts wrote those marks as its answer.
  const said = ended === "stop" ? raw : "";
  return { kind: "wordless", text: said, ...made, reason: `the answer is empty (${textOf(finish_reason)})` };
}

/** Some hosts send parts; those that are not text are what the model thought. */
function joinContent(content: string | null | readonly Static<typeof Part>[]): string {
  if (content === null || typeof content === "string") return content ?? "";
  return content.map(({ type = "text", text }) => (type === "text" ? textOf(text) : "")).join("");
}

const THOUGHTS_BEGIN = /^<(think|thinking|reasoning)>/i;
const THOUGHTS_END = "\n</think>\n";

/**
 * Takes out what a model thought before it answered. Thoughts that never end leave nothing; some chat templates leave
 * out the opening mark.
 */
export function stripThoughts(text: string): string {
  let rest = text.trim();
  for (let begun = THOUGHTS_BEGIN.exec(rest); begun !== null; begun = THOUGHTS_BEGIN.exec(rest)) {
    const end = new RegExp(`</${begun[1]}>`, "i").exec(rest);
    if (end === null) return "";
    rest = rest.slice(end.index + end[0].length).trim();
  }
  const end = rest.indexOf(THOUGHTS_END);
  return end < 0 ? rest : rest.slice(end + THOUGHTS_END.length).trim();
}
