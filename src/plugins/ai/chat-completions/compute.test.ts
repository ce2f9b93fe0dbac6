import { expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { openAIForm } from "../chat/door.ts";
import { CompletionSchema } from "../chat/schema.ts";
import { computeCompletion } from "./compute.ts";

const inputs = {
  messages: [{ role: "user" as const, content: "hi" }],
  requested_model: "gpt-4o",
  made: {
    text: "hello",
    provider_id: "local",
    model: "llama",
    finish_reason: "length" as const,
    attempts: 2,
    usage: { prompt_tokens: 12, completion_tokens: 34, is_estimated: true },
    cost_usd: 0,
  },
  is_simulated: false,
};
const NOW = { now_ms: 1_790_000_000_999 };

test("a completion is OpenAI's object: the sum of tokens, whole seconds, and what this node adds", () => {
  const { data, as_of_ms } = computeCompletion(inputs, NOW);
  expect(Value.Check(CompletionSchema, data)).toBe(true);
  expect(as_of_ms).toBe(NOW.now_ms);
  expect(data).toMatchObject({
    object: "chat.completion",
    created: 1_790_000_000,
    model: "llama",
    choices: [{ message: { content: "hello", refusal: null }, logprobs: null, finish_reason: "length" }],
    usage: { prompt_tokens: 12, completion_tokens: 34, total_tokens: 46 },
    intel_node: { provider_id: "local", requested_model: "gpt-4o", attempts: 2, usage_estimated: true },
  });
});

test("every completion has its own name", () => {
  const idOf = (change: object, at = NOW) => computeCompletion({ ...inputs, ...change }, at).data.id;
  const ids = [
    idOf({}),
    idOf({}, { now_ms: 1 }),
    idOf({ messages: [] }),
    idOf({ made: { ...inputs.made, text: "x" } }),
  ];
  expect(new Set(ids).size).toBe(4);
  expect(idOf({})).toBe(idOf({}));
});

test("an answer says whether it is a preview", () => {
  const { data } = computeCompletion(inputs, NOW);
  const envelope = {
    product: "llm",
    node_id: "n",
    as_of: "",
    generated_at: "",
    sources: [],
    warnings: [],
    data,
  };
  const shown = [true, false].map((delayed) => openAIForm.render({ ...envelope, delayed }).intel_node.preview);
  expect(shown).toEqual([true, false]);
  const preview_of = { q: "What is an order book?" };
  expect(openAIForm.render({ ...envelope, delayed: true, preview_of }).intel_node).toMatchObject({ preview_of });
  expect(openAIForm.render({ ...envelope, delayed: false }).intel_node).not.toHaveProperty("preview_of");
});
