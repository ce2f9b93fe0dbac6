import { NodeError } from "intel-node";
import { MESSAGES_MAX, ROLES, TEMPERATURE, TOKENS } from "./schema.ts";

/** Members of a request that ask for what this endpoint does not do. */
const UNSUPPORTED_MEMBERS: readonly string[] = ["stream", "tools", "tool_choice", "functions", "function_call"];
const MEMBERS: readonly string[] = ["messages", "model", "max_tokens", "temperature", "format"];
const MESSAGE_MEMBERS: readonly string[] = ["role", "content"];
const MODEL_CHARS_MAX = 200;

type Reason =
  | "unsupported_parameter"
  | "unsupported_content"
  | "unknown_parameter"
  | "invalid_type"
  | "out_of_range"
  | "context_length_exceeded";

const refuse = (reason: Reason, param: string, message: string): NodeError =>
  new NodeError("invalid_parameter", message, { param, details: { reason } });

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Members that say nothing, which some clients always send. */
const NO_OPS: Readonly<Record<string, (value: unknown) => boolean>> = {
  stream: (value) => value === false,
  n: (value) => value === 1,
  tools: (value) => Array.isArray(value) && value.length === 0,
  functions: (value) => Array.isArray(value) && value.length === 0,
  user: () => true,
};
const isNoOp = ([name, value]: readonly [string, unknown]): boolean =>
  value === null || (Object.hasOwn(NO_OPS, name) && NO_OPS[name]?.(value) === true);

const withoutNoOps = (value: unknown): unknown =>
  isRecord(value) ? Object.fromEntries(Object.entries(value).filter((entry) => !isNoOp(entry))) : value;

/** The body of a stubborn client without what says nothing; anything else is left as it is. */
function drop(body: unknown): unknown {
  const lean = withoutNoOps(body);
  if (!isRecord(lean) || !Array.isArray(lean.messages)) return lean;
  return { ...lean, messages: lean.messages.map(withoutNoOps) };
}

function checkNumber(value: unknown, name: string, range: typeof TOKENS | typeof TEMPERATURE): void {
  if (value === undefined) return;
  const { minimum, maximum } = range;
  const is_whole = range === TOKENS;
  if (typeof value !== "number" || (is_whole && !Number.isInteger(value))) {
    throw refuse("invalid_type", name, `"${name}" must be ${is_whole ? "a whole number" : "a number"}.`);
  }
  if (value < minimum || value > maximum) {
    throw refuse("out_of_range", name, `"${name}" must be from ${minimum} to ${maximum}.`);
  }
}

function checkMessage(message: unknown, index: number): void {
  const at = `messages[${index}]`;
  if (!isRecord(message)) throw refuse("invalid_type", at, `"${at}" must be an object.`);
  const { role, content } = message;
  if (Object.hasOwn(message, "tool_calls")) {
    throw refuse("unsupported_parameter", `${at}.tool_calls`, `"${at}.tool_calls" is not taken.`);
  }
  if (role === "tool" || role === "function") {
    throw refuse("unsupported_parameter", `${at}.role`, `The role "${role}" is not taken.`);
  }
  if (typeof role !== "string") throw refuse("invalid_type", `${at}.role`, `"${at}.role" must be a text.`);
  if (!ROLES.some((one) => one === role)) {
    throw refuse("out_of_range", `${at}.role`, `"${at}.role" must be ${ROLES.join(", ")}.`);
  }
  if (typeof content === "object" && content !== null) {
    throw refuse("unsupported_content", `${at}.content`, `"${at}.content" must be a text.`);
  }
  if (typeof content !== "string") throw refuse("invalid_type", `${at}.content`, `"${at}.content" must be a text.`);
  if (content === "") throw refuse("out_of_range", `${at}.content`, `"${at}.content" must not be empty.`);
  const unknown = Object.keys(message).find((name) => !MESSAGE_MEMBERS.includes(name));
  if (unknown === undefined) return;
  const name = `${at}.${unknown.slice(0, 60)}`;
  throw refuse("unknown_parameter", name, `"${name}" is not known.`);
}

function checkMessages(messages: unknown, bytes_max: number): void {
  if (messages === undefined) return;
  if (!Array.isArray(messages)) throw refuse("invalid_type", "messages", '"messages" must be a list.');
  if (messages.length === 0 || messages.length > MESSAGES_MAX) {
    throw refuse("out_of_range", "messages", `"messages" must have 1 to ${MESSAGES_MAX} entries.`);
  }
  messages.forEach(checkMessage);
  const last = messages.length - 1;
  if (messages[last].role === "assistant") {
    throw refuse("out_of_range", `messages[${last}].role`, "The last message must not be the assistant's.");
  }
  const bytes = messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  if (bytes > bytes_max) {
    const message = `The messages have ${bytes} bytes together; at most ${bytes_max} are taken.`;
    throw refuse("context_length_exceeded", "messages", message);
  }
}

export interface BodyRules {
  /** Drops members that say nothing instead of refusing them. */
  readonly lenient: boolean;
  /** Of all contents together. */
  readonly prompt_bytes_max: number;
}

/**
 * Checks the body of a chat completion, before the node's own check of the parameters.
 * @throws NodeError invalid_parameter whose `details.reason` is OpenAI's code
 */
export function readChatBody(body: unknown, { lenient, prompt_bytes_max }: BodyRules): unknown {
  const given = lenient ? drop(body) : body;
  if (!isRecord(given)) {
    throw new NodeError("invalid_parameter", "The body must be a JSON object.", { param: "body" });
  }
  for (const name of Object.keys(given)) {
    if (UNSUPPORTED_MEMBERS.includes(name)) throw refuse("unsupported_parameter", name, `"${name}" is not taken.`);
    if (MEMBERS.includes(name)) continue;
    const shown = name.slice(0, 60);
    throw refuse("unknown_parameter", shown, `"${shown}" is not known.`);
  }
  const { model } = given;
  if (model !== undefined && typeof model !== "string")
    throw refuse("invalid_type", "model", '"model" must be a text.');
  if (typeof model === "string" && (model === "" || model.length > MODEL_CHARS_MAX)) {
    throw refuse("out_of_range", "model", `"model" must have 1 to ${MODEL_CHARS_MAX} characters.`);
  }
  checkNumber(given.max_tokens, "max_tokens", TOKENS);
  checkNumber(given.temperature, "temperature", TEMPERATURE);
  checkMessages(given.messages, prompt_bytes_max);
  return given;
}
