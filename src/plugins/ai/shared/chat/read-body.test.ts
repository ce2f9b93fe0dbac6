import { describe, expect, test } from "bun:test";
import { NodeError } from "intel-node";
import { readChatBody } from "./read-body.ts";

const STRICT = { lenient: false, prompt_bytes_max: 24_000 };
const user = { role: "user", content: "hi" };
const refusalOf = (body: unknown, rules = STRICT) => {
  try {
    readChatBody(body, rules);
    return null;
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    const { param, details } = error.options;
    return `${details?.reason ?? "body"} ${param}`;
  }
};

describe("what a chat completion does not take, in OpenAI's words", () => {
  test.each([
    [{ messages: [user], stream: false }, "unsupported_parameter stream"],
    [{ messages: [user], tools: [] }, "unsupported_parameter tools"],
    [{ messages: [user], tool_choice: "none" }, "unsupported_parameter tool_choice"],
    [{ messages: [user], functions: [] }, "unsupported_parameter functions"],
    [{ messages: [user], function_call: "none" }, "unsupported_parameter function_call"],
    [{ messages: [{ role: "tool", content: "x" }] }, "unsupported_parameter messages[0].role"],
    [{ messages: [{ ...user, tool_calls: [] }] }, "unsupported_parameter messages[0].tool_calls"],
    [{ messages: [{ role: "user", content: [{ type: "text" }] }] }, "unsupported_content messages[0].content"],
    [{ messages: [user], n: 1 }, "unknown_parameter n"],
    [{ messages: [{ ...user, name: "x" }] }, "unknown_parameter messages[0].name"],
    [{ messages: "hi" }, "invalid_type messages"],
    [{ messages: ["hi"] }, "invalid_type messages[0]"],
    [{ messages: [{ role: "user", content: null }] }, "invalid_type messages[0].content"],
    [{ messages: [{ role: 1, content: "x" }] }, "invalid_type messages[0].role"],
    [{ messages: [user], model: 5 }, "invalid_type model"],
    [{ messages: [user], max_tokens: "5" }, "invalid_type max_tokens"],
    [{ messages: [user], max_tokens: 17.5 }, "invalid_type max_tokens"],
    [{ messages: [user], temperature: "hot" }, "invalid_type temperature"],
    [{ messages: [] }, "out_of_range messages"],
    [{ messages: Array(65).fill(user) }, "out_of_range messages"],
    [{ messages: [{ role: "user", content: "" }] }, "out_of_range messages[0].content"],
    [{ messages: [{ role: "king", content: "x" }] }, "out_of_range messages[0].role"],
    [{ messages: [user, { role: "assistant", content: "x" }] }, "out_of_range messages[1].role"],
    [{ messages: [user], model: "" }, "out_of_range model"],
    [{ messages: [user], max_tokens: 15 }, "out_of_range max_tokens"],
    [{ messages: [user], temperature: 1.6 }, "out_of_range temperature"],
    [{ messages: [{ role: "user", content: "é".repeat(12_001) }] }, "context_length_exceeded messages"],
    [[user], "body body"],
    ["hi", "body body"],
  ])("%j: %s", (body, refusal) => {
    expect(refusalOf(body)).toBe(refusal);
  });

  test("what is missing is nobody's fault: probes send nothing", () => {
    expect(refusalOf({})).toBe(null);
    expect(refusalOf({ messages: [user], model: "gpt", max_tokens: 2_048, temperature: 0 })).toBe(null);
  });
});

test("lenient drops what says nothing, and nothing else", () => {
  const noisy = { stream: false, n: 1, tools: [], user: "me", seed: null };
  const lenient = { ...STRICT, lenient: true };
  expect(readChatBody({ messages: [{ ...user, name: null }], ...noisy }, lenient)).toEqual({ messages: [user] });
  for (const body of [{ stream: true }, { n: 2 }, { tools: [1] }, { seed: 1 }]) {
    expect(refusalOf({ messages: [user], ...body }, lenient)).not.toBe(null);
  }
});
