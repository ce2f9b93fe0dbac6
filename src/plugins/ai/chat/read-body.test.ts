import { describe, expect, test } from "bun:test";
import { NodeError } from "intel-node";
import { NEUTRAL_IN_MESSAGE, NEUTRAL_IN_PART, NEUTRAL_MEMBERS } from "./neutral.ts";
import { readChatBody } from "./read-body.ts";

const RULES = { prompt_bytes_max: 24_000 };
const user = { role: "user", content: "hi" };
const refusalOf = (body: unknown) => {
  try {
    readChatBody(body, RULES);
    return null;
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    const { param, details } = error.options;
    return `${details?.reason ?? "body"} ${param}`;
  }
};
const image = { type: "image_url", image_url: { url: "data:," } };
const call = { id: "1", type: "function", function: { name: "f", arguments: "{}" } };

describe("what would change the answer is refused, in OpenAI's words", () => {
  test.each([
    [{ messages: [user], stream: "no" }, "invalid_type stream"],
    [{ messages: [user], stream: true, stream_options: [] }, "invalid_type stream_options"],
    [
      { messages: [user], stream: true, stream_options: { include_usage: 1 } },
      "invalid_type stream_options.include_usage",
    ],
    [{ messages: [user], stream: true, stream_options: { every: 5 } }, "unknown_parameter stream_options.every"],
    [{ messages: [user], tools: [call] }, "unsupported_parameter tools"],
    [{ messages: [user], tool_choice: "required" }, "unsupported_parameter tool_choice"],
    [{ messages: [user], functions: [{ name: "f" }] }, "unsupported_parameter functions"],
    [{ messages: [user], function_call: { name: "f" } }, "unsupported_parameter function_call"],
    [{ messages: [{ role: "tool", content: "x" }] }, "unsupported_parameter messages[0].role"],
    [{ messages: [{ ...user, tool_calls: [call] }] }, "unsupported_parameter messages[0].tool_calls"],
    [{ messages: [{ role: "user", content: [{ type: "text" }] }] }, "unsupported_content messages[0].content"],
    [{ messages: [{ role: "user", content: [image] }] }, "unsupported_content messages[0].content"],
    [{ messages: [{ role: "user", content: { type: "text" } }] }, "unsupported_content messages[0].content"],
    [{ messages: [{ role: "user", content: ["hi"] }] }, "unsupported_content messages[0].content"],
    [
      { messages: [{ role: "user", content: [{ type: "text", text: "hi", style: "bold" }] }] },
      "unknown_parameter messages[0].content[0].style",
    ],
    [{ messages: [user], n: 2 }, "unsupported_value n"],
    [{ messages: [user], top_p: 0.9 }, "unsupported_value top_p"],
    [{ messages: [user], stop: ["\n"] }, "unsupported_value stop"],
    [{ messages: [user], stop: "END" }, "unsupported_value stop"],
    [{ messages: [user], presence_penalty: 0.5 }, "unsupported_value presence_penalty"],
    [{ messages: [user], frequency_penalty: -1 }, "unsupported_value frequency_penalty"],
    [{ messages: [user], logit_bias: { 50256: -100 } }, "unsupported_value logit_bias"],
    [{ messages: [user], logprobs: true }, "unsupported_value logprobs"],
    [{ messages: [user], top_logprobs: 5 }, "unsupported_value top_logprobs"],
    [{ messages: [user], response_format: { type: "json_object" } }, "unsupported_value response_format"],
    [{ messages: [user], modalities: ["text", "audio"] }, "unsupported_value modalities"],
    [{ messages: [user], service_tier: "priority" }, "unsupported_value service_tier"],
    [{ messages: [user], verbosity: "low" }, "unsupported_value verbosity"],
    [{ messages: [user], user: 5 }, "unsupported_value user"],
    [{ messages: [user], safe_prompt: true }, "unsupported_value safe_prompt"],
    [{ messages: [user], seed: 1 }, "unknown_parameter seed"],
    [{ messages: [user], reasoning_effort: "high" }, "unknown_parameter reasoning_effort"],
    [{ messages: [user], web_search_options: {} }, "unknown_parameter web_search_options"],
    [{ messages: [user], audio: { voice: "a" } }, "unknown_parameter audio"],
    [{ messages: [user], toString: 1 }, "unknown_parameter toString"],
    [JSON.parse('{ "messages": [], "__proto__": 1 }'), "unknown_parameter __proto__"],
    [{ messages: [{ ...user, name: "x" }] }, "unknown_parameter messages[0].name"],
    [{ messages: [{ role: "assistant", refusal: "I cannot." }, user] }, "unsupported_value messages[0].refusal"],
  ])("%j: %s", (body, refusal) => {
    expect(refusalOf(body)).toBe(refusal);
  });
});

describe("what is of another type or too much is refused, in OpenAI's words", () => {
  test.each([
    [{ messages: "hi" }, "invalid_type messages"],
    [{ messages: ["hi"] }, "invalid_type messages[0]"],
    [{ messages: [{ role: "user", content: null }] }, "invalid_type messages[0].content"],
    [{ messages: [{ role: 1, content: "x" }] }, "invalid_type messages[0].role"],
    [{ messages: [user], model: 5 }, "invalid_type model"],
    [{ messages: [user], max_tokens: "5" }, "invalid_type max_tokens"],
    [{ messages: [user], max_tokens: 17.5 }, "invalid_type max_tokens"],
    [{ messages: [user], max_completion_tokens: "5" }, "invalid_type max_completion_tokens"],
    [{ messages: [user], temperature: "hot" }, "invalid_type temperature"],
    [{ messages: [] }, "out_of_range messages"],
    [{ messages: Array(65).fill(user) }, "out_of_range messages"],
    [{ messages: [{ role: "user", content: "" }] }, "out_of_range messages[0].content"],
    [{ messages: [{ role: "user", content: [] }] }, "out_of_range messages[0].content"],
    [{ messages: [{ role: "king", content: "x" }] }, "out_of_range messages[0].role"],
    [{ messages: [user, { role: "assistant", content: "x" }] }, "out_of_range messages[1].role"],
    [{ messages: [user], model: "" }, "out_of_range model"],
    [{ messages: [user], max_tokens: 15 }, "out_of_range max_tokens"],
    [{ messages: [user], max_completion_tokens: 4_096 }, "out_of_range max_completion_tokens"],
    [{ messages: [user], max_tokens: 64, max_completion_tokens: 128 }, "unsupported_value max_completion_tokens"],
    [{ messages: [user], temperature: 1.6 }, "out_of_range temperature"],
    [{ messages: [{ role: "user", content: "é".repeat(12_001) }] }, "context_length_exceeded messages"],
    [[user], "body body"],
    ["hi", "body body"],
  ])("%j: %s", (body, refusal) => {
    expect(refusalOf(body)).toBe(refusal);
  });
});

describe("what leaves the answer as it is is taken, and dropped", () => {
  test.each([
    { stream: false },
    { stream: false, stream_options: { include_usage: true } },
    { n: 1 },
    { top_p: 1, temperature: null },
    { presence_penalty: 0, frequency_penalty: 0, logit_bias: {} },
    { stop: [] },
    { stop: null, seed: null, tools: null, audio: null, reasoning_effort: null, made_up: null },
    { logprobs: false, top_logprobs: 0 },
    { tools: [], tool_choice: "none", parallel_tool_calls: true },
    { tool_choice: "auto", functions: [], function_call: "none" },
    { response_format: { type: "text" }, modalities: ["text"] },
    { response_format: "text", safe_prompt: false },
    { user: "u-1", safety_identifier: "s", store: true, metadata: { run: "7" } },
    { prompt_cache_key: "k", prompt_cache_retention: "24h", prompt_cache_options: { mode: "implicit" } },
    { prediction: { type: "content", content: "hi" }, service_tier: "auto", verbosity: "medium" },
    { repetition_penalty: 1, min_p: 0, top_k: -1, usage: { include: true }, include_reasoning: false },
  ])("%j", (more) => {
    expect(readChatBody({ messages: [user], ...more }, RULES)).toEqual({ messages: [user] });
  });

  test("a stream is asked for by what changes it, and by nothing else", () => {
    const readOptions = (stream_options: object | null) =>
      readChatBody({ messages: [user], stream: true, stream_options }, RULES);
    const streamed = { messages: [user], stream: true };
    expect(readOptions(null)).toEqual(streamed);
    expect(readOptions({ include_usage: false, include_obfuscation: true })).toEqual(streamed);
    const with_usage = { ...streamed, stream_options: { include_usage: true } };
    expect(readOptions({ include_usage: true })).toEqual(with_usage);
  });

  test("one limit of tokens under either name, or under both", () => {
    for (const limit of [{ max_tokens: 64 }, { max_completion_tokens: 64 }]) {
      expect(readChatBody({ messages: [user], ...limit }, RULES)).toEqual({ messages: [user], max_tokens: 64 });
    }
    const both = { max_tokens: 64, max_completion_tokens: 64 };
    expect(readChatBody({ messages: [user], ...both }, RULES)).toEqual({ messages: [user], max_tokens: 64 });
  });

  test("texts in parts, and the developer's messages, are those of a conversation like any other", () => {
    const parts = [
      { type: "text", text: "one", cache_control: { type: "ephemeral" } },
      { type: "text", text: "two" },
    ];
    const messages = [
      { role: "developer", content: "Be brief." },
      { role: "system", content: "" },
      { role: "user", content: parts, name: null },
    ];
    expect(readChatBody({ messages }, RULES).messages).toEqual([
      { role: "system", content: "Be brief." },
      { role: "system", content: "" },
      { role: "user", content: "one\ntwo" },
    ]);
  });

  test.each([
    { content: "Hi.", refusal: null },
    { content: "Hi.", refusal: null, annotations: [], tool_calls: [], function_call: null, audio: null, parsed: null },
    { content: "Hi.", provider_specific_fields: { refusal: null }, tool_calls: null, images: [] },
    { content: "Hi.", reasoning: "hm", reasoning_content: "hm", reasoning_details: [{}], thinking_blocks: [] },
    { content: [{ type: "text", text: "Hi." }], prefix: false, cache_control: { type: "ephemeral" } },
  ])("an earlier answer as clients keep it: %j", (more) => {
    const read = readChatBody({ messages: [user, { role: "assistant", ...more }, user] }, RULES);
    expect(read.messages).toEqual([user, { role: "assistant", content: "Hi." }, user]);
  });

  test("an earlier answer that was cut off before its first word", () => {
    for (const content of ["", null]) {
      const read = readChatBody({ messages: [user, { role: "assistant", content, refusal: null }, user] }, RULES);
      expect(read.messages).toEqual([user, { role: "assistant", content: "" }, user]);
    }
  });

  test("missing members are allowed: probes send nothing", () => {
    expect(refusalOf({})).toBe(null);
    expect(refusalOf({ messages: [user], model: "gpt", max_tokens: 2_048, temperature: 0 })).toBe(null);
  });
});

test("the agent's docs name every member that is taken and dropped", async () => {
  const docs = await Bun.file(new URL("../../../../docs/agent.md", import.meta.url)).text();
  const names = [...Object.keys(NEUTRAL_MEMBERS), ...Object.keys(NEUTRAL_IN_MESSAGE), ...Object.keys(NEUTRAL_IN_PART)];
  expect(names.filter((name) => !docs.includes(`\`${name}\``) && !docs.includes(`\`${name}:`))).toEqual([]);
});
