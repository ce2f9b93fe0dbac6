import { describe, expect, test } from "bun:test";
import { readCompletion, readRefusal, stripThoughts } from "./read-completion.ts";

test.each([
  ["<think>a</think>b", "b"],
  ["<think>a</think>\n\n<think>c</think> b ", "b"],
  ["<Thinking>a</thinking>b", "b"],
  ["a\n</think>\nb", "b"],
  ["<think>never ends", ""],
  ["the mark </think> in a sentence", "the mark </think> in a sentence"],
  ["say <think>this</think>", "say <think>this</think>"],
  ["  plain  ", "plain"],
])("of %j the answer is %j", (text, answer) => {
  expect(stripThoughts(text)).toBe(answer);
});

describe("a host's words", () => {
  const choice = (message: unknown, more: object = {}) => JSON.stringify({ choices: [{ message, ...more }] });
  test.each([
    [
      "parts, of which only text is the answer",
      choice({
        content: [
          { type: "thinking", thinking: [] },
          { type: "text", text: "b" },
        ],
      }),
      "ok",
    ],
    ["a refusal in words, with content", choice({ content: "I would rather not.", refusal: null }), "ok"],
    ["a refusal without content", choice({ content: null, refusal: "no" }), "wordless"],
    ["a call of a tool", choice({ content: null, tool_calls: [{}] }, { finish_reason: "tool_calls" }), "wordless"],
    ["an error in a choice", JSON.stringify({ choices: [{ error: { code: 502, message: "x" } }] }), "bad_answer"],
    ["a limit told with 200", JSON.stringify({ error: { code: 429, message: "slow" } }), "limited"],
    ["no choices", "{}", "bad_answer"],
    ["a list", "[]", "bad_answer"],
    ["a page", "<!doctype html>", "bad_answer"],
  ])("%s: %#", (_, body, kind) => {
    expect(readCompletion(body, "m").kind).toBe(kind as never);
  });

  test.each([
    [
      400,
      { message: "Unsupported parameter: 'max_tokens' is not supported", code: "unsupported_parameter" },
      "tokens_field",
    ],
    [400, { message: "This model's maximum context length is 8192 tokens; you asked for max_tokens 900" }, "too_long"],
    [400, { message: "Invalid 'temperature': only the default is supported" }, "temperature"],
    [400, { message: "response_format json_schema is not supported" }, "format"],
    [400, { message: "messages[0] has no role" }, "bad_request"],
    [402, {}, "balance"],
    [404, {}, "model_gone"],
    [418, {}, "bad_request"],
    [503, { message: "Loading model" }, "loading"],
    [529, { message: "overloaded" }, "down"],
  ])("%d %j means %s", (status, error, kind) => {
    expect(readRefusal(status, JSON.stringify({ error })).kind).toBe(kind as never);
  });
});
