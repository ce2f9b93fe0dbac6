import { isRecord } from "./is-record.ts";

/** Values of a member that leave the answer as it is: clients send them by default. */
interface Neutral {
  readonly isOne: (value: unknown) => boolean;
  /** Those values in words, for the refusal of every other one. */
  readonly only: string;
}
export type Neutrals = Readonly<Record<string, Neutral>>;

const only = (...values: readonly unknown[]): Neutral => ({
  isOne: (value) => values.includes(value),
  only: values.map((value) => JSON.stringify(value)).join(" or "),
});
const EMPTY_LIST: Neutral = { isOne: (value) => Array.isArray(value) && value.length === 0, only: "an empty list" };
const EMPTY_RECORD: Neutral = {
  isOne: (value) => isRecord(value) && Object.keys(value).length === 0,
  only: "an empty object",
};
const ANY_TEXT: Neutral = { isOne: (value) => typeof value === "string", only: "a text" };
const ANY_BOOLEAN: Neutral = { isOne: (value) => typeof value === "boolean", only: "true or false" };
const ANY_LIST: Neutral = { isOne: Array.isArray, only: "a list" };
const ANY_RECORD: Neutral = { isOne: isRecord, only: "an object" };
/** Cloudflare's provider writes the bare word. */
const TEXT_FORMAT: Neutral = {
  isOne: (value) => value === "text" || (isRecord(value) && value.type === "text" && Object.keys(value).length === 1),
  only: '{"type":"text"}',
};
const TEXT_ALONE: Neutral = {
  isOne: (value) => Array.isArray(value) && value.length === 1 && value[0] === "text",
  only: '["text"]',
};

/**
 * Members of a request. Some ask for what is so anyway (`n: 1`), some are the client's own notes (`metadata`), some
 * speak of tools where none exist, and some only of how soon an answer comes (`prediction`). The first group is
 * OpenAI's (openai-openapi, CreateChatCompletionRequest), the last one that of other hosts of the same API.
 */
export const NEUTRAL_MEMBERS: Neutrals = {
  frequency_penalty: only(0),
  function_call: only("none", "auto"),
  functions: EMPTY_LIST,
  logit_bias: EMPTY_RECORD,
  logprobs: only(false),
  metadata: ANY_RECORD,
  modalities: TEXT_ALONE,
  n: only(1),
  parallel_tool_calls: ANY_BOOLEAN,
  prediction: ANY_RECORD,
  presence_penalty: only(0),
  prompt_cache_key: ANY_TEXT,
  prompt_cache_options: ANY_RECORD,
  prompt_cache_retention: ANY_TEXT,
  response_format: TEXT_FORMAT,
  safety_identifier: ANY_TEXT,
  service_tier: only("auto", "default"),
  stop: EMPTY_LIST,
  store: ANY_BOOLEAN,
  tool_choice: only("none", "auto"),
  tools: EMPTY_LIST,
  top_logprobs: only(0),
  top_p: only(1),
  user: ANY_TEXT,
  verbosity: only("medium"),

  include_reasoning: only(false),
  min_p: only(0),
  raw: only(false),
  repetition_penalty: only(1),
  safe_prompt: only(false),
  top_k: only(0, -1),
  usage: ANY_RECORD,
};

/**
 * Members of a message: what clients keep of an earlier answer besides its text. Thoughts are not part of a
 * conversation: this door removes them from its own answers as well.
 */
export const NEUTRAL_IN_MESSAGE: Neutrals = {
  annotations: ANY_LIST,
  cache_control: ANY_RECORD,
  images: EMPTY_LIST,
  prefix: only(false),
  provider_specific_fields: ANY_RECORD,
  reasoning: ANY_TEXT,
  reasoning_content: ANY_TEXT,
  reasoning_details: ANY_LIST,
  refusal: only(""),
  thinking_blocks: ANY_LIST,
  tool_calls: EMPTY_LIST,
};

/** Members of a text part: hints for caches. */
export const NEUTRAL_IN_PART: Neutrals = {
  annotations: ANY_LIST,
  cache_control: ANY_RECORD,
  prompt_cache_breakpoint: ANY_RECORD,
};
