import { NodeError } from "intel-node";
import { assertConversation } from "./conversation.ts";
import { isRecord } from "./is-record.ts";
import { NEUTRAL_MEMBERS } from "./neutral.ts";
import { readMembers } from "./read-members.ts";
import { readMessage } from "./read-message.ts";
import { readStream } from "./read-stream.ts";
import { refuse } from "./refuse.ts";
import { MESSAGES_MAX, TEMPERATURE, TOKENS } from "./schema.ts";

const MEMBERS = [
  "messages",
  "model",
  "max_tokens",
  "max_completion_tokens",
  "temperature",
  "stream",
  "stream_options",
  // The node's own, of every product.
  "format",
];
const MODEL_CHARS_MAX = 200;

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

function checkModel(model: unknown): void {
  if (model === undefined) return;
  if (typeof model !== "string") throw refuse("invalid_type", "model", '"model" must be a text.');
  if (model === "" || model.length > MODEL_CHARS_MAX) {
    throw refuse("out_of_range", "model", `"model" must have 1 to ${MODEL_CHARS_MAX} characters.`);
  }
}

/** The one limit of tokens, which OpenAI renamed. */
function readTokens({ max_tokens, max_completion_tokens }: Readonly<Record<string, unknown>>): unknown {
  checkNumber(max_tokens, "max_tokens", TOKENS);
  checkNumber(max_completion_tokens, "max_completion_tokens", TOKENS);
  if (max_tokens !== undefined && max_completion_tokens !== undefined && max_tokens !== max_completion_tokens) {
    const message = '"max_completion_tokens" and "max_tokens" are one limit; here they differ.';
    throw refuse("unsupported_value", "max_completion_tokens", message);
  }
  return max_completion_tokens ?? max_tokens;
}

function readMessages(messages: unknown, bytes_max: number) {
  if (!Array.isArray(messages)) throw refuse("invalid_type", "messages", '"messages" must be a list.');
  if (messages.length === 0 || messages.length > MESSAGES_MAX) {
    throw refuse("out_of_range", "messages", `"messages" must have 1 to ${MESSAGES_MAX} entries.`);
  }
  const read = messages.map(readMessage);
  assertConversation(read, bytes_max);
  return read;
}

export interface BodyRules {
  /** Of all contents together. */
  readonly prompt_bytes_max: number;
}

/**
 * Brings the body of a chat completion, as any client of OpenAI's API sends it, to the parameters of this door. What
 * leaves the answer as it is is dropped.
 * @throws NodeError invalid_parameter whose `details.reason` is OpenAI's code, for what would change the answer
 */
export function readChatBody(body: unknown, { prompt_bytes_max }: BodyRules): Readonly<Record<string, unknown>> {
  if (!isRecord(body)) {
    throw new NodeError("invalid_parameter", "The body must be a JSON object.", { param: "body" });
  }
  const given = readMembers(body, { known: MEMBERS, neutral: NEUTRAL_MEMBERS });
  const { model, temperature, format, messages } = given;
  checkModel(model);
  checkNumber(temperature, "temperature", TEMPERATURE);
  const read = {
    model,
    temperature,
    format,
    max_tokens: readTokens(given),
    ...readStream(given),
    messages: messages === undefined ? undefined : readMessages(messages, prompt_bytes_max),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}
