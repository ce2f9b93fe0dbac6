import { expect, test } from "bun:test";
import { type CompletionRequest, type Model, NodeError } from "intel-node";
import { runProduct } from "../../../../test/helpers/product-harness.ts";
import { product } from "./product.ts";

// What HTTP makes of it, by an official client's fetch, is in ../chat-completions/product.test.ts.
const NOW_MS = 1_790_000_000_000;
const asked: CompletionRequest[] = [];
const model: Model = {
  async complete(request) {
    asked.push(request);
    const usage = { prompt_tokens: 3, completion_tokens: 1, is_estimated: false };
    return { text: "yes", provider_id: "own", model: "m", finish_reason: "stop", attempts: 1, usage, cost_usd: 0 };
  },
};
const run = (params: Record<string, unknown>, more: object = {}) =>
  runProduct(product, { params, now_ms: NOW_MS, bodies: {}, model, ...more });

test("asks the first model that is alive for one answer of the length that is wanted", async () => {
  const { data } = await run({ q: "is it?", max_tokens: 16 });
  expect(data.choices).toMatchObject([{ message: { content: "yes" }, finish_reason: "stop" }]);
  expect(asked.at(-1)).toEqual({
    messages: [{ role: "user", content: "is it?" }],
    max_tokens: 16,
    temperature: 0.4,
    class: "fast",
    prefer: "intel-fast",
  });
});

test("the operator's system prompt comes before the question", async () => {
  const chat = { system_prompt: "Be brief.", prompt_bytes_max: 24_000 };
  await run({ q: "is it?" }, { plugin_config: { chat } });
  expect(asked.at(-1)?.messages.map(({ role }) => role)).toEqual(["system", "user"]);
});

test("without a model there is nothing to sell", () => {
  expect(run({ q: "is it?" }, { model: undefined })).rejects.toBeInstanceOf(NodeError);
});
